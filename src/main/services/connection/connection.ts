import type { ConnectionCheck } from '../../../shared/bridge/accounts.ts'
import type { ErrorCode, Failure } from '../../../shared/bridge/reply.ts'
import type { ConnectionState, UnsavedReplies } from '../../../shared/model/connection.ts'
import type { Api } from '../../api/types.ts'
import type { Clock } from '../../deps.ts'
import { toFailure } from '../../errors.ts'
import type { NewActivityCall } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** Knows whether the active account can be reached, from what calls really did, and looks again for every account that could not be. */
export interface Connection {
  state(): ConnectionState
  /** One cheap call, explained; never throws. */
  check(accountId: string, signal: AbortSignal): Promise<ConnectionCheck>
  /** Every recorded call is evidence. */
  observe(call: NewActivityCall): void
  /** How many pieces of work of a kind wait for the network; the kinds are added up. */
  setWaiting(
    kind:
      | 'transcriptions'
      | 'meetings'
      | 'documents'
      | 'chats'
      | 'knowledge'
      | 'retrieval'
      | 'speech'
      | 'embeddings',
    count: number,
  ): void
  /** What was received and cannot be stored now; null when all is. */
  setUnsaved(unsaved: UnsavedReplies | null): void
  /** Why an account cannot be reached, as far as it is known; null when it can be, or nobody tried. */
  trouble(accountId: string): Failure | null
  /** The active account, its key or its profile changed, or the machine woke: look again. */
  refresh(): void
  /** The built-in service starts or runs. */
  setLocal(state: 'starting' | 'running' | 'stopped'): void
  stop(): void
}

/** What the connection is built from. */
export interface ConnectionDeps {
  readonly accounts: Accounts
  readonly api: Api
  readonly clock: Clock
  onChange(state: ConnectionState): void
  /** The network is back for this account. */
  onOnline(accountId: string): void
}

type Verdict = ConnectionState['state']

/** Milliseconds between looks while the service cannot be reached; the last repeats. */
const recheckMs: readonly number[] = [5_000, 15_000, 30_000, 60_000]
/** The same for accounts that are not active: nobody looks at them. */
const slowRecheckMs: readonly number[] = [...recheckMs, 120_000, 600_000]

const unreachable: ReadonlySet<ErrorCode> = new Set(['OFFLINE', 'TIMEOUT', 'TLS_UNTRUSTED'])

const noKey: ReadonlySet<ErrorCode> = new Set(['NO_KEY', 'KEYCHAIN_LOCKED', 'KEYCHAIN_UNAVAILABLE'])

/** What the outcome of a call says of its account; null when it says nothing. */
function verdictOf(code: ErrorCode | null, failure?: Failure): Verdict | null {
  if (code === null) return 'online'
  if (unreachable.has(code)) return 'offline'
  // Looking again by itself would ask for the keychain's password each time: the user's check looks.
  if (noKey.has(code)) return 'no-key'
  if (code === 'KEY_REJECTED') return 'key-rejected'
  if (code === 'ENGINE_UNAVAILABLE' || code === 'BASE_URL_REFUSED') return 'offline'
  // Any other answer came from the service: it can be reached.
  return code !== 'CANCELLED' && failure?.service?.status ? 'online' : null
}

