import { indexTokens } from '../../shared/text/cut.ts'
import { queryTokens } from '../../shared/text/query.ts'
import { bm25, countTokens } from '../../shared/text/bm25.ts'
import { isCommon } from '../../shared/text/common-words.ts'
import type { EmbeddingMethod, Rank } from './text-messages.ts'

/** Semantic similarity of a document to the query: a cosine, and the method used. */
interface Meaning {
  readonly cosine: number
  readonly method: EmbeddingMethod
}

/**
 * Number of assumed additional documents without any query word, so that the rarity of a word does not depend on the
 * number of candidates.
 */
const background = 20

/**
 * Weights of the sum whose logistic function is the score. Chosen on small English and Chinese sets of questions and
 * answers: an answer in the question's own words scores above 0.5, one in other words (which only the encoder
 * recognizes) about 0.3, and an unrelated text below 0.1. Cosines of n-grams are smaller than those of the encoder, so
 * they have a higher weight.
 */
const weights = { encoder: 8, 'n-grams': 12, words: 5, nothing: -4 } as const

/** Returns the content words of a query; all words if it has none. */
export function contentTokens(query: string, english: boolean): readonly string[] {
  const tokens = queryTokens(query)
  const some = tokens.filter((token) => !isCommon(token, english))
  return some.length > 0 ? some : tokens
}

/**
 * Returns the share of the query's words in each document, by BM25: 1 if a text of average length contains each word
 * once.
 */
export function wordShares(
  query: string,
  documents: readonly string[],
  english: boolean,
): readonly number[] {
  const tokens = contentTokens(query, english)
  const wanted = new Set(tokens)
  const counted = documents.map((text) => countTokens(indexTokens(text).split(' '), wanted))
  const { scores, full } = bm25(tokens, counted, background)
  return scores.map((score) => (full > 0 ? score / full : 0))
}

/**
 * Combines semantic similarity and word matches: `raw` is unbounded above and starts at about -4; `score` is its
 * logistic function.
 */
export function combined(meaning: Meaning, words: number): Rank {
  const near = Math.max(0, meaning.cosine) * weights[meaning.method]
  const raw = weights.nothing + near + weights.words * words
  return { score: 1 / (1 + Math.exp(-raw)), raw, method: meaning.method }
}

/**
 * Returns up to the given number of windows of a long document that contain most of the query's words, in document
 * order.
 */
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
