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

/** Something to quote from, under the name readers know it by. */
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
  /** With the sentence beside it, where that alone has what was asked for. */
  readonly text: string
  /** Line of its passage that the sentence itself is on, from 0. */
  readonly line: number
  /** 0 to 1. */
  readonly score: number
}

/** An answer that says nothing of its own: sentences of its sources, with their names. */
export interface QuotedAnswer {
  readonly text: string
  /** Best first; empty when nothing fits. */
  readonly quotes: readonly Quote[]
  /** How the answer came about, step by step. */
  readonly reasoning: string
  /** What could not be done, in plain English. */
  readonly notice: string
  readonly language: AnswerLanguage
}

/** What an answer is made from. */
export interface QuoteQuestion {
  readonly question: string
  readonly passages: readonly QuotePassage[]
  readonly text: Pick<TextEngine, 'rank'>
  readonly signal: AbortSignal
  /** Absent: that of the question. */
  readonly language?: AnswerLanguage
  /** Sentences quoted at most; 3 when absent. */
  readonly maxQuotes?: number
}

/** Sentences that are ranked by meaning, which takes some 30 ms each; the ones that share most words come first. */
const maxRanked = 32

/** Ranks below which a sentence is not taken for an answer: when it shares no word with the question, and when it does. What does not fit ranks below 0.1. */
const minAlone = 0.35
const minShared = 0.1

/** Rank a sentence needs beside the best one to be quoted as well. */
const minShare = 0.6

interface Candidate extends Quote {
  /** Share of the question's words that the sentence has. */
  readonly shared: number
  /** The sentences of its passage, and which of them it is. */
  readonly around: readonly LinedSentence[]
  readonly at: number
}

/** The words of a question that a sentence should share: those that ask are none. */
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

/** Ranks of the candidates; by their words alone when the engine cannot be had. */
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

/** A sentence that begins so goes on from the one before it. */
const goesOn =
  /^(?:he|she|it|they|this|that|these|those|his|her|its|their)\b|^(?:[他她它其此该]|这|那)/iu

const isQuestion = (text: string): boolean => /[?？]["'”’」』)）]*$/u.test(text)

/** The sentence beside a quoted one that it needs: -1 before it, 1 after it, 0 for none. */
function neededSide({ text, around, at }: Candidate, has: AnswerCheck | null): -1 | 0 | 1 {
  const neighbor = (by: -1 | 1): string => around[at + by]?.text ?? ''
  // A question answers nothing: what follows it may.
  if (isQuestion(text)) return isQuestion(neighbor(1)) ? 0 : 1
  if (!has || has(text)) return 0
  const sides = goesOn.test(text) ? ([-1, 1] as const) : ([1, -1] as const)
  return sides.find((by) => has(neighbor(by))) ?? 0
}

/**
 * Sentences that lack what the question word asks for, together with the one beside them that has it: "Apollo 12 was saved by an
 * order. John Aaron gave it." answers who saved it by its second sentence alone.
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

/** Two sentences as one text: Chinese ones without a space between them. */
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
 * Answers a question by the sentences of the passages that fit it best, each with the name of its source, in the language of the
 * question; says so when nothing fits, and always that no language model answered. Rejects when the signal aborts.
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
