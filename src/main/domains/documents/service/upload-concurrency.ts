import type { Clock } from '../../../deps.ts'

/** Limits how many parts may be in flight to one account at a time. */
export interface Pace {
  /** Number of slots at present, between 1 and `size`. */
  places(size: number): number
  /** Unix ms before which nothing is sent. */
  readonly blockedUntil: number
  /** Number of consecutive rate limit responses. */
  readonly refusals: number
  /** Handles a rate limit: halves the slots from now on, and sends nothing before `until` (Unix ms). */
  limited(until: number): void
  /** Handles a response; after a while without a rate limit, one slot is added. */
  fine(): void
}

/** Milliseconds after a rate limit during which the slots do not grow. */
const restMs = 10_000
/** Milliseconds within which refusals count as one: parts in flight together are refused together. */
const togetherMs = 1_000

/** Creates the pace of an account; `size` is passed to each call, as it may change at any time. */
export function createPace(clock: Clock): Pace {
  let held: number | null = null
  let size = 1
  let blockedUntil = 0
  let limitedAt = -Infinity
  let refusals = 0
  return {
    places(now) {
      size = Math.max(1, Math.floor(now))
      return Math.min(size, held ?? size)
    },
    get blockedUntil() {
      return blockedUntil
    },
    get refusals() {
      return refusals
    },
    limited(until) {
      const now = clock()
      blockedUntil = Math.max(blockedUntil, until)
      if (now - limitedAt > togetherMs) {
        held = Math.max(1, Math.floor(Math.min(size, held ?? size) / 2))
        refusals += 1
      }
      limitedAt = now
    },
    fine() {
      refusals = 0
      if (held === null || clock() - limitedAt < restMs) return
      held = held + 1 >= size ? null : held + 1
    },
  }
}
