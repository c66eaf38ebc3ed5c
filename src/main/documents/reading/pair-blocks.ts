import type { Comparable, WordCount } from './block-similarity.ts'
import {
  countWords,
  sharedUpperBound,
  overlap,
  plainText,
  sharedWords,
} from './block-similarity.ts'

/** Two blocks that are the same part of a page, by their positions in their lists. */
export interface Pair {
  readonly left: number
  readonly right: number
  readonly sameText: boolean
  /** Intersection over union of both boxes; null when a box is missing. */
  readonly overlap: number | null
}

/** A possible pair, and how well it matches. */
interface Candidate extends Pair {
  readonly score: number
}

/** Minimum overlap of boxes and minimum shared words of texts for two blocks to be paired. */
const minOverlap = 0.4
const minShared = 0.5

/**
 * Above this number of pairs, only blocks near each other in the reading order, and those with equal text, are compared.
 */
const maxPairs = 40_000
const nearby = 20

/** A block, prepared once for all its comparisons. */
interface PreparedBlock {
  readonly box: Comparable['box']
  readonly text: string
  readonly words: WordCount
}

/**
 * Pairs the blocks of two versions of a page: best match by position and text first, each block once. The same lists
 * always return the same pairs.
 */
export function pairBlocks(
  left: readonly Comparable[],
  right: readonly Comparable[],
): readonly Pair[] {
  const candidates = candidatesOf(left.map(read), right.map(read))
  candidates.sort((a, b) => b.score - a.score || a.left - b.left || a.right - b.right)
  const usedLeft = new Set<number>()
  const usedRight = new Set<number>()
  const pairs: Pair[] = []
  for (const { score: _, ...pair } of candidates) {
    if (usedLeft.has(pair.left) || usedRight.has(pair.right)) continue
    usedLeft.add(pair.left)
    usedRight.add(pair.right)
    pairs.push(pair)
  }
  return pairs
}

function read({ content, box }: Comparable): PreparedBlock {
  const text = plainText(content)
  return { box, text, words: countWords(text) }
}

function candidatesOf(
  left: readonly PreparedBlock[],
  right: readonly PreparedBlock[],
): Candidate[] {
  const few = left.length * right.length <= maxPairs
  const byText = few ? null : placesByText(right)
  return left.flatMap((one, at) => {
    const places = byText
      ? near(at, left.length, right.length, byText.get(one.text) ?? [])
      : right.keys()
    return Array.from(places).flatMap((place) => {
      const other = right[place]
      const found = other && candidate(one, other)
      if (!found) return []
      // Of several equal matches, prefers the one at about the same position in the reading order.
      const away = Math.abs(at / left.length - place / right.length)
      return [{ ...found, left: at, right: place, score: found.score - away / 20 }]
    })
  })
}

function placesByText(blocks: readonly PreparedBlock[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, { text }] of blocks.entries()) {
    const same = places.get(text)
    if (!same) places.set(text, [at])
    else if (same.length < nearby) same.push(at)
  }
  return places
}

function near(
  at: number,
  leftCount: number,
  rightCount: number,
  more: readonly number[],
): Set<number> {
  const middle = Math.round((at / leftCount) * rightCount)
  const first = Math.max(0, middle - nearby)
  const last = Math.min(rightCount - 1, middle + nearby)
  return new Set([...Array.from({ length: last - first + 1 }, (_, i) => first + i), ...more])
}

/** Returns a candidate pair; null when nothing indicates that both are the same part of the page. */
function candidate(
  one: PreparedBlock,
  other: PreparedBlock,
): Pick<Candidate, 'sameText' | 'overlap' | 'score'> | null {
  const covered = overlap(one.box, other.box)
  const byPlace = covered !== null && covered >= minOverlap
  const sameText = one.text === other.text
  if (!sameText && !byPlace && sharedUpperBound(one.words, other.words) < minShared) return null
  const shared = sameText ? 1 : sharedWords(one.words, other.words)
  // Images have no text of their own: only their position can show that they are the same.
  const noText = one.text === '' && other.text === ''
  const byText = noText ? covered === null : shared >= minShared
  if (!byPlace && !byText) return null
  return { sameText, overlap: covered, score: shared + (covered ?? 0.5) }
}
