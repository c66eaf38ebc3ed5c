import { open, stat, writeFile } from 'node:fs/promises'
import type { Canvas, Image } from '@napi-rs/canvas'
import { failedBy } from '../../../platform/workers/failed.ts'
import { AppError } from '../../../errors.ts'
import type {
  ConvertedImage,
  DocumentAnswer,
  DocumentFile,
  DocumentPart,
  DocumentRequest,
  TextRequest,
} from './messages.ts'
import { annotatePdf } from './pdf/annotate.ts'
import { onCanvas } from './pdf/canvas.ts'
import { kindOfImage, decodedImage } from './pdf/decoded-images.ts'
import { lockedFacts, pdfFacts, imageFacts } from './pdf/facts.ts'
import { openPdf, type OpenPdf } from './pdf/library.ts'
import { pageCrop, pageImage, imageCrop, imageScaled } from './pdf/page-image.ts'
import { noRoom } from './pdf/parts/file.ts'
import { splitPdf } from './pdf/split.ts'
import { convertTiff } from './pdf/tiff/convert.ts'
import { compareBlocks } from './reading/compare.ts'
import { returnedDiffers } from './reading/merge.ts'
import { readReplyText } from './reading/reply.ts'
import { readTextPages, textFacts } from './text-pages.ts'

interface DocumentProgramDeps {
  /** Unix milliseconds. */
  now(): number
  /** Milliseconds after which an unused document is closed. */
  readonly openMs: number
}

/** Maximum number of open documents; the least recently used one is closed. */
const maxOpen = 3

const bounds = { pageTextMs: 1500, allTextMs: 8000, maxPages: 20_000 }

type ConvertRequest = Extract<DocumentRequest, { readonly type: 'convert' }>

interface Held {
  readonly pdf: OpenPdf
  /** Stamp of the file when it was opened: another file with the same name is another document. */
  readonly stamp: string
  timer: NodeJS.Timeout
}

/** Answers the requests of `work.ts` one at a time. */
export function createDocumentProgram(deps: DocumentProgramDeps): {
  answer(request: DocumentRequest): Promise<DocumentAnswer>
  close(): Promise<void>
} {
  /** The most recently used one is last. */
  const held = new Map<string, Held>()
  let turn: Promise<unknown> = Promise.resolve()

  async function drop(path: string): Promise<void> {
    const known = held.get(path)
    held.delete(path)
    if (!known) return
    clearTimeout(known.timer)
    await known.pdf.close()
  }

  async function pdfOf({ path, password }: DocumentFile): Promise<OpenPdf> {
    const stamp = await stampOf(path)
    const known = held.get(path)
    if (known && known.stamp === stamp && known.pdf.password === password) {
      held.delete(path)
      known.timer.refresh()
      held.set(path, known)
      return known.pdf
    }
    await drop(path)
    const pdf = await openPdf(path, password)
    const timer = setTimeout(() => void inTurn(() => drop(path)), deps.openMs).unref()
    held.set(path, { pdf, stamp, timer })
    const [oldest] = held.keys()
    if (held.size > maxOpen && oldest !== undefined) await drop(oldest)
    return pdf
  }

  async function factsOf(file: DocumentFile): Promise<DocumentAnswer> {
    if (!(await isPdf(file.path))) return { type: 'facts', facts: await imageFacts(file.path) }
    try {
      const pdf = await pdfOf({ ...file, password: null }).catch((error: unknown) => {
        if (!isLocked(error) || file.password === null) throw error
        return null
      })
      const facts = pdf
        ? await pdfFacts(pdf, false, { ...bounds, now: deps.now })
        : await pdfFacts(await pdfOf(file), true, { ...bounds, now: deps.now })
      return { type: 'facts', facts }
    } catch (error) {
      if (!isLocked(error) || file.password !== null) throw error
      const { size } = await stat(file.path)
      return { type: 'facts', facts: lockedFacts(size) }
    }
  }

  async function perform(request: DocumentRequest): Promise<DocumentAnswer> {
    switch (request.type) {
      case 'facts':
        return factsOf(request)
      case 'text-facts':
        return { type: 'facts', facts: await textFacts(request) }
      case 'text-pages':
        return { type: 'text-pages', read: await readTextPages(request) }
      case 'split': {
        if (!(await isPdf(request.path)))
          return { type: 'parts', parts: [await asItIs(request.path)] }
        return { type: 'parts', parts: await splitPdf(await pdfOf(request), request) }
      }
      case 'convert':
        return {
          type: 'converted',
          image: await converted(request),
        }
      case 'picture': {
        const { path, page, width } = request
        const bytes = (await isPdf(path))
          ? await pageImage((await pdfOf(request)).document, page, width)
          : await imageScaled(path, width)
        return { type: 'image', bytes }
      }
      case 'crop': {
        const { path, page, box, dpi } = request
        const bytes = (await isPdf(path))
          ? await pageCrop((await pdfOf(request)).document, page, box, dpi)
          : await imageCrop(path, box)
        return { type: 'image', bytes }
      }
      case 'annotate':
        return { type: 'annotated', bytes: await annotatePdf(request) }
      case 'differs':
      case 'compare':
      case 'reply':
        return answerText(request)
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  return {
    answer: (request) => inTurn(() => perform(request).catch(failedBy)),
    close: () =>
      inTurn(async () => {
        for (const path of Array.from(held.keys())) await drop(path)
      }),
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'REFUSED' && error.params?.['password'] !== undefined

/** Bytes at the start of a file within which readers search for the PDF marker. */
const markWithin = 1024

async function isPdf(path: string): Promise<boolean> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new AppError('FILE_MISSING', 'The file cannot be opened', { cause: error })
  })
  try {
    const head = Buffer.alloc(markWithin)
    const { bytesRead } = await handle.read(head, 0, markWithin, 0)
    if (bytesRead === 0) throw new AppError('EMPTY_FILE', 'The file is empty')
    // The type of a saved file is that of its first four bytes: without the fifth, it is a damaged PDF.
    return head.includes('%PDF-') || head.toString('latin1', 0, 4) === '%PDF'
  } finally {
    await handle.close()
  }
}

async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path)
  return `${size} ${mtimeMs} ${ino}`
}

