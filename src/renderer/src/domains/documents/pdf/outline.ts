import type { PDFDocumentProxy } from 'pdfjs-dist'
import { targetOf } from './destinations.ts'
import type { LinkTarget } from '../pages/page-source.ts'

/** An entry of the document's own table of contents. */
export interface OutlineEntry {
  /** Path of indexes from the root, such as `0.2.1`. */
  readonly id: string
  readonly title: string
  /** From 0. */
  readonly depth: number
  readonly children: readonly OutlineEntry[]
  /** Returns its target, resolved on demand: a book may have a thousand names. */
  readonly target: () => Promise<LinkTarget | null>
}

/** An entry as returned by pdf.js. */
interface RawEntry {
  readonly title: string
  readonly dest: string | readonly unknown[] | null
  readonly url: string | null
  readonly items: readonly RawEntry[]
}

/** Maximum depth of entries; deeper ones come from a damaged file. */
const deepest = 12

/** Returns the document's table of contents; empty when it has none or it cannot be read. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<readonly OutlineEntry[]> {
  // Null when there is none, despite the declared type.
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
