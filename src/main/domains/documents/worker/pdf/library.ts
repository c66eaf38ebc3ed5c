import { createRequire } from 'node:module'
import { open, type FileHandle, readFile, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import type * as Pdfjs from 'pdfjs-dist'
import { pdfOptions } from '../../../../../shared/documents/pdf-options.ts'
import { AppError } from '../../../../errors.ts'
import { openSplitSource, type SplitSource } from './parts/source.ts'

export type PdfDocument = Pdfjs.PDFDocumentProxy

export type PdfPage = Pdfjs.PDFPageProxy

/** A PDF that is read from its file in ranges, as needed. */
interface ReadPdf {
  readonly document: PdfDocument
  readonly bytes: number
  close(): Promise<void>
}

/** Maximum milliseconds for opening: a file that has lost its object table is searched completely. */
const patienceMs = 30_000

/** Images with more pixels are left out of a drawn page: unpacked, each pixel takes four bytes. */
const maxImagePixels = 80_000_000

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

const options = {
  ...pdfOptions(folder, sep),
  disableAutoFetch: true,
  disableStream: true,
  rangeChunkSize: 256 * 1024,
  maxImageSize: maxImagePixels,
}

/**
 * Opens a PDF. Throws REFUSED with `params.password` `needed` or `wrong`, DAMAGED_FILE (also for a file without pages),
 * EMPTY_FILE, FILE_MISSING.
 */
export async function readPdf(path: string, password: string | null): Promise<ReadPdf> {
  const library = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const handle = await openFile(path)
  try {
    const { size } = await handle.stat()
    if (size === 0) throw new AppError('EMPTY_FILE', 'The file is empty')
    const range = new library.PDFDataRangeTransport(size, null)
    range.requestDataRange = (begin: number, end: number) => {
      void serveRange(handle, range, begin, end)
    }
    const loading = library.getDocument({
      ...options,
      range,
      ...(password !== null && { password }),
    })
    const document = await opened(loading, library)
    const close = async (): Promise<void> => {
      await loading.destroy()
      await handle.close()
    }
    if (document.numPages > 0) return { document, bytes: size, close }
    await loading.destroy()
    throw damagedPdf('The PDF has no pages')
  } catch (error) {
    await handle.close()
    throw error
  }
}

const damagedPdf = (message: string, cause?: unknown): AppError =>
  new AppError('DAMAGED_FILE', message, { params: { kind: 'pdf' }, cause })

/** Opens a file for reading. Throws FILE_MISSING. */
export function openFile(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: unknown) => {
    throw new AppError('FILE_MISSING', 'The file cannot be opened', { cause: error })
  })
}

async function serveRange(
  handle: FileHandle,
  range: Pdfjs.PDFDataRangeTransport,
  begin: number,
  end: number,
): Promise<void> {
  const bytes = new Uint8Array(end - begin)
  try {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, begin)
    range.onDataRange(begin, bytes.subarray(0, bytesRead))
  } catch {
    range.abort()
  }
}

async function opened(
  loading: Pdfjs.PDFDocumentLoadingTask,
  library: typeof Pdfjs,
): Promise<PdfDocument> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(damagedPdf('The PDF could not be opened in time')),
    patienceMs,
  )
  try {
    return await Promise.race([loading.promise, late.promise])
  } catch (error) {
    await loading.destroy()
    if (error instanceof AppError) throw error
    if (error instanceof library.PasswordException) {
      const wrong = error.code === library.PasswordResponses.INCORRECT_PASSWORD
      throw new AppError('REFUSED', 'The PDF is protected by a password', {
        params: { password: wrong ? 'wrong' : 'needed' },
      })
    }
    throw damagedPdf('The PDF cannot be read', error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns a page, counted from 1. Throws DAMAGED_FILE with `params.page`, BAD_REQUEST for a page that does not exist.
 */
export async function pageOf(document: PdfDocument, page: number): Promise<PdfPage> {
  if (!Number.isInteger(page) || page < 1 || page > document.numPages)
    throw new AppError('BAD_REQUEST', `Page ${page} does not exist`)
  try {
    return await document.getPage(page)
  } catch (error) {
    throw damagedPage(page, error)
  }
}

/** Creates the error for a page that cannot be read. */
export const damagedPage = (page: number, cause: unknown): AppError =>
  new AppError('DAMAGED_FILE', `Page ${page} cannot be read`, {
    params: { page, kind: 'pdf' },
    cause,
  })

/** A PDF that stays open between calls. */
export interface OpenPdf extends ReadPdf {
  readonly document: PdfDocument
  readonly password: string | null
  /**
   * Returns its objects for splitting; null when they cannot be read: then its pages are drawn. Read at the first call.
   */
  objects(): Promise<SplitSource | null>
}

/** Maximum size in bytes of a file whose objects are all loaded into memory. */
const maxBytes = 700_000_000

/** Opens a PDF; throws the errors of `readPdf`. */
export async function openPdf(path: string, password: string | null): Promise<OpenPdf> {
  const read = await readPdf(path, password)
  let source: Promise<SplitSource | null> | undefined
  return { ...read, password, objects: () => (source ??= objectsOf(path, password, read)) }
}

async function objectsOf(
  path: string,
  password: string | null,
  { document }: ReadPdf,
): Promise<SplitSource | null> {
  const { size } = await stat(path)
  if (size > maxBytes) return null
  try {
    const source = await openSplitSource(await readFile(path), password ?? '')
    // If the two readers count different numbers of pages, they do not see the same document.
    return source.pages.length === document.numPages ? source : null
  } catch {
    return null
  }
}
