import type { BlockChange } from '../../../shared/bridge/documents.ts'
import type { Block } from '../../../shared/model/document.ts'
import { pairBlocks } from './pair-blocks.ts'
import type { Pair } from './pair-blocks.ts'
import { createWordComparer } from './word-changes.ts'
import type { WordComparer } from './word-changes.ts'

/** Boxes that share less than this are at another place. */
const samePlace = 0.5

/**
 * What became of each block between two versions of a page, both in reading order: as returned, edits left aside. `changed` is another
 * text or kind, `moved` the same at another place of the page or of its reading order. In the order of the right side; what only the
 * left one has stands after what preceded it there.
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
      // A block that moved says nothing about where those beside it belong.
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

/** The longest run of pairs that stand in the same order on both sides; the others were moved around them. */
function preservingOrder(pairs: readonly Pair[]): ReadonlySet<Pair> {
  const sorted = pairs.toSorted((a, b) => a.left - b.left)
  /** The pair that ends the best run of each length, and what came before each pair in its run. */
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
