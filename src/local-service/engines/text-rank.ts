import { indexTokens } from '../../shared/text/cut.ts'
import { queryTokens } from '../../shared/text/query.ts'
import { bm25 } from './bm25.ts'
import { isCommon } from './text-common-words.ts'
import { encodeInSteps } from './text-embed.ts'
import type { EncoderSource, NextStep } from './text-embed.ts'
import { isEnglish } from './text-language.ts'
import type { TextOutcome, TextRequest } from './text-messages.ts'
import { ngramCosine, ngrams } from './text-ngrams.ts'
import { dot } from './text-vectors.ts'
import { windowsOf } from './text-windows.ts'
import type { EmbeddingMethod } from './text.ts'

/** How near a document is to the query in meaning: a cosine, and by which method. */
export interface Meaning {
  readonly cosine: number
  readonly method: EmbeddingMethod
}

/** Documents without a word of the query that are thought beside the candidates: what is rare must not hang on their number. */
const background = 20

/**
 * Weights of the sum whose logistic function is the score. Chosen on small English and Chinese sets of questions and
 * answers so that answers come out above one half and what has nothing to do with the question below a tenth. Cosines of
 * n-grams are small beside those of the encoder, so that they weigh more.
 */
const weights = { encoder: 8, 'n-grams': 12, words: 5, nothing: -4 } as const

/** The words of a query that say something; all of them when none does. */
function telling(query: string, english: boolean): readonly string[] {
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
  const { scores, full } = bm25(telling(query, english), cut, background)
  return scores.map((score) => (full > 0 ? score / full : 0))
}

/** Meaning and words together: `raw` from about -4 upward without bound, `score` its logistic function. */
export function combined(
  meaning: Meaning,
  words: number,
): { readonly score: number; readonly raw: number } {
  const near = Math.max(0, meaning.cosine) * weights[meaning.method]
  const raw = weights.nothing + near + weights.words * words
  return { score: 1 / (1 + Math.exp(-raw)), raw }
}

/** The windows of a long document that hold most of the query's words, at most so many, in their order. */
export function bestWindows(
  query: readonly string[],
  windows: readonly string[],
  most: number,
): readonly string[] {
  if (windows.length <= most) return windows
  const wanted = new Set(query)
  const shared = windows.map((window, place) => {
    const tokens = new Set(indexTokens(window).split(' '))
    return { place, many: Array.from(wanted).filter((token) => tokens.has(token)).length }
  })
  const places = shared
    .toSorted((x, y) => y.many - x.many || x.place - y.place)
    .slice(0, most)
    .map(({ place }) => place)
  return places.toSorted((x, y) => x - y).map((place) => windows[place] ?? '')
}

/** Windows read of all documents together, each at most 400 characters: a second's work for each 50. */
const mostWindows = 256

/** Units of a window where no encoder is asked, as of a paragraph. */
const everyWindowFits = (): boolean => true

/**
 * Ranks documents. A document is as near in meaning as its nearest window; of long ones only the windows that hold most of the
 * query's words are read, so that 128 documents of 4,096 characters take some seconds and not a minute.
 */
export async function rankTexts(
  { query, documents }: Extract<TextRequest, { type: 'rank' }>,
  source: EncoderSource,
  next: NextStep,
): Promise<Extract<TextOutcome, { type: 'rank' }>> {
  const english = isEnglish(query)
  const methods = documents.map((text) => (english && isEnglish(text) ? 'encoder' : 'n-grams'))
  const encoder = methods.includes('encoder') ? await source() : null
  const tokens = telling(query, english)
  const most = Math.max(1, Math.floor(mostWindows / Math.max(1, documents.length)))
  const windows = documents.map((text, i) => {
    const all =
      encoder && methods[i] === 'encoder' ? encoder.windows(text) : windowsOf(text, everyWindowFits)
    return bestWindows(tokens, all, most)
  })
  const asked = documents.flatMap((_, i) => (methods[i] === 'encoder' ? (windows[i] ?? []) : []))
  const vectors = encoder
    ? await encodeInSteps(encoder, [...encoder.windows(query), ...asked], next)
    : []
  const questions = encoder?.windows(query).length ?? 0
  const words = wordShares(query, documents, english)
  const wanted = ngrams(query)
  let at = questions
  const ranks: { score: number; raw: number }[] = []
  for (const [i, method] of methods.entries()) {
    const own = windows[i] ?? []
    let cosines: readonly number[]
    if (method === 'encoder') {
      const read = vectors.slice(at, (at += own.length))
      cosines = read.map((vector) => nearest(vectors.slice(0, questions), vector))
    } else {
      await next()
      cosines = own.map((window) => ngramCosine(wanted, ngrams(window)))
    }
    ranks.push(combined({ cosine: Math.max(0, ...cosines), method }, words[i] ?? 0))
  }
  return { type: 'rank', ranks }
}

const nearest = (questions: readonly Float32Array[], vector: Float32Array): number =>
  Math.max(...questions.map((question) => dot(question, vector)))
