import type { RankedCandidate } from '../../model/rerank.ts'

/**
 * Returns the maximum difference between scores of the same text in different requests; null when no text was scored twice.
 * If a request shifts all its scores equally, two texts of different requests that differ by twice as much are in the right
 * order.
 */
export function spreadOf(rounds: readonly (readonly RankedCandidate[])[]): number | null {
  const first = new Map<number, number>()
  let spread: number | null = null
  for (const results of rounds)
    for (const { index, score } of results) {
      const before = first.get(index)
      if (before === undefined) first.set(index, score)
      else spread = Math.max(spread ?? 0, Math.abs(before - score))
    }
  return spread
}
