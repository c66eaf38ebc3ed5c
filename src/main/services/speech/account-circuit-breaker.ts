import type { ErrorCode, Failure } from '../../../shared/bridge/reply.ts'
import type { Store } from '../../store/types.ts'
import { repairable } from '../accounts/repairable.ts'
import { neverSent } from '../transcribe/retry-plan.ts'
import { breathe } from './stepwise.ts'

/** What is known of accounts as a whole: where one cannot be reached, one piece tries the way, not thousands. */
export interface Holding {
  /** Nothing is asked of an account until then (Unix ms). */
  hold(accountId: string, until: number): void
  /** It answered, or somebody asks for it. */
  release(accountId: string): void
  isHeld(accountId: string, now: number): boolean
  /** How many pieces wait, and when the next wants to be tried (Unix ms; Infinity for never). */
  plan(now: number): { readonly waiting: number; readonly next: number }
  /** What else is queued for an account fails for the same reason, unsent; nothing happens for failures of a piece alone. */
  failRest(accountId: string, failure: Failure): Promise<void>
  /** An account can be asked (again): `retry` is called for each piece that waited for the way to it. */
  wake(accountId: string, retry: (segmentId: string) => void): Promise<void>
}

/** What it is built from. */
export interface HoldingParts {
  readonly store: Store
  /** Writes as soon as the store takes it. */
  write<T>(work: () => T): Promise<T>
  /** Pieces that are under way. */
  active(): readonly string[]
  readonly signal: AbortSignal
  /** Many pieces of a speech stand otherwise. */
  onMany(speechId: string): void
}

/** Failures that every other piece of the same account would meet as well: none of them is sent. */
const ofAccount: ReadonlySet<ErrorCode> = new Set([
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'KEYCHAIN_UNAVAILABLE',
  'BASE_URL_REFUSED',
  'TLS_UNTRUSTED',
  'QUOTA_EXHAUSTED',
])
/** Rows that are written in one go: some milliseconds. */
const rowsAtOnce = 400

/** Builds it. */
export function createHolding(parts: HoldingParts): Holding {
  const { speech } = parts.store
  const held = new Map<string, number>()
  const isHeld = (accountId: string, now: number): boolean => (held.get(accountId) ?? 0) > now
  /** Writes some rows at a time until none are left; how many. */
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
      if (!ofAccount.has(failure.code)) return
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
      const woken = await through(() => speech.wake(accountId, [...repairable], rowsAtOnce))
      if (woken > 0) for (const id of speech.openSpeeches(accountId)) parts.onMany(id)
    },
  }
}
