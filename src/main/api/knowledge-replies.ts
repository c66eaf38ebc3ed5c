import type { WireNames } from '../../shared/service/profiles.ts'
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
} from './lenient.ts'
import type { JsonRecord } from './lenient.ts'
import type { Amount, KnowledgeBase, RetrievedSlice } from './knowledge.ts'

/** What lies in the `data` of an envelope; null when there is none. */
export const dataOf = (json: unknown): unknown => recordFrom(json)?.['data'] ?? null

/** Most rows of a page: a service that knows no pages sends everything at once. */
const maxRows = 10_000
/** Most passages of a retrieval; each is hashed and kept. */
const maxSlices = 1000

/** The rows of a page and how many there are in all: `data` is `{list, total}`, or the list itself. MALFORMED_REPLY without either, or with too many. */
export function rowsOf(json: unknown): {
  readonly rows: readonly JsonRecord[]
  readonly total: number
} {
  const data = dataOf(json)
  const box = recordFrom(data)
  // An empty page may come as `null` in the place of its list; a reply without `data` is no page.
  if (data === null) throw malformed('no-list')
  const boxed = box !== null && ('list' in box || 'total' in box)
  const rows = requireMaxRows(recordsFrom(boxed ? box['list'] : data), maxRows)
  return { rows, total: (boxed ? countIn(box, 'total') : null) ?? rows.length }
}

/** Query of a page of a list, under the names of the profile (service-notes 7). */
export function pageOf(
  request: { readonly page?: number; readonly size?: number },
  wire: Pick<WireNames, 'page' | 'pageSize'>,
): Record<string, string> {
  const { page, size } = request
  return {
    ...(page !== undefined && { [wire.page]: String(page) }),
    ...(size !== undefined && { [wire.pageSize]: String(size) }),
  }
}

/** The id of a new base (service-notes 7). */
export function readCreated(json: unknown): { readonly id: string } {
  const data = dataOf(json)
  const box = recordFrom(data)
  const id = box ? textIn(box, 'id') : textIn({ data }, 'data')
  if (id === null) throw malformed('no-id')
  return { id }
}

/** The one row in the `data` of an envelope. MALFORMED_REPLY without it. */
export function rowOf(json: unknown): JsonRecord {
  const row = recordsFrom(dataOf(json))[0]
  if (!row) throw malformed('no-data')
  return row
}

/** One base (service-notes 7); `asked` is its id where the reply leaves it out. */
export const readBase = (json: unknown, requestedId: string): KnowledgeBase => baseOf(rowOf(json), requestedId)

/** A page of bases (service-notes 7). */
export function readPage(json: unknown): {
  readonly bases: readonly KnowledgeBase[]
  readonly total: number
} {
  const { rows, total } = rowsOf(json)
  return { bases: rows.map((row) => baseOf(row, '')), total }
}

/** What is used and what there is (service-notes 7). */
export function readCapacity(json: unknown): { readonly used: Amount; readonly total: Amount } {
  const data = recordFrom(dataOf(json))
  const used = recordFrom(data?.['used'])
  const total = recordFrom(data?.['total'])
  if (!used || !total) throw malformed('no-capacity')
  return { used: amountOf(used), total: amountOf(total) }
}

/** The passages of a retrieval, in the order they came (service-notes 7). */
export function readSlices(json: unknown): readonly RetrievedSlice[] {
  return requireMaxRows(rowsOf(json).rows, maxSlices).map((row) => {
    // The multimodal variant has no box around the ids.
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

const amountOf = (box: JsonRecord): Amount => ({
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
