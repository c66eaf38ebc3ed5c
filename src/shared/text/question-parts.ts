import { bm25 } from './bm25.ts'
import { isCommon } from './common-words.ts'
import { indexTokens } from './cut.ts'
import { queryTokens } from './query.ts'

/** A part of a text, such as a page or a line. */
interface Part {
  readonly text: string
  readonly tokens: number
}

/** Parts whose score is a smaller share of the best one are not about the question. */
const minShare = 0.2

/**
 * Returns the positions of the parts to send with a question, in order: all if they fit into `maxTokens`; otherwise those that
 * share the most words with it, by BM25, each with the parts next to it; if no part shares any, the first ones.
 */
export function partsForQuestion(
  parts: readonly Part[],
  question: string,
  maxTokens: number,
): readonly number[] {
  const all = parts.map((_, at) => at)
  if (parts.reduce((sum, { tokens }) => sum + tokens, 0) <= maxTokens) return all
  const tokens = queryTokens(question)
  const content = tokens.filter((token) => !isCommon(token, false))
  const { scores } = bm25(
    content.length > 0 ? content : tokens,
    parts.map(({ text }) => indexTokens(text).split(' ')),
  )
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  const chosen = new Set<number>()
  let left = maxTokens
  const take = (at: number): boolean => {
    const part = parts[at]
    if (!part || chosen.has(at)) return true
    if (part.tokens > left) return false
    chosen.add(at)
    left -= part.tokens
    return true
  }
  if (best === 0) {
    for (const at of all) if (!take(at)) break
  } else {
    const about = all
      .filter((at) => (scores[at] ?? 0) >= best * minShare)
      .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    for (const at of about) for (const near of [at, at - 1, at + 1]) take(near)
  }
  return all.filter((at) => chosen.has(at))
}