async function converted({ path, to, maxBytes }: ConvertRequest): Promise<ConvertedImage> {
  const convert = (await kindOfImage(path)) === 'tiff' ? convertTiff : convertImage
  return convert(path, to, maxBytes)
}

/** An image has one page and is sent unchanged. */
async function asItIs(path: string): Promise<DocumentPart> {
  const { bytes, mime } = await imageFacts(path)
  return { first: 1, last: 1, path, bytes, mime, drawn: null }
}

/** Answers requests for texts: the worker's side of `createDocumentTexts`. */
function answerText(request: TextRequest): DocumentAnswer {
  switch (request.type) {
    case 'differs':
      return { type: 'differs', differs: returnedDiffers({ ...request, surplus: [] }) }
    case 'compare':
      return { type: 'changes', changes: compareBlocks(request.left, request.right) }
    case 'reply':
      return { type: 'reading', reply: readReplyText(request) }
  }
}

/** One attempt to write an image: each is smaller than the one before, until one fits. */
interface Attempt {
  readonly scale: number
  /** Null writes a PNG. */
  readonly quality: number | null
}

/** Photographs become a JPEG immediately; a scale of 0.7 halves the pixels. */
const attempts: readonly Attempt[] = [
  { scale: 1, quality: null },
  { scale: 1, quality: 92 },
  { scale: 1, quality: 80 },
  { scale: 0.7, quality: 85 },
  { scale: 0.5, quality: 85 },
  { scale: 0.35, quality: 80 },
  { scale: 0.2, quality: 80 },
  { scale: 0.1, quality: 75 },
]

/** Lossy formats: as a PNG they would be large and no better. */
const photographs = new Set(['jpeg', 'heic'])

/** Pixels above which no PNG is tried: it would take seconds and become too large. */
const maxPngPixels = 16_000_000

/**
 * Writes an image in a format that the provider accepts: an upright PNG or JPEG on white, as large as fits into
 * `maxBytes`. Throws UNSUPPORTED_FORMAT, DAMAGED_FILE, EMPTY_FILE, LIMIT_EXCEEDED, FILE_MISSING.
 */
async function convertImage(path: string, to: string, maxBytes: number): Promise<ConvertedImage> {
  const { image, kind: from } = await decodedImage(path)
  const lossless = !photographs.has(from) && image.width * image.height <= maxPngPixels
  for (const attempt of attempts.slice(lossless ? 0 : 1)) {
    const { width, height, bytes } = await written(image, attempt)
    if (bytes.length > maxBytes) continue
    await writeFile(to, bytes).catch((error: unknown) => {
      throw noRoom(error)
        ? new AppError('DISK_FULL', 'There is not enough disk space for the image', {
            cause: error,
          })
        : error
    })
    const mime = attempt.quality === null ? 'image/png' : 'image/jpeg'
    return { path: to, bytes: bytes.length, mime, width, height, from, ...attempt }
  }
  throw new AppError('FILE_TOO_LARGE', 'The image cannot be reduced to the size limit', {
    params: { limit: maxBytes },
  })
}

function written(
  image: Image | Canvas,
  { scale, quality }: Attempt,
): Promise<{ readonly width: number; readonly height: number; readonly bytes: Uint8Array }> {
  const size = { width: image.width * scale, height: image.height * scale }
  return onCanvas(size, async (canvas) => {
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
    const bytes = await (quality === null ? canvas.encode('png') : canvas.encode('jpeg', quality))
    return { width: canvas.width, height: canvas.height, bytes }
  })
}
