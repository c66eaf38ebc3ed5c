import { indexTokens } from '../../shared/text/cut.ts'
import { queryTokens } from '../../shared/text/query.ts'
import { bm25 } from './bm25.ts'
import { isCommon } from '../../shared/text/common-words.ts'
import type { EmbeddingMethod, Rank } from './text.ts'

/** How near a document is to the query in meaning: a cosine, and by which method. */
export interface Meaning {
  readonly cosine: number
  readonly method: EmbeddingMethod
}

/** Documents without a word of the query that are thought beside the candidates: what is rare must not hang on their number. */
const background = 20

/**
 * Weights of the sum whose logistic function is the score. Chosen on small English and Chinese sets of questions and answers:
 * an answer in the question's own words comes out above one half, one in other words (which only the encoder sees) about 0.3,
 * what has nothing to do with the question below 0.1. Cosines of n-grams are small beside those of the encoder, so that they
 * weigh more.
 */
const weights = { encoder: 8, 'n-grams': 12, words: 5, nothing: -4 } as const

/** The words of a query that say something; all of them when none does. */
export function contentTokens(query: string, english: boolean): readonly string[] {
  const tokens = queryTokens(query)
  const some = tokens.filter((token) => !isCommon(token, english))
  return some.length > 0 ? some : tokens
}

/** Share of the query's words that each document holds, by BM25: 1 for each word once in a text of average length. */
export function wordShares(
  query: string,
  documents: readonly string[],
  english: boolean,
): readonly number[] {
  const cut = documents.map((text) => indexTokens(text).split(' '))
  const { scores, full } = bm25(contentTokens(query, english), cut, background)
  return scores.map((score) => (full > 0 ? score / full : 0))
}

/** Meaning and words together: `raw` from about -4 upward without bound, `score` its logistic function. */
export function combined(meaning: Meaning, words: number): Rank {
  const near = Math.max(0, meaning.cosine) * weights[meaning.method]
  const raw = weights.nothing + near + weights.words * words
  return { score: 1 / (1 + Math.exp(-raw)), raw, method: meaning.method }
}

/** The windows of a long document that hold most of the query's words, at most so many, in their order. */
export function bestWindows(
  query: readonly string[],
  windows: readonly string[],
  maxCount: number,
): readonly string[] {
  if (windows.length <= maxCount) return windows
  const wanted = new Set(query)
  const shared = windows.map((window, place) => {
    const tokens = new Set(indexTokens(window).split(' '))
    return { place, many: Array.from(wanted).filter((token) => tokens.has(token)).length }
  })
  const places = shared
    .toSorted((x, y) => y.many - x.many || x.place - y.place)
    .slice(0, maxCount)
    .map(({ place }) => place)
  return places.toSorted((x, y) => x - y).map((place) => windows[place] ?? '')
}
