import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removal } from '../../../../../system/file-moves.ts'
import { AppError } from '../../../../errors.ts'
import type { DocumentPart, SplitOrder, Drawn } from '../messages.ts'
import { fittingScale, onDrawnPage } from './canvas.ts'
import { pageOf, readPdf, type PdfDocument, type OpenPdf } from './library.ts'
import { maxDrawnPixels } from './page-image.ts'
import { pageText } from './page-text.ts'
import { noRoom, beginPdf, type PdfFile } from './parts/file.ts'
import type { SplitSource } from './parts/source.ts'
import { writePages } from './parts/write-part.ts'

/** Maximum milliseconds for comparing the text of one page; a page that takes longer is not compared. */
const compareMs = 2000

/**
 * Writes pages of a PDF into files, in order: halved while they exceed the limit, each opened again and compared. Pages
 * that cannot be extracted, or are too large alone, are drawn. Leaves nothing behind on failure: BAD_REQUEST for pages
 * that do not exist, DAMAGED_FILE with `params.page`, FILE_TOO_LARGE, DISK_FULL.
 */
export async function splitPdf(pdf: OpenPdf, order: SplitOrder): Promise<DocumentPart[]> {
  const { first, last } = order
  if (first > last) throw new AppError('BAD_REQUEST', `The page range ${first}–${last} is invalid`)
  await pageOf(pdf.document, first)
  await pageOf(pdf.document, last)
  const source = order.raster ? null : await pdf.objects()
  const parts: DocumentPart[] = []
  try {
    await addParts({ pdf, source, order }, first, last, parts)
    return parts
  } catch (error) {
    await Promise.all(parts.map(({ path }) => rm(path, removal)))
    throw noRoom(error)
      ? new AppError('DISK_FULL', 'There is not enough disk space for the parts', { cause: error })
      : error
  }
}

interface Split {
  readonly pdf: OpenPdf
  readonly source: SplitSource | null
  readonly order: SplitOrder
}

const nameOf = (order: SplitOrder, first: number, last: number): string =>
  join(order.folder, `${order.name}-${first}-${last}.pdf`)

async function addParts(
  split: Split,
  first: number,
  last: number,
  parts: DocumentPart[],
): Promise<void> {
  const taken = split.source && (await extractPages(split, split.source, first, last))
  if (taken) {
    parts.push(taken)
    return
  }
  if (!split.source || first === last) {
    const { order, pdf } = split
    const { maxBytes } = order
    const drawn = { first, last, maxBytes, nameOf: (a: number, b: number) => nameOf(order, a, b) }
    parts.push(...(await drawParts(pdf.document, drawn)))
    return
  }
  const middle = Math.floor((first + last) / 2)
  await addParts(split, first, middle, parts)
  await addParts(split, middle + 1, last, parts)
}

/** Writes the pages to a file; returns null when it would be too large, or does not match the original. */
async function extractPages(
  { pdf, order }: Split,
  source: SplitSource,
  first: number,
  last: number,
): Promise<DocumentPart | null> {
  const path = nameOf(order, first, last)
  try {
    const bytes = writePages(source, source.pages.slice(first - 1, last), path, order.maxBytes)
    if (await isSame(pdf.document, path, first, last))
      return { first, last, path, bytes, mime: 'application/pdf', drawn: null }
  } catch (error) {
    if (isSystems(error)) throw error
  }
  await rm(path, removal)
  return null
}

/** Whether a part has its pages, and its first and last page their text. */
async function isSame(
  document: PdfDocument,
  path: string,
  first: number,
  last: number,
): Promise<boolean> {
  const part = await readPdf(path, null)
  try {
    if (part.document.numPages !== last - first + 1) return false
    for (const number of new Set([first, last])) {
      const before = await textOf(document, number)
      const after = await textOf(part.document, number - first + 1)
      if (before !== null && after !== null && before !== after) return false
    }
    return true
  } finally {
    await part.close()
  }
}

async function textOf(document: PdfDocument, number: number): Promise<string | null> {
  const page = await pageOf(document, number)
  const text = await pageText(page, Date.now, Date.now() + compareMs)
  page.cleanup()
  return text
}

/** Whether an error is from the file system, not the document. */
const isSystems = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string'

/** Pages to draw, and their target files. */
interface DrawnOrder {
  readonly first: number
  readonly last: number
  readonly maxBytes: number
  /** Returns the name of the file that begins and ends with these pages. */
  nameOf(first: number, last: number): string
}

