import type { ConnectionCheck } from '../../../../../shared/contract/accounts.ts'
import type { ErrorCode, Failure } from '../../../../../shared/contract/reply.ts'
import type { ConnectionState, UnsavedReplies } from '../../../../../shared/model/connection.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock } from '../../../../deps.ts'
import { asNotOffered, toFailure } from '../../../../errors.ts'
import type { NewActivityCall } from '../../../../library-database/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** Tracks whether the active account is reachable, from the outcomes of requests, and rechecks every account that was not. */
export interface Connection {
  state(): ConnectionState
  /** Makes one cheap request and explains the result; never throws. */
  check(accountId: string, signal: AbortSignal): Promise<ConnectionCheck>
  /** Uses the outcome of a recorded request. */
  observe(call: NewActivityCall): void
  /** Sets how many tasks of a type wait for the network; the types are added up. */
  setWaiting(
    kind: 'meetings' | 'documents' | 'chats' | 'knowledge' | 'retrieval' | 'speech' | 'embeddings',
    count: number,
  ): void
  /** Sets what was received but cannot be stored now; null when everything is stored. */
  setUnsaved(unsaved: UnsavedReplies | null): void
  /** Returns why an account cannot be reached, if known; null when it can be, or when nothing was tried. */
  trouble(accountId: string): Failure | null
  /** Called when the active account, its key or its profile changed, or the computer woke up: checks again. */
  refresh(): void
  /** Reports whether the built-in service is starting or running. */
  setLocal(state: 'starting' | 'running' | 'stopped'): void
  stop(): void
}

interface ConnectionDeps {
  readonly accounts: Accounts
  readonly api: Api
  readonly clock: Clock
  onChange(state: ConnectionState): void
  /** Called when the network is back for this account. */
  onOnline(accountId: string): void
}

type Verdict = ConnectionState['state']

/** Milliseconds between checks while the provider cannot be reached; the last one repeats. */
const recheckMs: readonly number[] = [5_000, 15_000, 30_000, 60_000]
/** Milliseconds between checks of inactive accounts, which are not shown to the user. */
const slowRecheckMs: readonly number[] = [...recheckMs, 120_000, 600_000]

const unreachable: ReadonlySet<ErrorCode> = new Set(['OFFLINE', 'TIMEOUT', 'TLS_UNTRUSTED'])

const noKey: ReadonlySet<ErrorCode> = new Set(['NO_KEY', 'KEYCHAIN_LOCKED', 'KEYCHAIN_UNAVAILABLE'])

/** Returns what the outcome of a request implies for its account; null when it implies nothing. */
function verdictOf(code: ErrorCode | null, failure?: Failure): Verdict | null {
  if (code === null) return 'online'
  if (unreachable.has(code)) return 'offline'
  // Automatic rechecks would request the keychain's password each time: only the user's check does.
  if (noKey.has(code)) return 'no-key'
  if (code === 'KEY_REJECTED') return 'key-rejected'
  if (code === 'ENGINE_UNAVAILABLE' || code === 'BASE_URL_REFUSED') return 'offline'
  // Any other response came from the provider: it is reachable.
  return code !== 'CANCELLED' && failure?.service?.status ? 'online' : null
}

/** Creates the connection state (architecture rule 9: offline is a state, not an error). */
export function createConnection(deps: ConnectionDeps): Connection {
  let verdict: Verdict = 'unknown'
  let error: Failure | undefined
  let since = deps.clock()
  let waiting = 0
  let unsaved: UnsavedReplies | null = null
  const waitingByKind = new Map<string, number>()
  /** Unreachable accounts: number of checks so far, and the timer of the next one. */
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

  /** Stops rechecking an account; returns true when it was being rechecked. */
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
      // Nothing is known: the account may have been removed.
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
      const shown = toFailure(asNotOffered(thrown, 'api'), deps.clock())
      return { outcome: 'failed', ms: deps.clock() - from, error: shown }
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
      return (
        error ?? {
          code: 'OFFLINE',
          message: 'The provider could not be reached',
          retriable: true,
          at,
        }
      )
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
      // A failed check sets `offline`, and its growing delays must remain: only the first start is shown.
      if (localState === 'starting' && verdict === 'unknown') set('starting')
    },
    stop() {
      stopped = true
      for (const accountId of outages.keys()) stopLooking(accountId)
    },
  }
}
