import { isDue } from '../platform/database/due.ts'

/** Failed attempts, and when the next may follow (Unix ms); null: when the account is ready. */
export interface Retry {
  readonly attempts: number
  readonly at: number | null
}

/** Retries of items whose rows don’t contain them: a restart tries every item at once. */
export class Retries<Id> extends Map<Id, Retry> {
  attempts(id: Id): number {
    return this.get(id)?.attempts ?? 0
  }
  /** Whether an item waits neither for a time nor for its account. */
  isDue(id: Id, now: number): boolean {
    const retry = this.get(id)
    return !retry || (retry.at !== null && isDue(retry.at, now))
  }
  /** Returns the time of the next retry after `now` (Unix ms). */
  next(now: number): number | null {
    const times = [...this.values()].flatMap(({ at }) => (at !== null && at > now ? [at] : []))
    return times.length === 0 ? null : Math.min(...times)
  }
}
