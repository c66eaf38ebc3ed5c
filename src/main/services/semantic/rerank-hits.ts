import type { Failure } from '../../../shared/bridge/reply.ts'
import type { SemanticHit } from '../../../shared/model/semantic.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { SemanticDeps, SemanticQuery } from './types.ts'

/** Result before ranking, with the text to rerank. */
export interface FoundText {
  readonly hit: Omit<SemanticHit, 'relevance'>
  readonly text: string
}

/** Rounds milliseconds to two decimals. */
export const rounded = (ms: number): number => Math.round(ms * 100) / 100

/** Results in their final order. */
export interface RerankedHits {
  readonly hits: readonly SemanticHit[]
  readonly ms: number | null
  readonly error: Failure | null
  readonly engine: string | null
  readonly notice: string | null
}

/**
 * Reranks the first results by their text (service-notes 5): as many as the provider accepts, each within its character
 * limit; the others follow in their order. Without an account for reranking, or if it fails, the order is unchanged.
 */
export async function rerankHits(
  { api, accounts, clock, mask }: SemanticDeps,
  { query, rerankBy }: Pick<SemanticQuery, 'query' | 'rerankBy'>,
  found: readonly FoundText[],
  signal?: AbortSignal,
): Promise<RerankedHits> {
  const asTheyAre = found.map(({ hit }): SemanticHit => ({ ...hit, relevance: null }))
  const left = { hits: asTheyAre, ms: null, error: null, engine: null, notice: null }
  if (rerankBy === null || found.length < 2) return left
  const began = performance.now()
  try {
    const target = await accounts.target(rerankBy)
    const { documents: maxDocuments, documentChars, queryChars } = target.limits.rerank
    const answer = await api.rerank.create(
      target,
      {
        query: firstCharacters(query, queryChars),
        documents: found
          .slice(0, maxDocuments)
          .map(({ text }) => firstCharacters(text, documentChars)),
      },
      signal ? { signal } : {},
    )
    const first = answer.value
      .toSorted((a, b) => b.score - a.score)
      .flatMap(({ index, score }) => {
        const hit = asTheyAre[index]
        return hit ? [{ ...hit, relevance: score }] : []
      })
    const ranked = new Set(answer.value.map(({ index }) => index))
    const rest = asTheyAre.filter((_, index) => !ranked.has(index))
    return {
      hits: [
        ...first.map((hit, at) => ({ ...hit, ranks: { ...hit.ranks, reranked: at + 1 } })),
        ...rest,
      ],
      ms: rounded(performance.now() - began),
      error: null,
      engine: answer.engine === null ? null : mask(answer.engine),
      notice: answer.notice === null ? null : mask(answer.notice),
    }
  } catch (error) {
    if (signal?.aborted || !(error instanceof AppError)) throw error
    return { ...left, error: toFailure(error, clock()) }
  }
}

/** Returns the first characters (code points) of a text. */
function firstCharacters(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : Array.from(text.slice(0, maxChars * 2))
        .slice(0, maxChars)
        .join('')
}
