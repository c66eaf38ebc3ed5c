import type { RankedCandidate } from '../model/rerank.ts'

/**
 * How far scores of the same text lie apart in different calls at most; null where no text was scored twice. Where a call shifts all its scores
 * alike, two texts of different calls that are twice as far apart stand in the right order.
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
