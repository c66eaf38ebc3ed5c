import { PDFArray, PDFName, PDFNumber, type PDFContext, type PDFObject } from '@cantoo/pdf-lib'
import type { DocumentFacts, PageSize } from '../../../../../shared/model/document.ts'
import { AppError } from '../../../../errors.ts'
import { imageHead, imageKind } from '../../../../platform/files/image-header.ts'
import { openFile, type PdfDocument, pageOf, type OpenPdf } from './library.ts'
import { pageText } from './page-text.ts'
import type { SourcePage, SplitSource } from './parts/source.ts'

/** Limits for inspecting a file. */
interface FactsBounds {
  /** Unix milliseconds. */
  now(): number
  /** Maximum milliseconds for the text of one page, and of all pages. */
  readonly pageTextMs: number
  readonly allTextMs: number
  /** Maximum number of pages; files with more are rejected. */
  readonly maxPages: number
}

/**
 * Step widths in which pages are inspected: when time runs out, the results cover the whole document evenly.
 */
const steps = [64, 16, 4, 1]

/**
 * Returns the facts of a PNG or JPEG from its header. Throws UNSUPPORTED_FORMAT, DAMAGED_FILE, EMPTY_FILE, FILE_MISSING.
 */
export async function imageFacts(
  path: string,
): Promise<DocumentFacts & { readonly mime: 'image/png' | 'image/jpeg' }> {
  const handle = await openFile(path)
  try {
    const { size } = await handle.stat()
    if (size === 0) throw new AppError('EMPTY_FILE', 'The file is empty')
    const head = Buffer.alloc(16)
    await handle.read(head, 0, 16, 0)
    const kind = imageKind(head)
    if (kind !== 'png' && kind !== 'jpeg')
      throw new AppError('UNSUPPORTED_FORMAT', 'The file is not a PDF, PNG, or JPEG')
    const found = await imageHead(handle, kind)
    if (!found) throw new AppError('DAMAGED_FILE', 'The image header cannot be read')
    const { width, height } = found
    return {
      mime: kind === 'png' ? 'image/png' : 'image/jpeg',
      bytes: size,
      pages: 1,
      sizes: [{ width, height }],
      locked: 'no',
      textChars: [0],
    }
  } finally {
    await handle.close()
  }
}

/** Facts of a PDF that does not open without its password. */
export const lockedFacts = (bytes: number): DocumentFacts => ({
  mime: 'application/pdf',
  bytes,
  pages: 0,
  sizes: [],
  locked: 'user',
  textChars: [],
})

/**
 * Returns the facts of an open PDF; `unlocked` when it needed a password. Throws DAMAGED_FILE, LIMIT_EXCEEDED.
 */
export async function pdfFacts(
  pdf: OpenPdf,
  unlocked: boolean,
  bounds: FactsBounds,
): Promise<DocumentFacts> {
  const { document, bytes } = pdf
  const pages = document.numPages
  if (pages > bounds.maxPages)
    throw new AppError('LIMIT_EXCEEDED', 'The PDF has too many pages', {
      params: { what: 'pages', limit: bounds.maxPages, value: pages },
    })
  return {
    mime: 'application/pdf',
    bytes,
    pages,
    sizes: await pageSizes(pdf),
    locked: await lockOf(document, unlocked),
    textChars: await textCharsOf(document, bounds),
  }
}

async function lockOf(document: PdfDocument, unlocked: boolean): Promise<'no' | 'owner' | 'user'> {
  const { info } = await document.getMetadata()
  const filter = (info as { readonly EncryptFilterName?: unknown }).EncryptFilterName
  if (typeof filter !== 'string') return 'no'
  return unlocked ? 'user' : 'owner'
}

async function textCharsOf(document: PdfDocument, bounds: FactsBounds): Promise<number[]> {
  const chars = Array.from({ length: document.numPages }, () => -1)
  const end = bounds.now() + bounds.allTextMs
  for (const step of steps) {
    for (let i = 0; i < chars.length; i += step) {
      if (chars[i] !== -1) continue
      const now = bounds.now()
      if (now >= end) return chars
      chars[i] = await charsOf(document, i + 1, bounds, Math.min(end, now + bounds.pageTextMs))
    }
  }
  return chars
}

