import type { KnowledgeAmount } from '../../shared/model/knowledge.ts'
import type { WireNames } from '../../shared/provider/profiles.ts'
import type { PageRequest } from './knowledge-limits.ts'
import {
  requireMaxRows,
  countIn,
  flagIn,
  malformed,
  nameIn,
  numberIn,
  recordFrom,
  recordsFrom,
  textIn,
  type JsonRecord,
} from './lenient.ts'

/** Returns the `data` of an envelope; null when there is none. */
export const dataOf = (json: unknown): unknown => recordFrom(json)?.['data'] ?? null

/** Maximum number of rows in a page: a provider without paging sends everything at once. */
const maxRows = 10_000
/** Maximum number of slices in a retrieval; each is hashed and stored. */
const maxSlices = 1000

/**
 * Returns the rows of a page and the total: `data` is `{list, total}`, or the list itself. Throws MALFORMED_REPLY without
 * either, or with too many rows.
 */
export function rowsOf(json: unknown): {
  readonly rows: readonly JsonRecord[]
  readonly total: number
} {
  const data = dataOf(json)
  const box = recordFrom(data)
  // An empty page may have `null` instead of its list; a reply without `data` is not a page.
  if (data === null) throw malformed('no-list')
  const boxed = box !== null && ('list' in box || 'total' in box)
  const rows = requireMaxRows(recordsFrom(boxed ? box['list'] : data), maxRows)
  return { rows, total: (boxed ? countIn(box, 'total') : null) ?? rows.length }
}

/** Returns the query of a list page, under the names of the profile (service-notes 7). */
export function pageOf(
  { page, size }: PageRequest,
  wire: Pick<WireNames, 'page' | 'pageSize'>,
): Record<string, string> {
  return {
    ...(page !== undefined && { [wire.page]: String(page) }),
    ...(size !== undefined && { [wire.pageSize]: String(size) }),
  }
}

/** Reads the ID of a new knowledge base (service-notes 7). */
export function readCreated(json: unknown): { readonly id: string } {
  const data = dataOf(json)
  const box = recordFrom(data)
  const id = box ? textIn(box, 'id') : textIn({ data }, 'data')
  if (id === null) throw malformed('no-id')
  return { id }
}

/** Returns the single row in the `data` of an envelope. Throws MALFORMED_REPLY without it. */
export function rowOf(json: unknown): JsonRecord {
  const row = recordsFrom(dataOf(json))[0]
  if (!row) throw malformed('no-data')
  return row
}

/** Reads one knowledge base (service-notes 7); `asked` is used when the response has no ID. */
export const readBase = (json: unknown, requestedId: string): KnowledgeBase =>
  baseOf(rowOf(json), requestedId)

/** Reads a page of knowledge bases (service-notes 7). */
export function readPage(json: unknown): {
  readonly bases: readonly KnowledgeBase[]
  readonly total: number
} {
  const { rows, total } = rowsOf(json)
  return { bases: rows.map((row) => baseOf(row, '')), total }
}

/** Reads the used and the total capacity (service-notes 7). */
export function readCapacity(json: unknown): {
  readonly used: KnowledgeAmount
  readonly total: KnowledgeAmount
} {
  const data = recordFrom(dataOf(json))
  const used = recordFrom(data?.['used'])
  const total = recordFrom(data?.['total'])
  if (!used || !total) throw malformed('no-capacity')
  return { used: amountOf(used), total: amountOf(total) }
}

/** Reads the slices of a retrieval in the order received (service-notes 7). */
export function readSlices(json: unknown): readonly RetrievedSlice[] {
  return requireMaxRows(rowsOf(json).rows, maxSlices).map((row) => {
    // The multimodal variant has no object around the IDs.
    const about = recordFrom(row['metadata']) ?? {}
    const field = (name: string): string | null => textIn(about, name) ?? textIn(row, name)
    return {
      text: textIn(row, 'text') ?? '',
      score: numberIn(row, 'score'),
      sliceId: field('_id'),
      knowledgeId: field('knowledge_id'),
      documentId: field('doc_id'),
      documentName: field('doc_name'),
      documentUrl: field('doc_url'),
      contextualText: field('contextual_text'),
    }
  })
}

const amountOf = (box: JsonRecord): KnowledgeAmount => ({
  words: countIn(box, 'word_num') ?? 0,
  bytes: countIn(box, 'length') ?? 0,
})

function baseOf(row: JsonRecord, requestedId: string): KnowledgeBase {
  return {
    id: textIn(row, 'id') ?? requestedId,
    embeddingId: countIn(row, 'embedding_id'),
    name: nameIn(row, 'name') ?? '',
    description: textIn(row, 'description') ?? '',
    contextual: flagIn(row, 'contextual'),
    background: textIn(row, 'background') ?? 'blue',
    icon: textIn(row, 'icon') ?? 'question',
    documentSize: countIn(row, 'document_size'),
    length: countIn(row, 'length'),
    wordNum: countIn(row, 'word_num'),
  }
}

/** A knowledge base (service-notes 7); null for values the response does not report. */
interface KnowledgeBase {
  readonly id: string
  readonly embeddingId: number | null
  readonly name: string
  readonly description: string
  readonly contextual: boolean
  readonly background: string
  readonly icon: string
  readonly documentSize: number | null
  /** After tokenizing (service-notes 7). */
  readonly length: number | null
  readonly wordNum: number | null
}

interface RetrievedSlice {
  readonly text: string
  readonly score: number | null
  readonly sliceId: string | null
  readonly knowledgeId: string | null
  readonly documentId: string | null
  readonly documentName: string | null
  readonly documentUrl: string | null
  readonly contextualText: string | null
}
