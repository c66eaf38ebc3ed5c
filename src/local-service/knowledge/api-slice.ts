import type { Place } from '../../shared/knowledge/slicing/types.ts'
import type { Knowledge } from './knowledge.ts'
import type { Found } from './retrieve.ts'

/**
 * Slice in retrieval responses (service-notes 7); `position`, `line` and `sheet_name` extend the API, so that citations
 * open at the right position.
 */
interface ApiSlice {
  readonly text: string
  readonly score: number
  readonly metadata: {
    readonly _id: string
    readonly knowledge_id: string
    readonly doc_id: string
    readonly doc_name: string
    readonly doc_url: string
    readonly contextual_text: string
    /** Position on its first page. */
    readonly position: ReportedPlace | null
    /** Positions on all of its pages. */
    readonly positions: readonly ReportedPlace[]
    readonly line: number | null
    readonly sheet_name: string | null
    readonly dtype: number
  }
}

/** Rectangle on a page, or only the page if a text has page marks. */
type ReportedPlace = Place | Pick<Place, 'page'>

function placesOf({ places, parts }: Found): readonly ReportedPlace[] {
  if (places.length > 0) return places
  const pages = new Set(parts.flatMap(({ page }) => (page === null ? [] : [page])))
  return Array.from(pages, (page) => ({ page }))
}

/** Codes of document types; the API specifies none. */
const dtypes: Readonly<Record<string, number>> = { pdf: 1, sheet: 2, png: 3, jpeg: 3 }

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

/** Slice among the results of one answer; `ref` is the target of citations. */
export interface ReferencedSlice extends ApiSlice {
  readonly ref: number
}
