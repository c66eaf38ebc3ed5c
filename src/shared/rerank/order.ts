import type { RankedCandidate } from '../model/rerank.ts'

/** A candidate on its way from the place it was given at to the place it was ranked at; places count from 0. */
export interface Move {
  readonly index: number
  /** Null for one that was not ranked: it was cut off, or no score came. */
  readonly rank: number | null
  readonly score: number | null
  /** Places it went up; negative: down; null when not ranked. */
  readonly up: number | null
}

/** Best first: by score, and in the order given where scores are equal. */
export const byScore = (a: RankedCandidate, b: RankedCandidate): number =>
  b.score - a.score || a.index - b.index

/** Every candidate with its move, in the order they were given in. `ranked` is best first. */
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

/** How rows are sorted. */
export type MoveOrder = 'new' | 'old' | 'score' | 'change'

/** The moves in the order of the rows; what was not ranked stands last, in the order given. */
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

/** Where a bar ends, 0 to 1: scores of 0 to 1 as they are, others between the least and the greatest. */
export function barLengths(scores: readonly number[]): (score: number) => number {
  const lowest = Math.min(0, ...scores)
  const greatest = Math.max(...scores, lowest)
  if (lowest >= 0 && greatest <= 1) return (score) => Math.min(1, Math.max(0, score))
  const span = greatest - lowest
  return (score) => (span > 0 ? (score - lowest) / span : 1)
}
