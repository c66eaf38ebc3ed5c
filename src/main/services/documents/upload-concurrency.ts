import type { Clock } from '../../deps.ts'

/** How many parts may be on their way to one account at a time. */
export interface Pace {
  /** Places at present, between 1 and `size`. */
  places(size: number): number
  /** Unix ms before which nothing is sent. */
  readonly blockedUntil: number
  /** Refusals in a row. */
  readonly refusals: number
  /** The service asked for less: half as many from now on, and none before `until` (Unix ms). */
  limited(until: number): void
  /** An answer came; after a while without a refusal there is one place more. */
  fine(): void
}

/** After the service asked for less, the places do not grow for this long, in milliseconds. */
const restMs = 10_000
/** What was on its way together is refused together: that is one refusal, in milliseconds. */
const togetherMs = 1_000

/** Makes the pace of an account; `size` is told at each look, as it may be changed at any time. */
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
