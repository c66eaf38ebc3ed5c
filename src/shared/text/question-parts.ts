import { bm25, countTokens, type TokenCounts } from './bm25.ts'
import { isCommon } from './common-words.ts'
import { indexTokens } from './cut.ts'
import { queryTokens } from './query.ts'

/** A part of a text, such as a page or a line: its size for the model, and what it shares with the question. */
interface Part {
  readonly tokens: number
  readonly shared: TokenCounts
}

/** Parts from this share of the best score on are about the question: those next to them belong to them. */
const minShare = 0.2

/** Chooses the parts of a text to send with a question. */
interface QuestionParts {
  /** Counts what a part shares with the question. */
  sharedBy(text: string): TokenCounts
  /**
   * Returns the positions of the parts to send, in order: all if they fit into `maxTokens`; otherwise those that share the most
   * words with the question, by BM25, with the parts next to the best ones, then the others from the first one on.
   */
  choose(parts: readonly Part[], maxTokens: number): readonly number[]
}

export function partsForQuestion(question: string): QuestionParts {
  const tokens = queryTokens(question)
  const content = tokens.filter((token) => !isCommon(token, false))
  const topic = content.length > 0 ? content : tokens
  const wanted = new Set(topic)

  return {
    sharedBy: (text) =>
      wanted.size === 0
        ? { length: 0, counts: new Map() }
        : countTokens(indexTokens(text).split(' '), wanted),
    choose(parts, maxTokens) {
      const all = parts.map((_, at) => at)
      if (parts.reduce((sum, part) => sum + part.tokens, 0) <= maxTokens) return all
      const { scores } = bm25(
        topic,
        parts.map(({ shared }) => shared),
      )
      const scoreOf = (at: number): number => scores[at] ?? 0
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
      for (const at of all.toSorted((x, y) => scoreOf(y) - scoreOf(x) || x - y)) {
        const isAbout = best > 0 && scoreOf(at) >= best * minShare
        const isTaken = take(at)
        if (isAbout) for (const near of [at - 1, at + 1]) take(near)
        // A text without a topic is sent from its beginning, without holes.
        if (!isTaken && best === 0) break
      }
      return all.filter((at) => chosen.has(at))
    },
  }
}