/** Builds the connection state (architecture rule 9: offline is a state, not an error). */
export function createConnection(deps: ConnectionDeps): Connection {
  let verdict: Verdict = 'unknown'
  let error: Failure | undefined
  let since = deps.clock()
  let waiting = 0
  let unsaved: UnsavedReplies | null = null
  const waitingByKind = new Map<string, number>()
  /** Accounts that could not be reached: the looks so far, and the next one. */
  const outages = new Map<string, { checks: number; timer: NodeJS.Timeout | null }>()
  let stopped = false

  const state = (): ConnectionState => {
    const account = deps.accounts.active()
    return {
      accountId: account.id,
      accountName: account.name,
      preset: account.preset,
      state: verdict,
      waiting,
      since,
      ...(unsaved && { unsaved }),
      ...(error && { error }),
    }
  }

  const set = (next: Verdict, reason?: Failure): void => {
    if (stopped) return
    const was = verdict
    const explained = reason !== undefined && error?.code !== reason.code
    if (reason || next !== was) error = reason
    if (next !== was) {
      verdict = next
      since = deps.clock()
    }
    if (next !== was || explained) deps.onChange(state())
    if (next === 'online' && was !== 'online') deps.onOnline(deps.accounts.active().id)
  }

  /** True when it was looked for. */
  const stopLooking = (accountId: string): boolean => {
    const outage = outages.get(accountId)
    if (outage?.timer) clearTimeout(outage.timer)
    return outages.delete(accountId)
  }

  const recheckLater = (accountId: string): void => {
    const outage = outages.get(accountId) ?? { checks: 0, timer: null }
    if (outage.timer || stopped) return
    const pauses = accountId === deps.accounts.active().id ? recheckMs : slowRecheckMs
    const ms = pauses[Math.min(outage.checks, pauses.length - 1)] ?? 60_000
    outage.checks += 1
    outage.timer = setTimeout(() => {
      outage.timer = null
      void recheck(accountId)
    }, ms)
    outage.timer.unref()
    outages.set(accountId, outage)
  }

  const recheck = async (accountId: string): Promise<void> => {
    await check(accountId, AbortSignal.timeout(20_000))
  }

  const applyResult = (accountId: string, code: ErrorCode | null, failure?: Failure): void => {
    const next = verdictOf(code, failure)
    const isActive = accountId === deps.accounts.active().id
    if (next === null) {
      // Nothing is known: it may be an account that was removed.
      if (!isActive && outages.get(accountId)?.timer === null) outages.delete(accountId)
      return
    }
    const wasOut = next !== 'offline' && stopLooking(accountId)
    if (isActive) set(next, failure)
    else if (next === 'online' && wasOut && !stopped) deps.onOnline(accountId)
    if (next === 'offline') recheckLater(accountId)
  }

  const check = async (accountId: string, signal: AbortSignal): Promise<ConnectionCheck> => {
    const from = deps.clock()
    try {
      const { ms } = await deps.api.connection.check(await deps.accounts.target(accountId), {
        signal,
      })
      applyResult(accountId, null)
      return { outcome: 'ok', ms, model: null }
    } catch (thrown) {
      const failure = toFailure(thrown, deps.clock())
      applyResult(accountId, failure.code, failure)
      return { outcome: 'failed', ms: deps.clock() - from, error: failure }
    }
  }

  return {
    state,
    check,
    observe(call) {
      if (call.outcome === 'cancelled') return
      if (call.outcome === 'ok') applyResult(call.accountId, null)
      else if (call.errorCode && unreachable.has(call.errorCode))
        applyResult(call.accountId, call.errorCode)
      else if (call.errorCode === 'KEY_REJECTED') applyResult(call.accountId, 'KEY_REJECTED')
      else if (call.status !== null) applyResult(call.accountId, null)
    },
    setWaiting(kind, count) {
      waitingByKind.set(kind, count)
      const next = [...waitingByKind.values()].reduce((sum, each) => sum + each, 0)
      if (waiting === next) return
      waiting = next
      deps.onChange(state())
    },
    setUnsaved(now) {
      unsaved = now
      deps.onChange(state())
    },
    trouble(accountId) {
      const isKnown = accountId === deps.accounts.active().id
      const isOut = verdict === 'offline' || verdict === 'no-key' || verdict === 'key-rejected'
      if (!isKnown || !isOut) return null
      const at = deps.clock()
      return error ?? { code: 'OFFLINE', message: 'It cannot be reached', retriable: true, at }
    },
    refresh() {
      const account = deps.accounts.active()
      stopLooking(account.id)
      verdict = account.preset === 'local' ? 'starting' : 'unknown'
      since = deps.clock()
      error = undefined
      deps.onChange(state())
      void recheck(account.id)
    },
    setLocal(localState) {
      if (deps.accounts.active().preset !== 'local') return
      // A look that fails sets `offline`, and must keep its growing pauses: only the first start is shown.
      if (localState === 'starting' && verdict === 'unknown') set('starting')
    },
    stop() {
      stopped = true
      for (const accountId of outages.keys()) stopLooking(accountId)
    },
  }
}
