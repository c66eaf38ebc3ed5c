import type { ErrorCode, Failure } from '../../shared/contract/reply.ts'
import type { AppError } from '../errors.ts'
import { isStoreCode } from '../platform/database/persist.ts'

/** What a failure says about other requests. */
interface Traits {
  /**
   * What fails in the same way: every request of the account, or at least those of the same operation, model or voice.
   * Absent if it may be only this request.
   */
  readonly affects?: 'account' | 'operation'
  /** Who can fix it: the user with another key, the user in the settings, or the provider without a change here. */
  readonly fixedBy?: readonly ('key' | 'settings' | 'provider')[]
  /** The request was not sent, or was refused on receipt: nothing was executed or billed. */
  readonly isUnreceived?: true
}

const key: Traits = { affects: 'account', fixedBy: ['key'], isUnreceived: true }
const settings: Traits = { affects: 'account', fixedBy: ['settings'], isUnreceived: true }
const unreceived: Traits = { isUnreceived: true }

/** The table of failures: whoever decides about another attempt reads it. */
const traits: Readonly<Partial<Record<ErrorCode, Traits>>> = {
  NO_KEY: key,
  KEY_REJECTED: key,
  KEYCHAIN_LOCKED: key,
  KEYCHAIN_UNAVAILABLE: key,
  BASE_URL_REFUSED: settings,
  TLS_UNTRUSTED: settings,
  QUOTA_EXHAUSTED: { affects: 'account', fixedBy: ['provider'], isUnreceived: true },
  PERMISSION_DENIED: { affects: 'operation', fixedBy: ['provider'], isUnreceived: true },
  SERVICE_NOT_FOUND: { affects: 'operation', fixedBy: ['provider'], isUnreceived: true },
  ENGINE_UNAVAILABLE: {
    affects: 'operation',
    fixedBy: ['settings', 'provider'],
    isUnreceived: true,
  },
  REDIRECTED: { affects: 'operation' },
  MODEL_UNKNOWN: { affects: 'operation' },
  NOT_IMPLEMENTED: { affects: 'operation' },
  ACCOUNT_REMOVED: { affects: 'account', isUnreceived: true },
  RATE_LIMITED: { fixedBy: ['provider'], isUnreceived: true },
  OVERLOADED: unreceived,
  OFFLINE: unreceived,
  INVALID_INPUT: unreceived,
  EMPTY_FILE: unreceived,
  FILE_MISSING: unreceived,
  FILE_TOO_LARGE: unreceived,
  UNSUPPORTED_FORMAT: unreceived,
  CONTEXT_TOO_LONG: unreceived,
  BAD_REQUEST: unreceived,
}

/** Whether another key, profile or network setting of the account may fix it. */
export const isRepairable = (code: ErrorCode): boolean =>
  traits[code]?.fixedBy?.some((by) => by !== 'provider') ?? false

/** The codes of {@link isRepairable}, for queries. */
export const repairableCodes = (Object.keys(traits) as ErrorCode[]).filter(isRepairable)

/** Whether only another key fixes it: waiting does not help, and once the user fixes it no delay applies. */
export const needsKey = (code: ErrorCode): boolean =>
  traits[code]?.fixedBy?.includes('key') ?? false

/** Whether every other request of the account fails in the same way, whatever it asks for. */
export const affectsAccount = (code: ErrorCode): boolean => traits[code]?.affects === 'account'

/** Whether a failure concerns the account or its limits, not the sent content. */
export const concernsAccount = (code: ErrorCode): boolean =>
  traits[code]?.affects !== undefined || code === 'RATE_LIMITED'

/** Connection failures before any byte of the request could be received. */
const notSent: ReadonlySet<unknown> = new Set(['refused', 'name', 'unreachable', 'proxy'])

/**
 * Returns true if the request cannot have reached the provider, so that a retry costs nothing and repeats nothing.
 */
export function neverSent(error: {
  readonly code: ErrorCode
  readonly params?: AppError['params']
}): boolean {
  if (error.code === 'OFFLINE') return notSent.has(error.params?.['reason'])
  return error.code === 'TIMEOUT' && error.params?.['phase'] === 'connect'
}

/** Whether the provider may have received a failed request, and executed and billed it. */
export const mayHaveBeenReceived = (error: Failure): boolean =>
  !(isUnreceived(error) || isRefused(error))

/** A connection that broke may have transmitted the request before. */
function isUnreceived({ code, params }: Failure): boolean {
  if (code === 'TIMEOUT') return params?.['phase'] === 'connect'
  return (
    traits[code]?.isUnreceived === true &&
    params?.['reason'] !== 'reset' &&
    params?.['reason'] !== 'closed'
  )
}

/** Statuses of an intermediary that stopped waiting for the provider, which may have received the request. */
const abandonedStatuses: ReadonlySet<number> = new Set([408, 499, 502, 504])

/** Whether the provider itself refused the whole request. A failure reported within a stream has a success status. */
function isRefused({ service }: Failure): boolean {
  const { status = 0, code } = service ?? {}
  if (abandonedStatuses.has(status)) return false
  return (status >= 400 && status < 500) || (status >= 500 && code !== undefined)
}

/** Milliseconds before the next automatic retry, by consecutive failures; the last value repeats. */
const delaysMs = [2_000, 10_000, 30_000, 120_000, 600_000] as const
/** Probe interval for failures that the provider may fix without a change here, in milliseconds. */
const probeMs = 600_000

/** Returns the milliseconds before the next attempt after `failures` in a row; a delay that the provider requested is a minimum. */
export const retryDelayMs = (failures: number, retryAfterMs = 0): number =>
  Math.max(delaysMs[Math.min(Math.max(failures, 1), delaysMs.length) - 1] ?? 0, retryAfterMs)

