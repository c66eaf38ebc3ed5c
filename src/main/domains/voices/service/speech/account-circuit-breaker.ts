import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Store } from '../../../../library-database/store.ts'
import { affectsAccount, neverSent, repairableCodes } from '../../../../work-queue/retry-policy.ts'
import { breathe } from './stepwise.ts'

/** Circuit breaker per account: if an account is unreachable, one segment probes it instead of thousands. */
export interface Holding {
  /** Sends no requests to an account until this time (Unix ms). */
  hold(accountId: string, until: number): void
  /** Called when the account responded, or when the user requests it explicitly. */
  release(accountId: string): void
  isHeld(accountId: string, now: number): boolean
  /** Returns the number of waiting segments, and the time of the next attempt (Unix ms; Infinity for never). */
  plan(now: number): { readonly waiting: number; readonly next: number }
  /**
   * Fails everything else queued for an account for the same reason without sending it; does nothing for failures of a
   * single segment.
   */
  failRest(accountId: string, failure: Failure): Promise<void>
  /**
   * Called when an account is available again: calls `retry` for each segment that waited for a connection to it.
   */
  wake(accountId: string, retry: (segmentId: string) => void): Promise<void>
}

export interface HoldingParts {
  readonly store: Store
  /** Writes as soon as the store accepts it. */
  write<T>(work: () => T): Promise<T>
  /** Returns the segments in progress. */
  active(): readonly string[]
  readonly signal: AbortSignal
  /** Called when many segments of a narration have changed. */
  onMany(speechId: string): void
}

/** Number of rows written together: takes a few milliseconds. */
const rowsAtOnce = 400

export function createHolding(parts: HoldingParts): Holding {
  const { speech } = parts.store
  const held = new Map<string, number>()
  const isHeld = (accountId: string, now: number): boolean => (held.get(accountId) ?? 0) > now
  /** Writes batches of rows until none are left; returns the total. */
  const through = async (write: () => number): Promise<number> => {
    for (let all = 0; ;) {
      const some = await parts.write(write)
      all += some
      if (some < rowsAtOnce || parts.signal.aborted) return all
      await breathe()
    }
  }
  return {
    hold: (accountId, until) => void held.set(accountId, until),
    release: (accountId) => void held.delete(accountId),
    isHeld,
    plan(now) {
      const away = [...held.keys()].filter((accountId) => isHeld(accountId, now))
      const others = speech.waiting(away)
      return {
        waiting: away.reduce((sum, accountId) => sum + speech.openOf(accountId), others.n),
        next: Math.min(others.next ?? Infinity, ...away.map((id) => held.get(id) ?? Infinity)),
      }
    },
    async failRest(accountId, failure) {
      if (!affectsAccount(failure.code)) return
      const speeches = speech.openSpeeches(accountId)
      held.set(accountId, Infinity)
      try {
        await through(() => speech.failAll(accountId, failure, parts.active(), rowsAtOnce))
      } finally {
        held.delete(accountId)
      }
      for (const id of speeches) parts.onMany(id)
    },
    async wake(accountId, retry) {
      held.delete(accountId)
      for (const { id, error } of speech.held(accountId)) if (error && neverSent(error)) retry(id)
      const woken = await through(() => speech.wake(accountId, repairableCodes, rowsAtOnce))
      if (woken > 0) for (const id of speech.openSpeeches(accountId)) parts.onMany(id)
    },
  }
}
