import { Converter } from 'opencc-js/t2cn'
import type { CheckDifference } from '../../../../shared/model/speech.ts'
import { foldWithOffsets } from '../../../../shared/text/fold.ts'
import { type Word, chineseNumbers, englishNumbers } from './numbers.ts'

/** Comparison of transcribed speech with its text. */
interface Comparison {
  /**
   * 1 if every word matches; words that differ, are missing or extra are deducted by their share of the text.
   */
  readonly score: number
  /** In text order. */
  readonly marks: readonly CheckDifference[]
  /** Number of words of the text, and of those that are missing from the transcript. */
  readonly words: number
  readonly missing: number
  /** Longest run of missing words. */
  readonly longestMissing: number
}

/** Maximum number of words of both sides that are aligned; a segment has at most 1,000 characters. */
const maxWords = 1200

/** Maximum number of transcript characters to compare: many times the length of a segment. */
export const maxTranscriptChars = 20_000

/** Compares a text with its transcript, word by word (character by character in scripts without spaces). */
export function compareTranscript(text: string, transcribed: string): Comparison {
  const expected = spokenWords(text).slice(0, maxWords)
  const actual = spokenWords(transcribed.slice(0, maxTranscriptChars)).slice(0, maxWords)
  const marks: CheckDifference[] = []
  let wrong = 0
  let missing = 0
  let longestMissing = 0
  for (const range of differingRanges(align(expected, actual), expected.length, actual.length)) {
    const lost = expected.slice(range.a, range.aEnd)
    const got = actual.slice(range.b, range.bEnd)
    // `web site` and `website`, `20 26` and `2026`.
    if (glued(lost) === glued(got)) continue
    wrong += Math.max(lost.length, got.length)
    const lostCount = Math.max(0, lost.length - got.length)
    missing += lostCount
    longestMissing = Math.max(longestMissing, lostCount)
    marks.push(markOf(lost, got, expected[range.a - 1], transcribed, text))
  }
  const words = expected.length
  const score = words === 0 ? (actual.length === 0 ? 1 : 0) : Math.max(0, 1 - wrong / words)
  return { score, marks, words, missing, longestMissing }
}

const glued = (words: readonly Word[]): string => words.map(({ word }) => word).join('')

function markOf(
  lost: readonly Word[],
  got: readonly Word[],
  before: Word | undefined,
  transcribed: string,
  text: string,
): CheckDifference {
  const first = lost[0]
  const transcribedText = got.length > 0 ? transcribed.slice(got[0]?.from, got.at(-1)?.to) : ''
  if (!first) {
    const at = Math.min(text.length, before?.to ?? 0)
    return { kind: 'added', from: at, to: at, heard: transcribedText }
  }
  const span = {
    from: Math.min(...lost.map(({ from }) => from)),
    to: Math.max(...lost.map(({ to }) => to)),
  }
  return { kind: got.length === 0 ? 'missing' : 'changed', ...span, heard: transcribedText }
}

/** Range in which the two sides differ; exclusive at both ends. */
interface Span {
  readonly a: number
  readonly aEnd: number
  readonly b: number
  readonly bEnd: number
}

/** Yields the ranges between pairs of equal words. */
function* differingRanges(
  pairs: readonly (readonly [number, number])[],
  aLength: number,
  bLength: number,
): Generator<Span> {
  let [a, b] = [0, 0]
  for (const [nextA, nextB] of [...pairs, [aLength, bLength] as const]) {
    if (nextA > a || nextB > b) yield { a, aEnd: nextA, b, bEnd: nextB }
    a = nextA + 1
    b = nextB + 1
  }
}

/**
 * Returns pairs of equal words, in order, of an alignment with the fewest changed, missing and added words
 * (Levenshtein).
 */
function align(
  expected: readonly Word[],
  actual: readonly Word[],
): readonly (readonly [number, number])[] {
  const width = actual.length + 1
  const costs = new Uint16Array((expected.length + 1) * width)
  for (let b = 0; b < width; b++) costs[b] = b
  for (let a = 1; a <= expected.length; a++) {
    costs[a * width] = a
    const word = expected[a - 1]?.word
    for (let b = 1; b < width; b++) {
      const same = word === actual[b - 1]?.word
      const across = (costs[(a - 1) * width + b - 1] ?? 0) + (same ? 0 : 1)
      const down = (costs[(a - 1) * width + b] ?? 0) + 1
      const right = (costs[a * width + b - 1] ?? 0) + 1
      costs[a * width + b] = Math.min(across, down, right)
    }
  }
  const pairs: (readonly [number, number])[] = []
  let [a, b] = [expected.length, actual.length]
  while (a > 0 && b > 0) {
    const cost = costs[a * width + b] ?? 0
    const same = expected[a - 1]?.word === actual[b - 1]?.word
    if (same && cost === costs[(a - 1) * width + b - 1]) {
      pairs.push([a - 1, b - 1])
      a -= 1
      b -= 1
    } else if (cost === (costs[(a - 1) * width + b - 1] ?? 0) + 1) {
      a -= 1
      b -= 1
    } else if (cost === (costs[(a - 1) * width + b] ?? 0) + 1) a -= 1
    else b -= 1
  }
  return pairs.toReversed()
}

