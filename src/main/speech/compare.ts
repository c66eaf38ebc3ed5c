import type { CheckDifference } from '../../shared/model/speech.ts'
import type { Word } from './numbers.ts'
import { spokenWords } from './words.ts'

/** Comparison of transcribed speech with its text. */
export interface Comparison {
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
