import type { Failure } from '../../../../shared/contract/reply.ts'
import type { Clock } from '../../../deps.ts'
import type { Store } from '../../../library-database/types.ts'
import { isDue } from '../../../work-queue/due.ts'
import { createGate, type Gate } from '../../../work-queue/account-gate.ts'
import { createPace, type Pace } from './upload-concurrency.ts'

/** State of one account in this process. */
export interface UploadAccount {
  readonly gate: Gate
  readonly pace: Pace
  /** Why nothing, or only a probe, is sent; null when there is no problem. */
  trouble: Failure | null
}

/** States of the accounts that parts are sent to. */
export interface UploadAccounts {
  of(accountId: string): UploadAccount
  /** Whether another part may be sent, with this many in flight. */
  admits(accountId: string, inFlight: number): boolean
  /** Returns when one of these accounts accepts parts again (Unix ms); null when none of them waits for a time. */
  soonest(accountIds: Iterable<string>): number | null
  trouble(accountId: string): Failure | null
  /** Returns the accounts that cannot be reached without a network. */
  offline(): ReadonlySet<string>
  /** Records that the account responds, with any result. */
  answered(accountId: string): void
  /** Closes the account or the connection to it; `delayMs` null means until it is fixed. */
  close(
    accountId: string,
    why: 'offline' | 'account',
    delayMs: number | null,
    failure: Failure,
  ): void
  wake(accountId: string): void
}

/**
 * Creates account states on demand; `onTrouble` is called when an account's problem starts or ends. `lanes` limits the
 * parts in flight to one account, whatever its profile allows: more are not faster, but make cancels more expensive
 * (notes R2).
 */
export function createUploadAccounts(
  accounts: Pick<Store['accounts'], 'get'>,
  clock: Clock,
  lanes: () => number,
  onTrouble: () => void,
): UploadAccounts {
  const workers = new Map<string, UploadAccount>()
  const of = (accountId: string): UploadAccount => {
    const known = workers.get(accountId)
    if (known) return known
    const made = { gate: createGate(clock), pace: createPace(clock), trouble: null }
    workers.set(accountId, made)
    return made
  }
  const placesOf = (accountId: string): number =>
    Math.min(lanes(), accounts.get(accountId)?.profile.concurrency ?? 1)

  return {
    of,
    admits(accountId, inFlight) {
      const { gate, pace } = of(accountId)
      if (inFlight >= pace.places(placesOf(accountId))) return false
      return isDue(pace.blockedUntil, clock()) && gate.admits(inFlight)
    },
    soonest(accountIds) {
      const now = clock()
      const times = Array.from(accountIds, (accountId) => {
        const { gate, pace } = of(accountId)
        // A closed gate that only the user can open has no time; an account without a free slot is checked when one becomes free.
        const opens = gate.closed ? gate.nextAt : 0
        return opens === null ? 0 : Math.max(opens, pace.blockedUntil)
      }).filter((at) => !isDue(at, now))
      return times.length === 0 ? null : Math.min(...times)
    },
    trouble: (accountId) => workers.get(accountId)?.trouble ?? null,
    offline: () =>
      new Set(
        Array.from(workers)
          .filter(([, { gate }]) => gate.closed === 'offline')
          .map(([id]) => id),
      ),
    answered(accountId) {
      const worker = of(accountId)
      if (!worker.gate.opened() && worker.trouble === null) return
      worker.trouble = null
      onTrouble()
    },
    close(accountId, why, delayMs, failure) {
      const worker = of(accountId)
      worker.gate.close(why, delayMs, failure)
      worker.trouble = failure
      onTrouble()
    },
    wake: (accountId) => workers.get(accountId)?.gate.wake(),
  }
}
