import { readFile, stat } from 'node:fs/promises'
import { readPdf, type PdfDocument, type ReadPdf } from './library.ts'
import { openSplitSource, type SplitSource } from './parts/source.ts'

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
