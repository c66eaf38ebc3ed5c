import type { DocumentFacts } from '../../../shared/model/document.ts'
import { AppError } from '../../errors.ts'
import { imageHead, imageKind } from './image-header.ts'
import { openFile, type PdfDocument } from './library.ts'
import type { OpenPdf } from './open.ts'
import { pageText } from './page-text.ts'
import { pageSizes } from './sizes.ts'

/** Limits for inspecting a file. */
export interface FactsBounds {
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
export async function imageFacts(path: string): Promise<DocumentFacts> {
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
