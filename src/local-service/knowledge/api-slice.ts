import type { Place } from '../../shared/slicing/types.ts'
import type { Knowledge } from './knowledge.ts'
import type { Found } from './retrieve.ts'

/** A slice as replies of retrieval tell it (service-notes 7); `position`, `line` and `sheet_name` are beyond the interface, so that citations open at their place. */
export interface ApiSlice {
  readonly text: string
  readonly score: number
  readonly metadata: {
    readonly _id: string
    readonly knowledge_id: string
    readonly doc_id: string
    readonly doc_name: string
    readonly doc_url: string
    readonly contextual_text: string
    /** Of its first page. */
    readonly position: ReportedPlace | null
    /** On every page it stands on. */
    readonly positions: readonly ReportedPlace[]
    readonly line: number | null
    readonly sheet_name: string | null
    readonly dtype: number
  }
}

/** A rectangle on a page, or the page alone where a text marks its pages. */
export type ReportedPlace = Place | Pick<Place, 'page'>

function placesOf({ places, parts }: Found): readonly ReportedPlace[] {
  if (places.length > 0) return places
  const pages = new Set(parts.flatMap(({ page }) => (page === null ? [] : [page])))
  return Array.from(pages, (page) => ({ page }))
}

/** Codes of document kinds; the interface names none. */
const dtypes: Readonly<Record<string, number>> = { pdf: 1, sheet: 2, png: 3, jpeg: 3 }

/** A found slice for a reply. */
export const apiSlice = (found: Found, { urlOf }: Pick<Knowledge, 'urlOf'>): ApiSlice => ({
  text: found.text,
  score: found.score,
  metadata: {
    _id: found.id,
    knowledge_id: found.baseId,
    doc_id: found.documentId,
    doc_name: found.documentName,
    doc_url: found.media === null ? '' : urlOf(found.media),
    contextual_text: found.context,
    position: placesOf(found)[0] ?? null,
    positions: placesOf(found),
    line: found.line,
    sheet_name: found.sheet,
    dtype: dtypes[found.kind] ?? 0,
  },
})

/** A slice among the results of one answer; `ref` is what reference marks point at. */
export interface ReferencedSlice extends ApiSlice {
  readonly ref: number
}