/** Symbols that are pronounced. */
const signWords: Readonly<Record<string, string>> = {
  '%': 'percent',
  '&': 'and',
  '+': 'plus',
  '=': 'equals',
  '@': 'at',
  '°': 'degrees',
  '€': 'euros',
  '£': 'pounds',
  $: 'dollars',
  '¥': 'yuan',
}

/** Abbreviations that are pronounced in full. */
const longForms: Readonly<Record<string, string>> = {
  dr: 'doctor',
  mr: 'mister',
  mrs: 'missus',
  st: 'saint',
  prof: 'professor',
  vs: 'versus',
  okay: 'ok',
  cannot: 'cant',
  gonna: 'going to',
  wanna: 'want to',
  元: 'yuan',
  块: 'yuan',
}

/** Expansions of contractions that can be recognized by their ending alone. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/^(can)not$/, '$1 not'],
  [/^(wo)n't$/, 'will not'],
  [/^(ca)n't$/, 'can not'],
  [/^(.+)n't$/, '$1 not'],
  [/^(.+)'re$/, '$1 are'],
  [/^(.+)'ve$/, '$1 have'],
  [/^(.+)'ll$/, '$1 will'],
  [/^i'm$/, 'i am'],
  [/^let's$/, 'let us'],
  [/^(it|he|she|that|there|what|who|where|how)'s$/, '$1 is'],
]

const tokens =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3007]|\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%&+=@°€£$¥]/gu

/**
 * Returns the comparable words of a text in order: words of scripts with spaces, single characters of others. Ignores
 * case, width and punctuation; converts Traditional characters to Simplified ones and numbers to digits; expands symbols
 * and contractions.
 */
function spokenWords(text: string): readonly Word[] {
  const folded = foldWithOffsets(text.replaceAll('’', "'"))
  const plain = Array.from(folded.text.matchAll(tokens)).flatMap(({ 0: token, index }) => {
    const from = folded.starts[index] ?? 0
    const to = folded.ends[index + token.length - 1] ?? from
    return inFull(token).map((word) => ({ word: simplified(word), from, to }))
  })
  return chineseNumbers(englishNumbers(pricesInOrder(plain)))
}

function inFull(token: string): readonly string[] {
  if (/^\d/.test(token)) {
    const digits = token.replaceAll(',', '')
    // 12:30 and 3.14 are pronounced in parts, with or without the point.
    return digits.split(/[.:]/)
  }
  const sign = signWords[token]
  if (sign !== undefined) return [sign]
  const long = longForms[token]
  if (long !== undefined) return long.split(' ')
  for (const [pattern, full] of endings)
    if (pattern.test(token)) return token.replace(pattern, full).split(' ')
  return [token.replaceAll("'", '')]
}

const currencies = new Set(['dollars', 'euros', 'pounds', 'yuan'])

/** Moves a currency sign before an amount behind it, as it is pronounced. */
function pricesInOrder(words: readonly Word[]): readonly Word[] {
  const made = words.slice()
  for (let at = 0; at + 1 < made.length; at++) {
    const [sign, amount] = [made[at], made[at + 1]]
    if (!sign || !amount || sign.to !== amount.from) continue
    if (!currencies.has(sign.word) || !/^\d/.test(amount.word)) continue
    made[at] = amount
    made[at + 1] = sign
    at += 1
  }
  return made
}

/** Cache of characters, which occur repeatedly. */
const known = new Map<string, string>()
let convert: ((text: string) => string) | null = null

/**
 * Converts Traditional characters to Simplified ones, one by one: which of several forms is meant does not matter for
 * comparison.
 */
function simplified(text: string): string {
  if (!/\p{sc=Han}/u.test(text)) return text
  let made = known.get(text)
  if (made === undefined) {
    convert ??= Converter({ from: 't', to: 'cn' })
    made = convert(text)
    if (text.length <= 2) known.set(text, made)
  }
  return made
}
