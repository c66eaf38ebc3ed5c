import type { Clock } from '../deps.ts'

/** Adapts a number of parallel requests to the rate limits of the provider. */
export interface ConcurrencyLimit {
  /** Returns the current maximum: between 1 and `size`, the configured one, which takes effect at once. */
  places(size: number): number
  /**
   * Halves the maximum after a rate limit. Returns false if it belongs to the rate limit before: requests in flight together
   * are refused together.
   */
  limited(): boolean
  /** Adds one for each successful request, after a while without a rate limit, up to the configured maximum. */
  succeeded(): void
  readonly isReduced: boolean
}

/** Milliseconds after a rate limit during which the maximum does not grow. */
const restMs = 10_000
/** Milliseconds within which rate limits count as one. */
const togetherMs = 1_000

export function createConcurrencyLimit(clock: Clock): ConcurrencyLimit {
  let configured = 1
  let reduced: number | null = null
  let limitedAt = -Infinity
  const places = (): number => Math.min(configured, reduced ?? configured)
  // The clock may have been set back.
  const sinceLimited = (): number => Math.abs(clock() - limitedAt)
  return {
    places(size) {
      configured = Math.max(1, Math.floor(size))
      return places()
    },
    limited() {
      const isNew = sinceLimited() > togetherMs
      if (isNew) reduced = Math.max(1, Math.floor(places() / 2))
      limitedAt = clock()
      return isNew
    },
    succeeded() {
      if (reduced === null || sinceLimited() < restMs) return
      reduced = reduced + 1 >= configured ? null : reduced + 1
    },
    get isReduced() {
      return reduced !== null
    },
  }
}
