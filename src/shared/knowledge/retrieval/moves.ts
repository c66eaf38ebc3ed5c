import type { HitIdentity } from '../../model/retrieval.ts'
import { matchIdentities } from './identity.ts'

/** Ranks of a result in two lists, from 1. */
export interface Move {
  /** Null when it is not in the list before. */
  readonly from: number | null
  /** Null when it is not in the list after. */
  readonly to: number | null
  /** Number of ranks it moved up; negative when it moved down. Null when it is in one list only. */
  readonly by: number | null
}

/** Returns the move of each result: those of the list after in order, then removed ones in their old order. */
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

export interface MoveCounts {
  readonly entered: number
  readonly left: number
  readonly moved: number
}

/** Counts added, removed and moved results. */
export const countMoves = (moves: readonly Move[]): MoveCounts => ({
  entered: moves.filter(({ from }) => from === null).length,
  left: moves.filter(({ to }) => to === null).length,
  moved: moves.filter(({ by }) => by !== null && by !== 0).length,
})
