import { textUnits } from '../../../shared/text/cut.ts'
import { fold } from '../../../shared/text/fold.ts'
import { isCommon } from '../../../shared/text/common-words.ts'
import { isEnglish } from '../../../shared/text/language.ts'

/** An earlier question of the same conversation. */
export interface EarlierQuestion {
  readonly question: string
  /** What it was about, with what it had taken over itself. */
  readonly keywords: readonly string[]
}

/** A question made ready to be searched for. */
export interface RewrittenQuestion {
  /** The question with what it leaves out taken over from the conversation. */
  readonly resolved: string
  readonly followsUp: boolean
  readonly keywords: readonly string[]
  /** What to search for, the most promising first; no two are the same. */
  readonly queries: readonly string[]
}

/** Chinese words that ask and say nothing of what is asked about. */
const questionWords =
  /请问|告诉我|介绍一下|一下|什么时候|什么|多少|怎么样|怎么|怎样|如何|哪里|哪些|哪个|为什么|为何|是否|能否|可以|需要|应该|应当|有没有|是不是|几个/gu

const pointing =
  /\b(?:it|its|they|them|their|he|she|him|his|her|those|these|that|this)\b|[它他她]们?|[这那](?:个|些|里|种|时)?|其中|该/iu
const goingOn = /^\s*(?:and|but|or|what about|how about|那么?|还有|然后|另外)/iu

/** Keywords that are taken over from earlier questions. */
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

/** What a question is about: its words without those that ask or serve grammar, in their order. */
export function keywordsOf(question: string): readonly string[] {
  const english = isEnglish(question)
  const found = Array.from(textUnits(fold(question.replace(questionWords, ' '))))
  const words = found.flatMap(({ kind, text }) =>
    kind === 'run' ? runsOf(text) : isCommon(text, english) ? [] : [text],
  )
  return Array.from(new Set(words))
}

/** Whether a question leans on what was asked before: it points at something, goes on, or names next to nothing. */
function leans(question: string, keywords: readonly string[]): boolean {
  return pointing.test(question) || goingOn.test(question) || keywords.length < 2
}

/** Makes a question ready: what a follow-up leaves out is taken over from the last question before it. */
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

/** The questions inside a message, each of which needs an answer of its own; at most so many. */
export function partsOf(message: string, maxParts = 4): readonly string[] {
  const parts = (message.match(/[^?？\n]+[?？]?/gu) ?? [])
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
  const questions = parts.filter((part) => /[?？]$/u.test(part))
  // One question with its introduction belongs together; several are several.
  return questions.length > 1 && parts.length <= maxParts ? parts : [message.trim()]
}
