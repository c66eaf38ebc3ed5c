import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { removal } from '../../../system/file-moves.ts'
import type { DocumentPart, SplitOrder } from '../messages.ts'
import { pageOf, readPdf, type PdfDocument } from './library.ts'
import type { OpenPdf } from './open.ts'
import { pageText } from './page-text.ts'
import { drawParts } from './parts/drawn.ts'
import { noRoom } from './parts/file.ts'
import type { SplitSource } from './parts/source.ts'
import { writePages } from './parts/write.ts'

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
