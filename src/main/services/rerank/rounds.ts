import type { RankedCandidate } from '../../../shared/model/rerank.ts'
import { byScore } from '../../../shared/rerank/order.ts'

/** One call of a ranking: the candidates it sends, by their place among all. */
export interface Round {
  /** What it is for. */
  readonly own: readonly number[]
  /** Candidates of the first round that go along, so that scores of both can be compared. */
  readonly anchors: readonly number[]
}

/** Candidates of the first round that every further one sends again: its best and its worst. */
const anchorCount = 2

/** How far two scores of the same text may be apart: what rounding of a service does. */
const tolerance = 1e-3

/** Calls that so many candidates take. */
export function roundCount(count: number, maxPerRound: number): number {
  return count <= maxPerRound ? 1 : 1 + Math.ceil((count - maxPerRound) / ownPlaces(maxPerRound))
}

/** At least one place is for new candidates. */
const ownPlaces = (maxPerRound: number): number => Math.max(1, maxPerRound - anchorCount)

/** The first round; it needs no anchors. */
export const firstRound = (count: number, maxPerRound: number): Round => ({
  own: places(0, Math.min(count, maxPerRound)),
  anchors: [],
})

/** A further round, from 1 on; `first` is what the first one was answered with. */
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

/** A score that one text got twice, and that was not the same. */
export interface Disagreement {
  readonly index: number
  readonly round: number
  readonly first: number
  readonly later: number
}

/** All rounds as one list, best first; or the text whose score shows that scores of different calls cannot be compared. */
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
