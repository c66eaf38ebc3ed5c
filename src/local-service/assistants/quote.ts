import { engineNotices } from '../../shared/service/engine-notices.ts'
import { queryTokens } from '../../shared/text/query.ts'
import { TextFailure } from '../engines/text.ts'
import type { TextEngine } from '../engines/text.ts'
import { languageOf } from './language.ts'
import type { AnswerLanguage } from './language.ts'
import { quoteWords } from './quote-words.ts'
import { linedSentencesOf } from './sentences.ts'
import type { LinedSentence } from './sentences.ts'
import { answerCheckFor } from './answer-check.ts'
import type { AnswerCheck } from './answer-check.ts'
import { isQuestionWord } from './question-words.ts'

/** Text to quote from, with a name for its source. */
export interface QuotePassage {
  readonly source: string
  /** From 1; null or absent where the source has none. */
  readonly page?: number | null
  readonly text: string
}

/** A sentence that was quoted. */
export interface Quote {
  readonly source: string
  readonly page: number | null
  /** Includes the neighboring sentence if only that one contains the answer. */
  readonly text: string
  /** Line of the sentence within its passage, from 0. */
  readonly line: number
  /** 0 to 1. */
  readonly score: number
}

/** An answer made only of quoted sentences, with their sources. */
export interface QuotedAnswer {
  readonly text: string
  /** Best first; empty if nothing matches. */
  readonly quotes: readonly Quote[]
  /** The steps that led to the answer. */
  readonly reasoning: string
  /** Limitations of the answer, in plain English. */
  readonly notice: string
  readonly language: AnswerLanguage
}

/** Input of an answer. */
export interface QuoteQuestion {
  readonly question: string
  readonly passages: readonly QuotePassage[]
  readonly text: Pick<TextEngine, 'rank'>
  readonly signal: AbortSignal
  /** Defaults to the language of the question. */
  readonly language?: AnswerLanguage
  /** Maximum number of quoted sentences; defaults to 3. */
  readonly maxQuotes?: number
}

/** Maximum sentences ranked by meaning, at some 30 ms each; those that share the most words are ranked first. */
const maxRanked = 32

/**
 * Minimum ranks of an answer: for sentences that share no word with the question, and for those that do. Unrelated text ranks
 * below 0.1.
 */
const minAlone = 0.35
const minShared = 0.1

/** Minimum rank relative to the best sentence for being quoted as well. */
const minShare = 0.6

interface Candidate extends Quote {
  /** Share of the question's words that the sentence contains. */
  readonly shared: number
  /** Sentences of its passage; `at` is its index among them. */
  readonly around: readonly LinedSentence[]
  readonly at: number
}

/** Words of a question that a sentence should share, without question words. */
const topicTokens = (question: string): readonly string[] =>
  queryTokens(question).filter((token) => !isQuestionWord(token))

function candidatesOf(passages: readonly QuotePassage[], question: string): readonly Candidate[] {
  const topic = topicTokens(question)
  const seen = new Set<string>()
  return passages
    .flatMap(({ source, page = null, text }) => {
      const around = linedSentencesOf(text)
      return around.map((sentence, at) => ({ ...sentence, source, page, around, at }))
    })
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .map((sentence) => {
      const tokens = new Set(queryTokens(sentence.text))
      const common = topic.filter((token) => tokens.has(token)).length
      return { ...sentence, score: 0, shared: topic.length > 0 ? common / topic.length : 0 }
    })
    .toSorted((a, b) => b.shared - a.shared)
}

/** Ranks the candidates; only by their words if the engine is unavailable. */
async function ranked(
  candidates: readonly Candidate[],
  { question, text, signal }: QuoteQuestion,
): Promise<{ readonly candidates: readonly Candidate[]; readonly byMeaning: boolean }> {
  try {
    const sentences = candidates.map((candidate) => candidate.text)
    const scores = await text.rank(question, sentences, signal)
    return {
      candidates: candidates.map((one, i) => ({ ...one, score: scores[i]?.score ?? 0 })),
      byMeaning: true,
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof TextFailure)) throw error
    return {
      candidates: candidates.map((one) => ({ ...one, score: one.shared })),
      byMeaning: false,
    }
  }
}

