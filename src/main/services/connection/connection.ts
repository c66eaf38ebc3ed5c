import type { ConnectionCheck } from '../../../shared/bridge/accounts.ts'
import type { ErrorCode, Failure } from '../../../shared/bridge/reply.ts'
import type { ConnectionState, UnsavedReplies } from '../../../shared/model/connection.ts'
import type { Account } from '../../../shared/service/profiles.ts'
import type { Api } from '../../api/types.ts'
import type { Clock } from '../../deps.ts'
import { toFailure } from '../../errors.ts'
import type { NewActivityCall } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** Knows whether the active account can be reached, from what calls really did. */
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
const lookAgainMs = [5_000, 15_000, 30_000, 60_000] as const

const unreachable: ReadonlySet<ErrorCode> = new Set(['OFFLINE', 'TIMEOUT', 'TLS_UNTRUSTED'])

const noKey: ReadonlySet<ErrorCode> = new Set(['NO_KEY', 'KEYCHAIN_LOCKED', 'KEYCHAIN_UNAVAILABLE'])

/** Builds the connection state (architecture rule 9: offline is a state, not an error). */
export function createConnection(deps: ConnectionDeps): Connection {
  let verdict: Verdict = 'unknown'
  let error: Failure | undefined
  let since = deps.clock()
  let waiting = 0
  let unsaved: UnsavedReplies | null = null
  const waitingByKind = new Map<string, number>()
  let looks = 0
  let timer: NodeJS.Timeout | null = null
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
    if (next === 'online') stopLooking()
    if (next === 'online' && was !== 'online') deps.onOnline(deps.accounts.active().id)
    if (next === 'offline') lookLater()
  }

  const stopLooking = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    looks = 0
  }

  const lookLater = (): void => {
    if (timer || stopped) return
    const ms = lookAgainMs[Math.min(looks, lookAgainMs.length - 1)] ?? 60_000
    looks += 1
    timer = setTimeout(() => {
      timer = null
      void look(deps.accounts.active())
    }, ms)
    timer.unref()
  }

  const look = async (account: Account): Promise<void> => {
    await check(account.id, AbortSignal.timeout(20_000))
  }

  const judge = (accountId: string, code: ErrorCode | null, failure?: Failure): void => {
    if (accountId !== deps.accounts.active().id) return
    if (code === null) set('online')
    else if (unreachable.has(code)) set('offline', failure)
    // Looking again by itself would ask for the keychain's password each time: the user's check looks.
    else if (noKey.has(code)) set('no-key', failure)
    else if (code === 'KEY_REJECTED') set('key-rejected', failure)
    // Any other answer came from the service: it can be reached.
    else if (code !== 'CANCELLED' && code !== 'ENGINE_UNAVAILABLE' && failure?.service?.status)
      set('online')
    else if (code === 'ENGINE_UNAVAILABLE' || code === 'BASE_URL_REFUSED') set('offline', failure)
  }

  const check = async (accountId: string, signal: AbortSignal): Promise<ConnectionCheck> => {
    const from = deps.clock()
    try {
      const { ms } = await deps.api.connection.check(await deps.accounts.target(accountId), {
        signal,
      })
      judge(accountId, null)
      return { outcome: 'ok', ms, model: null }
    } catch (thrown) {
      const failure = toFailure(thrown, deps.clock())
      judge(accountId, failure.code, failure)
      return { outcome: 'failed', ms: deps.clock() - from, error: failure }
    }
  }

  return {
    state,
    check,
    observe(call) {
      if (call.outcome === 'cancelled') return
      if (call.outcome === 'ok') judge(call.accountId, null)
      else if (call.errorCode && unreachable.has(call.errorCode))
        judge(call.accountId, call.errorCode)
      else if (call.errorCode === 'KEY_REJECTED') judge(call.accountId, 'KEY_REJECTED')
      else if (call.status !== null) judge(call.accountId, null)
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
      stopLooking()
      const account = deps.accounts.active()
      verdict = account.preset === 'local' ? 'starting' : 'unknown'
      since = deps.clock()
      error = undefined
      deps.onChange(state())
      void look(account)
    },
    setLocal(localState) {
      if (deps.accounts.active().preset !== 'local') return
      // A look that fails sets `offline`, and must keep its growing pauses: only the first start is shown.
      if (localState === 'starting' && verdict === 'unknown') set('starting')
    },
    stop() {
      stopped = true
      stopLooking()
    },
  }
}