/** Counts the characters of a page without spaces; -1 when they were not counted. */
async function charsOf(
  document: PdfDocument,
  number: number,
  { now }: FactsBounds,
  deadline: number,
): Promise<number> {
  try {
    const page = await document.getPage(number)
    const text = await pageText(page, now, deadline)
    page.cleanup()
    return text === null ? -1 : text.replace(/\s/g, '').length
  } catch {
    return -1
  }
}

/** Page count up to which each page is requested by number: finding one takes longer the more there are. */
const fewPages = 500

/** Returns the sizes of all pages as displayed. Throws DAMAGED_FILE with `params.page`. */
async function pageSizes(pdf: OpenPdf): Promise<readonly PageSize[]> {
  const { document } = pdf
  if (document.numPages > fewPages) {
    const source = await pdf.objects()
    const sizes = source ? source.pages.map((page) => sizeOf(source, page)) : []
    if (await agrees(document, sizes)) return sizes
  }
  const sizes: PageSize[] = []
  for (let number = 1; number <= document.numPages; number++)
    sizes.push(await sizeAt(document, number))
  return sizes
}

async function sizeAt(document: PdfDocument, number: number): Promise<PageSize> {
  const { width, height } = (await pageOf(document, number)).getViewport({ scale: 1 })
  return sane({ width, height })
}

/** Maximum side length in points, thousands of times what the format allows. */
const maxSideLength = 1e9

/** A unit or a box may contain any number; a page without a valid size gets that of a sheet of paper. */
function sane(size: PageSize): PageSize {
  const { width, height } = size
  const isReal = width > 0 && height > 0 && Math.max(width, height) <= maxSideLength
  return isReal ? size : { width: letter[2], height: letter[3] }
}

/** Whether the reader that draws the pages returns the same size for the first and the last page. */
async function agrees(document: PdfDocument, sizes: readonly PageSize[]): Promise<boolean> {
  for (const number of [1, document.numPages]) {
    const { width, height } = await sizeAt(document, number)
    const size = sizes[number - 1]
    if (!size || Math.abs(size.width - width) > 0.01 || Math.abs(size.height - height) > 0.01)
      return false
  }
  return true
}

/** Left, bottom, right, top, in points. */
type Rectangle = readonly [left: number, bottom: number, right: number, top: number]

const letter: Rectangle = [0, 0, 612, 792]

function sizeOf({ context }: Pick<SplitSource, 'context'>, page: SourcePage): PageSize {
  const { box, rotate } = visiblePart(context, page)
  const [left, bottom, right, top] = box
  const unit = numberOf(context, page.dict.get(PDFName.of('UserUnit')))
  const scale = unit > 0 ? unit : 1
  const width = (right - left) * scale
  const height = (top - bottom) * scale
  const lying = rotate % 180 === 90
  return sane(lying ? { width: height, height: width } : { width, height })
}

/** Part of the paper that is displayed, and its clockwise rotation in degrees. */
export interface VisiblePart {
  readonly box: Rectangle
  readonly rotate: 0 | 90 | 180 | 270
}

/** Returns which part of a page readers display, and how. */
export function visiblePart(context: PDFContext, { inherited }: SourcePage): VisiblePart {
  const above = (name: string): PDFObject | undefined => inherited.get(PDFName.of(name))
  const media = rectangleOf(context, above('MediaBox')) ?? letter
  const degrees = ((numberOf(context, above('Rotate')) % 360) + 360) % 360
  return {
    box: shared(media, rectangleOf(context, above('CropBox'))),
    rotate: degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0,
  }
}

function rectangleOf(context: PDFContext, value: PDFObject | undefined): Rectangle | null {
  const array = context.lookup(value)
  if (!(array instanceof PDFArray) || array.size() !== 4) return null
  const [a = 0, b = 0, c = 0, d = 0] = array.asArray().map((each) => numberOf(context, each))
  const box: Rectangle = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
  return hasArea(box) ? box : null
}

const hasArea = ([left, bottom, right, top]: Rectangle): boolean => right > left && top > bottom

/** Returns the visible part of the paper; all of it when the crop box is outside. */
function shared(media: Rectangle, crop: Rectangle | null): Rectangle {
  if (!crop) return media
  const box: Rectangle = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ]
  return hasArea(box) ? box : media
}

function numberOf(context: PDFContext, value: PDFObject | undefined): number {
  const number = context.lookup(value)
  return number instanceof PDFNumber ? number.asNumber() : 0
}
