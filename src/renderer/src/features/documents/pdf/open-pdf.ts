import type { PDFDocumentProxy } from 'pdfjs-dist'
import { readMediaRange } from '../../../api/read-media.ts'
import { pdfAssets } from './assets.ts'
import { fileRanges } from './file-ranges.ts'
import { readBlocks } from './read-blocks.ts'

/** Which file is opened, and who is asked on the way. */
export interface PdfFile {
  /** Media address of the file. */
  readonly url: string
  readonly bytes: number
  /** Asks for the password; `wrong` after one that did not fit. Null gives up. */
  readonly password: (wrong: boolean) => Promise<string | null>
  /** The file cannot be read any more: nothing further will be drawn from it. */
  readonly onLost: () => void
}

/** Why a file was not opened: no password, no PDF that can be read, gone, or closed before it was open. */
export type PdfRefusal = 'password' | 'broken' | 'lost' | 'closed'

/** A PDF that stands open. */
export interface OpenPdf {
  readonly pdf: PDFDocumentProxy
  readonly pdfjs: typeof import('pdfjs-dist')
}

/** A PDF being opened; `close` ends its workers, whatever they do, and may be called twice. */
export interface PdfOpening {
  readonly opened: Promise<
    { readonly ok: true; readonly open: OpenPdf } | { readonly ok: false; readonly why: PdfRefusal }
  >
  close(): void
}

/** The two programs of pdf.js, reading and drawing, laid beside the page under names with their hash. */
const programs = {
  reading: new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href,
  drawing: new URL('pdfjs-dist/build/pdf.renderer.min.mjs', import.meta.url).href,
} as const

/** Bytes that pdf.js asks for at least. */
const piece = 1 << 15
/** Bytes read at once, and how many such blocks are held: 12 MB. */
const blocks = { block: 1 << 21, held: 6 } as const

/**
 * Opens a stored PDF piece by piece. Nothing but what the shown pages need is read. No forms, no scripts of the file, and
 * no WebAssembly, which the page's policy rules out: pictures are decoded by plain programs. Reading and drawing happen
 * in two workers of the document's own, ended with it, so that no document's memory outlives it.
 */
export function openPdf(file: PdfFile): PdfOpening {
  const workers: Worker[] = []
  let closed = false
  let lost = false
  let destroy = (): void => {}
  const refuse = (why: PdfRefusal) => ({ ok: false, why }) as const

  const close = (): void => {
    if (closed) return
    closed = true
    destroy()
    for (const worker of workers) worker.terminate()
  }
  const start = (url: string): Worker => {
    const worker = new Worker(url, { type: 'module' })
    workers.push(worker)
    return worker
  }

  const opened = (async () => {
    const pdfjs = await import('pdfjs-dist')
    if (closed) return refuse('closed')
    const port = pdfjs.PDFWorker.create({ port: start(programs.reading), verbosity: 0 })
    pdfjs.GlobalWorkerOptions.rendererPorts = [start(programs.drawing)]
    const ended = Promise.withResolvers<ReturnType<typeof refuse>>()
    const range = fileRanges(
      pdfjs.PDFDataRangeTransport,
      file.bytes,
      readBlocks({ bytes: file.bytes, ...blocks }, (begin, end, signal) =>
        readMediaRange(file.url, begin, end, signal),
      ),
      () => {
        lost = true
        ended.resolve(refuse('lost'))
        file.onLost()
      },
    )
    const task = pdfjs.getDocument({
      range,
      worker: port,
      ...pdfAssets(),
      cMapPacked: true,
      useWorkerFetch: true,
      useWasm: false,
      rangeChunkSize: piece,
      disableAutoFetch: true,
      disableStream: true,
      enableXfa: false,
      verbosity: 0,
    })
    destroy = () => {
      range.abort()
      void task.destroy().catch(() => {})
      ended.resolve(refuse('closed'))
    }
    task.onPassword = (answer: (password: string) => void, reason: number): void => {
      void file.password(reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD).then((password) => {
        if (password === null) ended.resolve(refuse('password'))
        else if (!closed) answer(password)
      })
    }
    const loaded = task.promise.then(
      (pdf) => ({ ok: true, open: { pdf, pdfjs } }) as const,
      () => refuse(lost ? 'lost' : closed ? 'closed' : 'broken'),
    )
    const outcome = await Promise.race([loaded, ended.promise])
    if (!outcome.ok) close()
    return outcome
  })()

  return {
    opened: opened.catch(() => {
      const why = closed ? 'closed' : 'broken'
      close()
      return refuse(why)
    }),
    close,
  }
}
