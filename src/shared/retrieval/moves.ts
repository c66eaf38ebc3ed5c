import type { HitIdentity } from '../model/retrieval.ts'
import { matchIdentities } from './identity.ts'

/** Where a hit of one list stands in another. Ranks are from 1. */
export interface Move {
  /** Null: it is not in the list before. */
  readonly from: number | null
  /** Null: it is not in the list after. */
  readonly to: number | null
  /** Places it went up; negative when it went down. Null when it is in one list alone. */
  readonly by: number | null
}

/** What became of each hit: those of the list after in their order, then those that went, in the order they had. */
export function movesBetween(
  before: readonly HitIdentity[],
  after: readonly HitIdentity[],
): readonly Move[] {
  const matches = matchIdentities(after, before)
  const matched = new Set(matches)
  const stayed = matches.map((at, place): Move => {
    const to = place + 1
    return at === null ? { from: null, to, by: null } : { from: at + 1, to, by: at + 1 - to }
  })
  const gone = [...before.keys()]
    .filter((at) => !matched.has(at))
    .map((at): Move => ({ from: at + 1, to: null, by: null }))
  return [...stayed, ...gone]
}

/** Moves of a list, counted. */
export interface MoveCounts {
  readonly entered: number
  readonly left: number
  readonly moved: number
}

/** Counts hits that came, went, and stand elsewhere. */
export const countMoves = (moves: readonly Move[]): MoveCounts => ({
  entered: moves.filter(({ from }) => from === null).length,
  left: moves.filter(({ to }) => to === null).length,
  moved: moves.filter(({ by }) => by !== null && by !== 0).length,
})
