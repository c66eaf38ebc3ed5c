import { diffArrays } from 'diff'
import type { BlockChange } from '../../../../../shared/contract/documents.ts'
import type { Block, Box } from '../../../../../shared/model/document.ts'

/** Boxes with a smaller overlap are in different places. */
const samePlace = 0.5

/**
 * Compares two versions of a page block by block, both in reading order and as returned, ignoring edits. `changed` means
 * another text or type, `moved` the same block at another place on the page or in the reading order. Results follow the
 * order of the right side; blocks that only the left one has follow their predecessor there.
 */
export function compareBlocks(
  left: readonly Block[],
  right: readonly Block[],
): readonly BlockChange[] {
  const pairs = pairBlocks(left, right)
  const inOrder = preservingOrder(pairs)
  const words = createWordComparer()
  const byRight = new Map(pairs.map((pair) => [pair.right, pair]))
  const paired = new Set(pairs.map((pair) => pair.left))
  const changes: BlockChange[] = []
  let next = 0
  const leaveOut = (end: number): void => {
    for (; next < end; next++) {
      const block = left[next]
      if (block && !paired.has(next))
        changes.push({ kind: 'left-only', left: block, right: null, words: [] })
    }
  }
  for (const [at, block] of right.entries()) {
    const pair = byRight.get(at)
    const before = pair && left[pair.left]
    if (pair && before) {
      // A moved block does not determine where its neighbors belong.
      if (inOrder.has(pair)) leaveOut(pair.left)
      changes.push(changeOf(pair, before, block, inOrder.has(pair), words))
    } else changes.push({ kind: 'right-only', left: null, right: block, words: [] })
  }
  leaveOut(left.length)
  return changes
}

function changeOf(
  pair: Pair,
  left: Block,
  right: Block,
  inOrder: boolean,
  words: WordComparer,
): BlockChange {
  if (!pair.sameText || left.kind !== right.kind)
    return { kind: 'changed', left, right, words: words.compare(left.content, right.content) }
  const stays = inOrder && (pair.overlap === null || pair.overlap >= samePlace)
  return { kind: stays ? 'same' : 'moved', left, right, words: [] }
}

/**
 * Returns the longest sequence of pairs in the same order on both sides; the others were moved around them.
 */
function preservingOrder(pairs: readonly Pair[]): ReadonlySet<Pair> {
  const sorted = pairs.toSorted((a, b) => a.left - b.left)
  /** The pair that ends the best sequence of each length, and the predecessor of each pair in its sequence. */
  const ends: Pair[] = []
  const before = new Map<Pair, Pair | undefined>()
  for (const pair of sorted) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle]?.right ?? Infinity) < pair.right) low = middle + 1
      else high = middle
    }
    before.set(pair, ends[low - 1])
    ends[low] = pair
  }
  const chosen = new Set<Pair>()
  for (let pair = ends.at(-1); pair; pair = before.get(pair)) chosen.add(pair)
  return chosen
}

/**
 * Words of two texts, in order, by their side; null when the texts are too long or too different to compare.
 */
type Words = BlockChange['words']

/** Maximum number of characters of both texts together: a block is rarely longer, and the caller waits. */
const maxCharacters = 20_000
/** Maximum number of changed words in one block: the cost of comparing is quadratic. */
const maxChanges = 250

/** Compares texts word by word, within a limit for all texts of a page together. */
interface WordComparer {
  compare(left: string, right: string): Words
}

/** Creates a comparer; `budget` is the number of changed words over all texts. */
function createWordComparer(budget = 2000): WordComparer {
  let rest = budget
  return {
    compare(left, right) {
      if (left.length + right.length > maxCharacters || rest <= 0) return null
      const maxEdits = Math.min(maxChanges, rest)
      const parts = diffArrays([...tokensOf(left)], [...tokensOf(right)], {
        maxEditLength: maxEdits,
      })
      if (!parts) {
        rest -= maxEdits
        return null
      }
      const words: { text: string; side: 'both' | 'left' | 'right' }[] = []
      for (const { added, removed, value } of parts) {
        if (added || removed) rest -= value.length
        words.push({ text: value.join(''), side: added ? 'right' : removed ? 'left' : 'both' })
      }
      return words
    },
  }
}

/** Two blocks that are the same part of a page, by their positions in their lists. */
interface Pair {
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
function pairBlocks(left: readonly Comparable[], right: readonly Comparable[]): readonly Pair[] {
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

/** Properties by which two blocks are compared. */
type Comparable = Pick<Block, 'content' | 'box'>

/** Intersection over union of two boxes, 0 to 1; null when one of them is missing. */
function overlap(one: Box | null, other: Box | null): number | null {
  if (!one || !other) return null
  const across = Math.min(one[2], other[2]) - Math.max(one[0], other[0])
  const down = Math.min(one[3], other[3]) - Math.max(one[1], other[1])
  if (across <= 0 || down <= 0) return 0
  const shared = across * down
  return shared / (area(one) + area(other) - shared)
}

const area = ([left, top, right, bottom]: Box): number => (right - left) * (bottom - top)

/** Returns a text with normalized white space and Unicode composition. */
const plainText = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** Words; single characters of scripts without spaces; white space; every other character. */
const tokenPattern = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[\p{L}\p{N}\p{M}]+|\s+|[^]/gu

/** Splits a text into the tokens by which it is compared; joined, they are the text. */
const tokensOf = (text: string): readonly string[] => text.match(tokenPattern) ?? []

/** Maximum number of characters compared for similarity; more would not change the result. */
const maxCompared = 1500

/** Frequency of each word in a text, case-insensitive. */
interface WordCount {
  readonly words: ReadonlyMap<string, number>
  readonly total: number
}

/** Counts the words of a text for {@link sharedWords}. */
function countWords(text: string): WordCount {
  const words = new Map<string, number>()
  let total = 0
  for (const token of tokensOf(text.slice(0, maxCompared).toLowerCase())) {
    if (token.trim() === '') continue
    words.set(token, (words.get(token) ?? 0) + 1)
    total += 1
  }
  return { words, total }
}

/** Returns an upper bound of {@link sharedWords}, from the lengths alone. */
const sharedUpperBound = (one: WordCount, other: WordCount): number =>
  one.total + other.total === 0
    ? 1
    : (2 * Math.min(one.total, other.total)) / (one.total + other.total)

/** Returns the share of words that two texts have in common, 0 to 1; texts without words are equal. */
function sharedWords(one: WordCount, other: WordCount): number {
  if (one.total + other.total === 0) return 1
  const [few, many] = one.words.size <= other.words.size ? [one, other] : [other, one]
  let shared = 0
  for (const [word, count] of few.words) shared += Math.min(count, many.words.get(word) ?? 0)
  return (2 * shared) / (one.total + other.total)
}
