import { createHash } from 'node:crypto'
import { firstPageOf } from '../../../../../shared/chats/places.ts'
import { foundIn, nothing, type Found } from '../../../../../shared/chats/sources-found.ts'
import type { RetrievalHit } from '../../../../../shared/model/retrieval.ts'
import { bareWords } from '../../../../../shared/knowledge/retrieval/identity.ts'
import type { RawReply } from '../../../../provider-client/types.ts'
import { rowsOf } from '../../../../provider-client/knowledge-replies.ts'
import {
  numberIn,
  recordFrom,
  textIn,
  type JsonRecord,
} from '../../../../provider-client/lenient.ts'

/** Hash digits: enough that two passages never collide by chance. */
const keyDigits = 32

/** Key that identifies a passage's text, however it is chunked and embedded: '' for one without words. */
export function textKeyOf(text: string): string {
  const bare = bareWords(text)
  return bare === '' ? '' : createHash('sha256').update(bare).digest('hex').slice(0, keyDigits)
}

/**
 * Returns the results of a retrieval response (service-notes 7), in their order. The API returns one `score`: the reranker's if
 * it reranked. Providers that return both name the other `rerank_score`. Pages and rectangles are read if a provider adds them.
 */
export function readHits(raw: Pick<RawReply, 'body'>, reranked: boolean): readonly RetrievalHit[] {
  const { rows } = rowsOf(JSON.parse(raw.body))
  const found = rows.map((row): Found => foundIn([row], 'retrieve')[0] ?? nothing)
  const firstPage = firstPageOf(found.flatMap(({ boxes }) => boxes.map(({ page }) => page)))
  return rows.map((row, at) => hitOf(row, found[at] ?? nothing, { at, reranked, firstPage }))
}

function hitOf(
  row: JsonRecord,
  found: Found,
  position: { readonly at: number; readonly reranked: boolean; readonly firstPage: 0 | null },
): RetrievalHit {
  const about = recordFrom(row['metadata']) ?? {}
  const text = textIn(row, 'text') ?? found.text
  const score = numberIn(row, 'score')
  const rerankScore = numberIn(row, 'rerank_score') ?? numberIn(about, 'rerank_score')
  const { boxes, sheet, line, hidden } = found
  return {
    rank: position.at + 1,
    text,
    textKey: textKeyOf(text),
    sliceId: textIn(about, '_id') ?? textIn(row, '_id') ?? '',
    score: score ?? rerankScore,
    recallScore: rerankScore !== null || !position.reranked ? score : null,
    rerankScore: rerankScore ?? (position.reranked ? score : null),
    documentId: found.documentId,
    documentName: found.title,
    knowledgeId: found.knowledgeId,
    url: found.link,
    context: textIn(about, 'contextual_text') ?? textIn(row, 'contextual_text') ?? '',
    place: { boxes, firstPage: position.firstPage, sheet, line, hidden },
  }
}
