import type { RankedCandidate } from '../../model/rerank.ts'

/** Move of a candidate from its original index to its rank; both count from 0. */
interface Move {
  readonly index: number
  /** Null for one that was not ranked: it was cut off or has no score. */
  readonly rank: number | null
  readonly score: number | null
  /** Number of ranks it moved up; negative: down; null when not ranked. */
  readonly up: number | null
}

/** Best first: by score, and in the original order for equal scores. */
export const byScore = (a: RankedCandidate, b: RankedCandidate): number =>
  b.score - a.score || a.index - b.index

/** Returns every candidate with its move, in the original order. `ranked` is best first. */
export function movesOf(count: number, ranked: readonly RankedCandidate[]): readonly Move[] {
  const moves: Move[] = Array.from({ length: count }, (_, index) => ({
    index,
    rank: null,
    score: null,
    up: null,
  }))
  for (const [rank, { index, score }] of ranked.entries())
    if (index >= 0 && index < count) moves[index] = { index, rank, score, up: index - rank }
  return moves
}

/** Sort order of rows. */
export type MoveOrder = 'new' | 'old' | 'score' | 'change'

/** Sorts the moves; unranked ones are last, in the original order. */
export function sortedMoves(moves: readonly Move[], order: MoveOrder): readonly Move[] {
  const last = (move: Move): number => move.rank ?? moves.length + move.index
  if (order === 'old') return moves.toSorted((a, b) => a.index - b.index)
  if (order === 'change')
    return moves.toSorted(
      (a, b) => Math.abs(b.up ?? -1) - Math.abs(a.up ?? -1) || last(a) - last(b),
    )
  if (order === 'score')
    return moves.toSorted(
      (a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || last(a) - last(b),
    )
  return moves.toSorted((a, b) => last(a) - last(b))
}

/** Returns the length of a bar, 0 to 1: scores of 0 to 1 unchanged, others relative to the minimum and maximum. */
export function barLengths(scores: readonly number[]): (score: number) => number {
  const lowest = Math.min(0, ...scores)
  const greatest = Math.max(...scores, lowest)
  if (lowest >= 0 && greatest <= 1) return (score) => Math.min(1, Math.max(0, score))
  const span = greatest - lowest
  return (score) => (span > 0 ? (score - lowest) / span : 1)
}