/**
 * Maximum attempts of one request before the user has to act; those that never left this computer do not count.
 */
export const maxAttempts = 5

/** What follows a failed attempt of a job. */
type Next =
  | {
      readonly state: 'waiting'
      readonly delayMs: number
      /** Nothing was sent: the job may be retried as soon as the provider responds to anything. */
      readonly wakeable: boolean
    }
  | { readonly state: 'failed' }

/**
 * Decides what follows a failed attempt, after `attempts` requests (including this one) and `offline` consecutive
 * failures that never left this computer. Final client errors (API key, quota, file, content, codes that must not be
 * retried: service-notes 14) fail immediately, with one exception: an unreadable response may be the page of a captive
 * portal.
 */
export function planRetry(error: AppError, attempts: number, offline: number): Next {
  if (error.retriable && neverSent(error))
    return { state: 'waiting', delayMs: retryDelayMs(offline, error.retryAfterMs), wakeable: true }
  const again = error.retriable || error.code === 'MALFORMED_REPLY'
  if (again && attempts < maxAttempts)
    return {
      state: 'waiting',
      delayMs: retryDelayMs(attempts, error.retryAfterMs),
      wakeable: false,
    }
  return { state: 'failed' }
}

/** What follows a failed attempt of one of many parts that are sent to the same account. */
type NextOfPart =
  /** Nothing left this computer: everything for the account waits, and this does not count as an attempt. */
  | { readonly type: 'offline'; readonly delayMs: number }
  /** The account is rejected: sending stops; not counted as an attempt. `delayMs` null: only the user can fix it. */
  | { readonly type: 'account'; readonly delayMs: number | null }
  /** Rate limit: the queue waits; not counted as an attempt. */
  | { readonly type: 'limited'; readonly delayMs: number }
  | { readonly type: 'again'; readonly delayMs: number }
  /** The part stays without a result until the user retries it. */
  | { readonly type: 'failed' }

/** Consecutive failures so far, by type, excluding this one except in `attempts`. */
interface Counts {
  /** Attempts to send the part, including this one. */
  readonly attempts: number
  /** Of the account: nothing left this computer. */
  readonly offline: number
  /** Of the queue: rate limited. */
  readonly limited: number
  /** Whether a failure of the operation, model or permission concerns all parts; otherwise only those that use the same. */
  readonly isOneOperation: boolean
  /** Whether the same request always has the same response. */
  readonly isDeterministic: boolean
}

/** Reasons of MALFORMED_REPLY for what may come from a captive portal or a proxy, or be incomplete. */
const unreadable: ReadonlySet<unknown> = new Set(['html', 'empty', 'not-json', 'http', 'encoding'])

/**
 * Decides by {@link planRetry}, extended for queues: a failure of the account, of the network or of the rate limit does not
 * count as an attempt of the affected part.
 */
export function planPartRetry(error: AppError, counts: Counts): NextOfPart {
  const { attempts, offline, limited, isOneOperation, isDeterministic } = counts
  const { code, retryAfterMs } = error
  const { affects } = traits[code] ?? {}
  const isFinal = code === 'RATE_LIMITED' && !error.retriable
  if (affects === 'account' || (affects === 'operation' && isOneOperation) || isFinal) {
    const probes = traits[code]?.fixedBy?.includes('provider') ?? false
    return { type: 'account', delayMs: probes ? Math.max(probeMs, retryAfterMs ?? 0) : null }
  }
  if (error.retriable && neverSent(error))
    return { type: 'offline', delayMs: retryDelayMs(offline + 1, retryAfterMs) }
  // Counted by the queue, and without end.
  if (code === 'RATE_LIMITED')
    return { type: 'limited', delayMs: retryDelayMs(Math.min(limited + 1, 4), retryAfterMs) }
  // It was billed, and would be again.
  if (code === 'MALFORMED_REPLY' && isDeterministic && !unreadable.has(error.params?.['reason']))
    return { type: 'failed' }
  const next = planRetry(error, attempts, 0)
  return next.state === 'failed' ? { type: 'failed' } : { type: 'again', delayMs: next.delayMs }
}

/** Attempts to download a file, over two and a half minutes; problems of this computer only are retried for most of a day. */
const maxDownloads = 6
const maxDownloadsOffline = 100
/** First and maximum pause before it is downloaded again, in milliseconds. */
const downloadPauseMs = 5_000
const maxDownloadPauseMs = 600_000

/**
 * Returns the milliseconds before a file that a response references is downloaded again, after `failures` before this one;
 * null if it is given up. Its host isn’t the provider, so its failures say nothing about an account. `mayPass` determines
 * which statuses of a host may be temporary.
 */
export function downloadDelayMs(
  { code, service }: Pick<Failure, 'code' | 'service'>,
  failures: number,
  mayPass: (status: number) => boolean = (status) => status >= 500,
): number | null {
  // Not a problem of the file.
  const outlasts = code === 'OFFLINE' || isStoreCode(code)
  // INTERNAL is an error on this side, not the host’s: it may be temporary.
  const passes =
    outlasts ||
    code === 'TIMEOUT' ||
    code === 'INTERNAL' ||
    (code === 'SERVICE_FAILED' && mayPass(service?.status ?? 0))
  if (!passes || failures + 1 >= (outlasts ? maxDownloadsOffline : maxDownloads)) return null
  return Math.min(downloadPauseMs * 2 ** Math.min(failures, 10), maxDownloadPauseMs)
}