/** Rendering options of a page, best first. */
const ways: readonly Drawn[] = [
  { dpi: 200, quality: 85 },
  { dpi: 200, quality: 65 },
  { dpi: 150, quality: 60 },
  { dpi: 100, quality: 50 },
]

/** Bytes of a file in addition to its images: its header and trailer, and the overhead of each page. */
const around = 512
const aroundPage = 1024

interface DrawnPage extends Drawn {
  readonly number: number
  /** In points. */
  readonly width: number
  readonly height: number
  readonly pixelWidth: number
  readonly pixelHeight: number
  readonly jpeg: Uint8Array
}

/**
 * Writes pages as displayed into PDFs with one image per page, as many to a file as fit. Throws DAMAGED_FILE with
 * `params.page`.
 */
async function drawParts(document: PdfDocument, order: DrawnOrder): Promise<DocumentPart[]> {
  const parts: DocumentPart[] = []
  let pages: DrawnPage[] = []
  let bytes = around
  const flush = (): void => {
    if (pages.length > 0) parts.push(writeDrawn(pages, order))
    pages = []
    bytes = around
  }
  try {
    for (let number = order.first; number <= order.last; number++) {
      const page = await drawnWithin(document, number, order.maxBytes - around - aroundPage)
      const size = page.jpeg.length + aroundPage
      if (bytes + size > order.maxBytes) flush()
      pages.push(page)
      bytes += size
    }
    flush()
    return parts
  } catch (error) {
    await Promise.all(parts.map(({ path }) => rm(path, removal)))
    throw error
  }
}

async function drawnWithin(
  document: PdfDocument,
  number: number,
  maxBytes: number,
): Promise<DrawnPage> {
  const page = await pageOf(document, number)
  const { width, height } = page.getViewport({ scale: 1 })
  for (const { dpi, quality } of ways) {
    const scale = fittingScale({ width, height }, dpi / 72, maxDrawnPixels)
    const drawn = await onDrawnPage(page, scale, null, async (canvas) => ({
      number,
      width,
      height,
      pixelWidth: canvas.width,
      pixelHeight: canvas.height,
      dpi: Math.round(scale * 72),
      quality,
      jpeg: await canvas.encode('jpeg', quality),
    }))
    if (drawn.jpeg.length <= maxBytes) return drawn
  }
  throw new AppError('FILE_TOO_LARGE', `Page ${number} is too large even as an image`, {
    params: { page: number, limit: maxBytes },
  })
}

function writeDrawn(pages: readonly DrawnPage[], order: DrawnOrder): DocumentPart {
  const first = pages[0]?.number ?? order.first
  const last = pages.at(-1)?.number ?? order.last
  const path = order.nameOf(first, last)
  const file = beginPdf(path, order.maxBytes)
  try {
    const kids = pages.map((page, i) => writePage(file, page, 3 + 3 * i))
    object(file, 1, '<</Type/Catalog/Pages 2 0 R>>')
    object(file, 2, `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`)
    file.finish(1)
  } catch (error) {
    file.abandon()
    throw error
  }
  const dpi = Math.min(...pages.map((page) => page.dpi))
  const quality = Math.min(...pages.map((page) => page.quality))
  const { bytes } = file
  return { first, last, path, bytes, mime: 'application/pdf', drawn: { dpi, quality } }
}

function writePage(file: PdfFile, page: DrawnPage, number: number): string {
  const { width, height, pixelWidth, pixelHeight, jpeg } = page
  const box = `/MediaBox[0 0 ${width.toFixed(3)} ${height.toFixed(3)}]`
  const resources = `/Resources<</XObject<</P ${number + 2} 0 R>>>>`
  object(file, number, `<</Type/Page/Parent 2 0 R${box}/Contents ${number + 1} 0 R${resources}>>`)
  const content = `${width.toFixed(3)} 0 0 ${height.toFixed(3)} 0 0 cm /P Do`
  object(file, number + 1, `<</Length ${content.length}>>\nstream\n${content}\nendstream`)
  file.begin(number + 2)
  file.text(
    `<</Type/XObject/Subtype/Image/Width ${pixelWidth}/Height ${pixelHeight}/ColorSpace/DeviceRGB` +
      `/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>\nstream\n`,
  )
  file.raw(jpeg)
  file.text('\nendstream')
  file.end()
  return `${number} 0 R`
}

function object(file: PdfFile, number: number, text: string): void {
  file.begin(number)
  file.text(text)
  file.end()
}
