import type { PDFDocumentProxy } from 'pdfjs-dist'
import { targetOf } from './destinations.ts'
import type { LinkTarget } from '../pages/page-source.ts'

/** A heading of the document's own table of contents. */
export interface OutlineEntry {
  /** Path of places from the root, such as `0.2.1`. */
  readonly id: string
  readonly title: string
  /** From 0. */
  readonly depth: number
  readonly children: readonly OutlineEntry[]
  /** Where it leads, looked up when it is asked for: a book's thousand names are not all wanted. */
  readonly target: () => Promise<LinkTarget | null>
}

/** One entry as pdf.js gives it. */
interface RawEntry {
  readonly title: string
  readonly dest: string | readonly unknown[] | null
  readonly url: string | null
  readonly items: readonly RawEntry[]
}

/** Deeper entries than a person reads are the work of a broken file. */
const deepest = 12

/** The document's table of contents; empty when it has none or it cannot be read. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<readonly OutlineEntry[]> {
  // Null where there is none, whatever the declared type says.
  const raw = (await pdf.getOutline().catch(() => null)) as readonly RawEntry[] | null
  return entries(pdf, raw ?? [], '', 0)
}

function entries(
  pdf: PDFDocumentProxy,
  raw: readonly RawEntry[],
  parent: string,
  depth: number,
): readonly OutlineEntry[] {
  if (depth > deepest) return []
  return raw.map((entry, place) => {
    const id = parent === '' ? String(place) : `${parent}.${place}`
    return {
      id,
      title: entry.title.trim(),
      depth,
      children: entries(pdf, entry.items, id, depth + 1),
      target: () => targetOf(pdf, entry),
    }
  })
}
