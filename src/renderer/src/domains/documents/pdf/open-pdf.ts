import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { readMediaRange } from '../../../lib/bridge/read-media.ts'
import { pdfAssets } from './assets.ts'
import { fileRanges } from './file-ranges.ts'
import { readBlocks } from './read-blocks.ts'
import { readLinks } from './links.ts'
import type { Drawing, PageSource, Turn } from '../pages/page-source.ts'

/** The file to open, and the callbacks for it. */
interface PdfFile {
  /** Media URL of the file. */
  readonly url: string
  readonly bytes: number
  /** Asks for the password; `wrong` after an incorrect one. Null cancels. */
  readonly password: (wrong: boolean) => Promise<string | null>
  /** Called when the file can no longer be read: nothing more will be drawn from it. */
  readonly onLost: () => void
}

/** Why a file was not opened: no password, not a readable PDF, missing, or closed before it was open. */
export type PdfRefusal = 'password' | 'broken' | 'lost' | 'closed'

interface OpenPdf {
  readonly pdf: PDFDocumentProxy
  readonly pdfjs: typeof import('pdfjs-dist')
}

/** A PDF being opened; `close` ends its worker, whatever it is doing, and may be called twice. */
interface PdfOpening {
  readonly opened: Promise<
    { readonly ok: true; readonly open: OpenPdf } | { readonly ok: false; readonly why: PdfRefusal }
  >
  close(): void
}

/**
 * Fonts of the text layer for fonts that are not in the file: as wide as those that pages are drawn with, so that selected and
 * marked letters are where they are drawn.
 */
const textFonts = [
  ['sans-serif', 'Helvetica, Arial, "Liberation Sans", sans-serif'],
  ['serif', 'Times, "Times New Roman", "Liberation Serif", serif'],
  ['monospace', 'Courier, "Courier New", "Liberation Mono", monospace'],
] as const
/** Minimum number of bytes that pdf.js requests. */
const chunkSize = 1 << 15
/** Bytes read at once, and the number of cached blocks: 12 MB. */
const blocks = { block: 1 << 21, held: 6 } as const

/** Milliseconds after which a worker that is still busy is terminated. */
const patienceMs = 2000

/**
 * Opens a stored PDF and reads only the ranges that the shown pages need. No forms, no scripts of the file. It is read
 * by its own worker, which ends with it, so that no memory of a document outlives it; the worker's own policy lets it
 * compile image decoders, which the page itself may not.
 */
export function openPdf(file: PdfFile): PdfOpening {
  let worker: Worker | null = null
  let closed = false
  let lost = false
  let destroy = (): Promise<unknown> => Promise.resolve()
  const refuse = (why: PdfRefusal) => ({ ok: false, why }) as const

  const close = (): void => {
    if (closed) return
    closed = true
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs))
    void Promise.race([destroy(), late]).finally(() => worker?.terminate())
  }
  const start = (): Worker => {
    worker = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' })
    return worker
  }

  const opened = (async () => {
    // Both programs are fetched and compiled in parallel.
    const reader = start()
    const pdfjs = await import('pdfjs-dist')
    const families = pdfjs.TextLayer.fontFamilyMap as Map<string, string>
    for (const [family, fonts] of textFonts) families.set(family, fonts)
    if (closed) return refuse('closed')
    const port = pdfjs.PDFWorker.create({ port: reader, verbosity: 0 })
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
      useWasm: true,
      // Drawing in a separate worker was slower for jumps (it receives every font and image again) and needed more memory.
      disableWorkerRendering: true,
      rangeChunkSize: chunkSize,
      disableAutoFetch: true,
      disableStream: true,
      enableXfa: false,
      verbosity: 0,
    })
    destroy = () => {
      range.abort()
      ended.resolve(refuse('closed'))
      // Its fonts are removed from the page only after the worker has confirmed its end.
      return task.destroy().catch(() => {})
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

/** A point is 1/72 of an inch, a CSS pixel 1/96. */
const pixelsOfPoint = 96 / 72

/**
 * Creates the source of an open PDF's pages. Annotations are drawn as in the file; forms are images that cannot be
 * filled in.
 */
export function pdfSource({ pdf, pdfjs }: OpenPdf): PageSource {
  const drawn = new Map<number, PDFPageProxy>()

  async function draw(drawing: Drawing, signal: AbortSignal): Promise<void> {
    const page = await pdf.getPage(drawing.page)
    signal.throwIfAborted()
    const plain = page.getViewport({ scale: 1, rotation: rotationOf(page, drawing.turn) })
    const viewport = plain.clone({ scale: drawing.width / plain.width })
    const { canvas, clip } = drawing
    canvas.width = clip?.width ?? drawing.width
    canvas.height = clip?.height ?? drawing.height
    const task = page.render({
      canvas,
      viewport,
      annotationMode: pdfjs.AnnotationMode.ENABLE,
      ...(clip && { transform: [1, 0, 0, 1, -clip.x, -clip.y] }),
    })
    const cancel = (): void => task.cancel()
    signal.addEventListener('abort', cancel)
    drawn.set(drawing.page, page)
    try {
      await task.promise
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async function text(
    number: number,
    turn: Turn,
    element: HTMLElement,
    signal: AbortSignal,
  ): Promise<void> {
    const page = await pdf.getPage(number)
    signal.throwIfAborted()
    const layer = new pdfjs.TextLayer({
      textContentSource: page.streamTextContent(),
      container: element,
      viewport: page.getViewport({ scale: pixelsOfPoint, rotation: rotationOf(page, turn) }),
    })
    const cancel = (): void => layer.cancel()
    signal.addEventListener('abort', cancel)
    try {
      await layer.render()
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Returns the text as in the text layer: its items one after the other, with line ends. */
  async function words(number: number): Promise<string> {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    if (!drawn.has(number)) page.cleanup()
    return items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
      .join('')
  }

  return {
    unit: pixelsOfPoint,
    draw,
    text,
    words,
    links: (page) => readLinks(pdf, page),
    release(page) {
      // False while the page is still being drawn: it is tried again when everything is idle.
      if (drawn.get(page)?.cleanup() === true) drawn.delete(page)
    },
    rest() {
      for (const page of drawn.values()) page.cleanup()
      drawn.clear()
      void pdf.cleanup(true).catch(() => {})
    },
  }
}

function rotationOf(page: PDFPageProxy, turn: Turn): number {
  return (page.rotate + turn) % 360
}
