import type { RankedCandidate } from '../../../../../shared/model/rerank.ts'
import { byScore } from '../../../../../shared/knowledge/rerank/order.ts'

/** One request of a ranking: the candidates it sends, by their index among all. */
export interface Round {
  /** Candidates that this round ranks. */
  readonly own: readonly number[]
  /** Candidates of the first round that are sent again, so that scores of both are comparable. */
  readonly anchors: readonly number[]
}

/** Number of first-round candidates that every further round sends again: the best and the worst. */
const anchorCount = 2

/** Maximum difference between two scores of the same text: rounding by a provider. */
const tolerance = 1e-3

/** Number of requests for the given number of candidates. */
export function roundCount(count: number, maxPerRound: number): number {
  return count <= maxPerRound ? 1 : 1 + Math.ceil((count - maxPerRound) / ownPlaces(maxPerRound))
}

/** At least one slot is for new candidates. */
const ownPlaces = (maxPerRound: number): number => Math.max(1, maxPerRound - anchorCount)

/** The first round; it needs no anchors. */
export const firstRound = (count: number, maxPerRound: number): Round => ({
  own: places(0, Math.min(count, maxPerRound)),
  anchors: [],
})

/** A further round, from 1; `first` is the response to the first one. */
export function furtherRound(
  round: number,
  count: number,
  maxPerRound: number,
  first: readonly RankedCandidate[],
): Round {
  const from = maxPerRound + (round - 1) * ownPlaces(maxPerRound)
  const sorted = first.toSorted(byScore)
  const ends = [sorted.at(0), sorted.at(-1)].flatMap((one) => (one ? [one.index] : []))
  return {
    own: places(from, Math.min(count, from + ownPlaces(maxPerRound))),
    anchors: [...new Set(ends)].slice(0, Math.max(0, maxPerRound - 1)),
  }
}

/** Two different scores of the same text. */
interface Disagreement {
  readonly index: number
  readonly round: number
  readonly first: number
  readonly later: number
}

/** All rounds as one list, best first; or the text whose scores show that scores of different requests are not comparable. */
export function mergeRounds(
  rounds: readonly (readonly RankedCandidate[])[],
): { readonly ranked: readonly RankedCandidate[] } | { readonly disagreement: Disagreement } {
  const scores = new Map<number, number>()
  for (const [round, results] of rounds.entries())
    for (const { index, score } of results) {
      const first = scores.get(index)
      if (first === undefined) scores.set(index, score)
      else if (Math.abs(first - score) > tolerance * Math.max(1, Math.abs(first)))
        return { disagreement: { index, round, first, later: score } }
    }
  return { ranked: [...scores].map(([index, score]) => ({ index, score })).toSorted(byScore) }
}

const places = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place)
