import { wireModel } from '../../shared/provider/profiles.ts'
import { charactersOf, isLonger } from '../../shared/text/characters.ts'
import type { CallParts } from './call.ts'
import { isRecord, textField } from './json.ts'
import { endpointsOf } from './json-call.ts'
import { malformed, numberIn, recordsFrom } from './lenient.ts'
import { checkRange, over, requireSome } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'

/** One candidate with its score, in the order of the response. */
interface RankedDocument {
  /** Index among the documents that were sent, from 0. */
  readonly index: number
  /** 0 to 1; raw scores may leave that range. */
  readonly score: number
  /** The text in the response, or the sent one when it has none. */
  readonly document: string
}

interface RerankRequest {
  readonly query: string
  readonly documents: readonly string[]
  /** 0 or absent: all documents. */
  readonly topN?: number
  readonly returnDocuments?: boolean
  readonly returnRawScores?: boolean
  readonly userId?: string
}

/** Reranking (service-notes 5). */
export type RerankApi = ReturnType<typeof createRerank>

export function createRerank(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  return {
    /**
     * `POST /paas/v4/rerank`. Results are mapped back by index; an unknown index makes the response malformed. Safe to repeat.
     */
    create: endpoint('rerank.create', (request: RerankRequest, target) => {
      checkRerank(request, target)
      const { query, documents, topN, returnDocuments, returnRawScores, userId } = request
      const { wire } = target.profile
      const model = wireModel(target.profile, 'rerank')
      return {
        model,
        path: '/paas/v4/rerank',
        json: (requestId) => ({
          model,
          query,
          documents,
          ...(topN !== undefined && { top_n: topN }),
          ...(returnDocuments !== undefined && { [wire.rerankDocuments]: returnDocuments }),
          ...(returnRawScores !== undefined && { [wire.rerankRawScores]: returnRawScores }),
          request_id: requestId,
          ...(userId !== undefined && { user_id: userId }),
        }),
        timeouts: parts.longCall,
        read: (json) => readRanking(json, documents),
      }
    }),
  }
}

/**
 * Rejects violations of the limits in service-notes 5 and 16; the params of a document contain its index as `item`, from 0.
 */
function checkRerank(request: RerankRequest, target: ServiceTarget): void {
  const { query, documents, topN } = request
  const { queryChars, documents: maxDocuments, documentChars } = target.limits.rerank
  requireSome('query', query)
  if (isLonger(query, queryChars))
    throw over('LIMIT_EXCEEDED', 'query', queryChars, charactersOf(query))
  requireSome('documents', documents)
  if (documents.length > maxDocuments)
    throw over('LIMIT_EXCEEDED', 'documents', maxDocuments, documents.length)
  for (const [item, document] of documents.entries())
    if (isLonger(document, documentChars))
      throw over('LIMIT_EXCEEDED', 'document', documentChars, charactersOf(document), { item })
  if (topN !== undefined) checkRange('top_n', topN, { min: 0, max: Infinity, whole: true })
}

/**
 * Reads `results` (service-notes 5). Each index must have been sent and occur only once: a score on the wrong text is worse
 * than none.
 */
function readRanking(json: unknown, documents: readonly string[]): readonly RankedDocument[] {
  const results = isRecord(json) ? json['results'] : undefined
  const rows = recordsFrom(results)
  if (rows.length === 0 && !Array.isArray(results)) throw malformed('no-results')
  const seen = new Set<number>()
  return rows.map((row) => {
    const index = numberIn(row, 'index')
    const sent = index === null ? undefined : documents[index]
    if (index === null || sent === undefined) throw malformed('index-not-sent')
    if (seen.has(index)) throw malformed('index-twice')
    seen.add(index)
    const score = numberIn(row, 'relevance_score') ?? numberIn(row, 'score')
    if (score === null) throw malformed('no-score')
    return { index, score, document: documentOf(row) ?? sent }
  })
}

/**
 * Returns the text in the response: a string, or an object that contains one (service-notes 5: often missing or empty).
 */
function documentOf(row: Readonly<Record<string, unknown>>): string | null {
  const { document } = row
  return isRecord(document) ? textField(document, 'text') : textField(row, 'document')
}
