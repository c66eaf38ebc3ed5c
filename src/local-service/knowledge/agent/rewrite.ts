import { textUnits } from '../../../shared/text/cut.ts'
import { fold } from '../../../shared/text/fold.ts'
import { isCommon } from '../../../shared/text/common-words.ts'
import { isEnglish } from '../../../shared/text/language.ts'

/** An earlier question of the same conversation. */
export interface EarlierQuestion {
  readonly question: string
  /** Its keywords, including those carried over from earlier questions. */
  readonly keywords: readonly string[]
}

/** Question prepared for search. */
interface RewrittenQuestion {
  /** The question, completed with what it omits from the conversation. */
  readonly resolved: string
  readonly followsUp: boolean
  readonly keywords: readonly string[]
  /** Distinct search queries, most promising first. */
  readonly queries: readonly string[]
}

/** Chinese question words that say nothing about the topic. */
const questionWords =
  /请问|告诉我|介绍一下|一下|什么时候|什么|多少|怎么样|怎么|怎样|如何|哪里|哪些|哪个|为什么|为何|是否|能否|可以|需要|应该|应当|有没有|是不是|几个/gu

const pointing =
  /\b(?:it|its|they|them|their|he|she|him|his|her|those|these|that|this)\b|[它他她]们?|[这那](?:个|些|里|种|时)?|其中|该/iu
const goingOn = /^\s*(?:and|but|or|what about|how about|那么?|还有|然后|另外)/iu

/** Maximum number of keywords carried over from earlier questions. */
const maxCarriedOver = 6

function runsOf(run: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const char of run) {
    if (!isCommon(char, false)) part += char
    else if (part) {
      parts.push(part)
      part = ''
    }
  }
  if (part) parts.push(part)
  return parts
}

/** Returns the keywords of a question in order, without question words and function words. */
export function keywordsOf(question: string): readonly string[] {
  const english = isEnglish(question)
  const found = Array.from(textUnits(fold(question.replace(questionWords, ' '))))
  const words = found.flatMap(({ kind, text }) =>
    kind === 'run' ? runsOf(text) : isCommon(text, english) ? [] : [text],
  )
  return Array.from(new Set(words))
}

/**
 * Returns whether a question depends on an earlier one: it refers to something, continues, or has fewer than two
 * keywords.
 */
function leans(question: string, keywords: readonly string[]): boolean {
  return pointing.test(question) || goingOn.test(question) || keywords.length < 2
}

/** Prepares a question for search: a follow-up is completed from the last question before it. */
export function rewritten(
  question: string,
  earlier: readonly EarlierQuestion[],
): RewrittenQuestion {
  const own = keywordsOf(question)
  const last = earlier.at(-1)
  const followsUp = last !== undefined && leans(question, own)
  const taken = followsUp
    ? last.keywords.filter((word) => !own.includes(word)).slice(0, maxCarriedOver)
    : []
  const keywords = [...own, ...taken]
  const resolved = taken.length > 0 ? `${question} (${taken.join(' ')})` : question
  const longest = own.toSorted((a, b) => b.length - a.length).slice(0, 2)
  const queries = [
    [...taken, question].join(' '),
    keywords.join(' '),
    question,
    own.join(' '),
    ...longest,
  ]
  return {
    resolved,
    followsUp: taken.length > 0,
    keywords,
    queries: Array.from(new Set(queries.map((query) => query.trim()))).filter(Boolean),
  }
}

/** Splits a message into the questions that each need their own answer; at most `most`. */
export function partsOf(message: string, maxParts = 4): readonly string[] {
  const parts = (message.match(/[^?？\n]+[?？]?/gu) ?? [])
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
  const questions = parts.filter((part) => /[?？]$/u.test(part))
  // A single question stays together with its introduction; several questions are split.
  return questions.length > 1 && parts.length <= maxParts ? parts : [message.trim()]
}
