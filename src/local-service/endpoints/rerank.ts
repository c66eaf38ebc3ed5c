import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { limits } from '../../shared/provider/limits.ts'
import { estimateTokens } from '../../shared/text/token-estimate.ts'
import type { Rank } from '../engines/text-messages.ts'
import { ServiceError } from '../errors.ts'
import { fieldMissing, readJsonBody } from '../json-body.ts'
import { booleanOf, integerOf, requestIdOf, requiredText, textOf, textsOf } from '../json-fields.ts'
import { jsonReply } from '../http.ts'
import type { Route, Handler } from '../context.ts'
import { withTextEngine } from './text-errors.ts'

const { queryChars, documents: maxDocuments, documentChars } = limits.rerank

/** The only model of service-notes 5, which is also the default. */
const onlyModel = 'rerank'

function noticeOf(ranks: readonly Rank[]): string | undefined {
  const others = ranks.filter(({ method }) => method === 'n-grams').length
  if (others === 0) return undefined
  return others === ranks.length
    ? engineNotices.rankedByWords
    : fillSentence(engineNotices.someRankedByWords, { n: others, of: ranks.length })
}

/**
 * `POST /paas/v4/rerank` (service-notes 5), best first; documents with equal scores stay in request order.
 */
const rerank: Handler = async ({ incoming, signal }, { text, clock, ids }) => {
  const body = await readJsonBody(incoming)
  if ((textOf(body, 'model') ?? onlyModel) !== onlyModel)
    throw new ServiceError('unknownModel', 'Unknown model')
  const query = requiredText(body, 'query', { max: queryChars })
  const documents = textsOf(
    body,
    'documents',
    { min: 1, max: maxDocuments },
    { max: documentChars },
  )
  if (!documents) throw fieldMissing('documents')
  const topN = integerOf(body, 'top_n', { min: 0 }) ?? 0
  const withTexts = booleanOf(body, 'return_documents', false)
  const raw = booleanOf(body, 'return_raw_scores', false)
  const requestId = requestIdOf(body)
  textOf(body, 'user_id')

  const ranks = await withTextEngine(() => text.rank(query, documents, signal))
  const results = ranks
    .map((rank, index) => ({
      ...(withTexts && { document: documents[index] }),
      index,
      relevance_score: raw ? rank.raw : rank.score,
    }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
    .slice(0, topN === 0 ? maxDocuments : topN)
  const tokens = [query, ...documents].reduce((sum, each) => sum + estimateTokens(each).likely, 0)
  const notice = noticeOf(ranks)
  return jsonReply({
    id: `rerank-${ids()}`,
    results,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    created: Math.floor(clock() / 1000),
    request_id: requestId ?? ids(),
    engine: text.name,
    ...(notice !== undefined && { notice }),
  })
}

export const rerankRoutes: readonly Route[] = [['POST', '/paas/v4/rerank', rerank]]