/** Matches the beginning of a sentence that continues the previous one. */
const goesOn =
  /^(?:he|she|it|they|this|that|these|those|his|her|its|their)\b|^(?:[他她它其此该]|这|那)/iu

const isQuestion = (text: string): boolean => /[?？]["'”’」』)）]*$/u.test(text)

/** Offset of the neighboring sentence that a quote needs: -1 before it, 1 after it, 0 for none. */
function neededSide({ text, around, at }: Candidate, has: AnswerCheck | null): -1 | 0 | 1 {
  const neighbor = (by: -1 | 1): string => around[at + by]?.text ?? ''
  // A question is no answer, but the sentence after it may be.
  if (isQuestion(text)) return isQuestion(neighbor(1)) ? 0 : 1
  if (!has || has(text)) return 0
  const sides = goesOn.test(text) ? ([-1, 1] as const) : ([1, -1] as const)
  return sides.find((by) => has(neighbor(by))) ?? 0
}

/**
 * Adds the neighboring sentence to sentences that lack what the question word asks for: "Apollo 12 was saved by an order. John
 * Aaron gave it." answers who saved it only with the second sentence.
 */
function completed(quotes: readonly Candidate[], question: string): readonly Quote[] {
  const has = answerCheckFor(question)
  const quoted = new Set(quotes.map(({ text }) => text))
  return quotes.map((quote) => {
    const { source, page, text, line, score, around, at } = quote
    const side = neededSide(quote, has)
    const neighbor = side === 0 ? undefined : around[at + side]?.text
    const whole =
      neighbor === undefined || quoted.has(neighbor)
        ? text
        : side < 0
          ? joined(neighbor, text)
          : joined(text, neighbor)
    return { source, page, text: whole, line, score }
  })
}

/** Joins two sentences: Chinese ones without a space between them. */
const joined = (first: string, second: string): string =>
  /[。！？；：，”」』）]$/u.test(first) ? first + second : `${first} ${second}`

function chosen(candidates: readonly Candidate[], maxCount: number): readonly Candidate[] {
  const fitting = candidates
    .filter(({ shared, score }) => score >= (shared > 0 ? minShared : minAlone))
    .toSorted((a, b) => b.score + b.shared - (a.score + a.shared))
  const best = fitting[0]
  if (!best) return []
  const minScore = minShare * (best.score + best.shared)
  return fitting.filter(({ score, shared }) => score + shared >= minScore).slice(0, maxCount)
}

/**
 * Answers a question with the best matching sentences of the passages, each with the name of its source, in the language of the
 * question; reports if nothing matches, and always that no language model answered. Rejects when the signal aborts.
 */
export async function quoteAnswer(request: QuoteQuestion): Promise<QuotedAnswer> {
  const { question, passages, signal } = request
  signal.throwIfAborted()
  const language = request.language ?? languageOf(question)
  const words = quoteWords[language]
  const candidates = candidatesOf(passages, question)
  const { candidates: scored, byMeaning } =
    candidates.length > 0
      ? await ranked(candidates.slice(0, maxRanked), request)
      : { candidates, byMeaning: true }
  const quotes = completed(chosen(scored, request.maxQuotes ?? 3), question)
  const lines = quotes.map(({ text, source, page }) => words.quote(text, source, page))
  const body =
    quotes.length > 0
      ? [words.found, ...lines].join('\n')
      : passages.length > 0
        ? words.nothingFits
        : words.nothingThere
  return {
    text: `${body}\n\n${words.noModel}`,
    quotes,
    reasoning: words.reasoning(passages.length, candidates.length, quotes.length, byMeaning),
    notice: byMeaning ? engineNotices.quotes : engineNotices.quotesByWords,
    language,
  }
}
