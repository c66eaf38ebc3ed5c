import type { BlockChange } from '../../../shared/bridge/documents.ts'
import type { Block } from '../../../shared/model/document.ts'
import { pairBlocks } from './pair-blocks.ts'
import type { Pair } from './pair-blocks.ts'
import { createWordComparer } from './word-changes.ts'
import type { WordComparer } from './word-changes.ts'

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
