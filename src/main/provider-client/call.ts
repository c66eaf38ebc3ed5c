import { AppError } from '../errors.ts'
import type { Redactor } from '../platform/security/redact.ts'
import type { NewActivityCall } from '../library-database/types.ts'
import type { Agents } from './agents.ts'
import { failureReplyLimit, readUpTo } from './body.ts'
import { failureInside, htmlTitle, readErrorBody, serviceError, type ErrorBody } from './errors.ts'
import { newTrace, send, type Exchange, type HttpReply, type Trace } from './http.ts'
import { parseJson } from './json.ts'
import type { Limiter } from './limiter.ts'
import { networkError } from './network-errors.ts'
import { checkRequestId } from './request-limits.ts'
import {
  bounded,
  withRetries,
  type Arrival,
  type AttemptEnd,
  type Repeat,
  type RetryBounds,
  type RetryRules,
} from './retry.ts'
import type { Timeouts } from './timeouts.ts'
import type { ApiDeps, CallOptions, ServiceTarget } from './types.ts'
import { noUsage, type Usage } from './usage.ts'

/** One operation of the provider, ready to be sent as often as the retry rules allow. */
export interface Call<T> {
  /** Name in Activity, for example `transcriptions.create`. */
  readonly operation: string
  /** Model ID in the API; null for calls without one. Calls of one account and model share the limiter. */
  readonly model: string | null
  readonly repeat: Repeat
  /** Fewer attempts and shorter waits than the retry rules allow. */
  readonly retryBounds?: RetryBounds
  /** Builds the request for the ID that all attempts share. */
  exchange(requestId: string): Exchange
  /** Converts a response with a success status into the value. Throws AppError for a failure inside it. */
  read(reply: HttpReply, context: ReadContext): Promise<T>
}

export interface ReadContext {
  readonly requestId: string
  readonly signal: AbortSignal | undefined
  readonly trace: Trace
  redact(text: string): string
  /** Masks the key in a raw response, in case the provider repeats it. */
  mask(text: string): string
  /** Records the response's `usage` for Activity. */
  usage(value: Usage): void
  /** Reports that part of the answer reached the caller: the call is not retried from here on. */
  streamed(): void
  /** Returns the AppError for a failure reported by the response itself. */
  failure(reply: HttpReply, body: ErrorBody): AppError
}

export interface CallParts {
  readonly deps: Pick<ApiDeps, 'clock' | 'ids' | 'record'>
  readonly agents: Agents
  readonly limiter: Limiter
  readonly redactor: Redactor
  readonly shortCall: Timeouts
  readonly longCall: Timeouts
  readonly rules: RetryRules
  /** Ignores the retry bounds of operations, which are for callers that retry themselves. */
  readonly patient: boolean
  readonly random: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Performs one call: waits for the limiter, sends, reads, records each attempt and retries if allowed. */
export async function performCall<T>(
  parts: CallParts,
  target: ServiceTarget,
  call: Call<T>,
  options: CallOptions,
): Promise<T> {
  const requestId = options.requestId ?? parts.deps.ids()
  checkRequestId(requestId, target)
  parts.redactor.register(target.key)
  return withRetries(
    (attempt) => oneAttempt(parts, target, call, { ...options, attempt, requestId }),
    call.repeat,
    bounded(parts.rules, parts.patient ? {} : (call.retryBounds ?? {})),
    { random: parts.random, sleep: parts.sleep, signal: options.signal },
  )
}

interface AttemptContext extends CallOptions {
  readonly attempt: number
  readonly requestId: string
}

async function oneAttempt<T>(
  parts: CallParts,
  target: ServiceTarget,
  call: Call<T>,
  context: AttemptContext,
): Promise<AttemptEnd<T>> {
  const { signal, requestId } = context
  const requestedAt = parts.deps.clock()
  const queueName = `${target.accountId} ${call.model ?? call.operation}`
  const exchange = call.exchange(requestId)
  const lease = await parts.limiter.acquire(queueName, target.profile.concurrency, signal)
  const trace = newTrace()
  let streamed = false
  let usage = noUsage
  let reply: HttpReply | undefined
  const finish = (error: AppError | null): void => {
    lease.release(error && isRefusalOfLoad(error) ? 'limited' : 'fine')
    if (context.unlisted) return
    parts.deps.record(
      activityOf(target, call, {
        exchange,
        trace,
        usage,
        error,
        requestedAt,
        requestId,
        attempt: context.attempt,
        queuedMs: lease.queuedMs,
        ended: parts.deps.clock(),
      }),
    )
  }

  try {
    reply = cleanHead(
      await send(parts.agents, target, exchange, trace, parts.deps.clock, signal),
      trace,
      parts.redactor.redact,
    )
    await refuseFailures(reply, target, requestId, parts.redactor.redact, signal)
    const value = await call.read(reply, {
      requestId,
      signal,
      trace,
      redact: parts.redactor.redact,
      mask: parts.redactor.maskKnown,
      usage: (found) => (usage = found),
      streamed: () => (streamed = true),
      failure: (from, body) => failureOf(from, body, requestId, parts.redactor.redact),
    })
    finish(null)
    return { ok: true, value }
  } catch (thrown) {
    const progress = { sent: trace.sent, replied: trace.repliedAt !== null, host: trace.host }
    const error = networkError(thrown, progress, signal)
    if (!(error instanceof AppError)) {
      finish(new AppError('INTERNAL', 'Internal error'))
      throw error
    }
    finish(error)
    const arrival: Arrival = { sent: trace.sent, streamed }
    return { ok: false, error, arrival }
  } finally {
    reply?.discard()
  }
}

/**
 * Returns the response head with bounded texts and the key masked, since they end up in Activity, errors and stored
 * responses.
 */
function cleanHead(reply: HttpReply, trace: Trace, redact: (text: string) => string): HttpReply {
  const short = (text: string): string => redact(text).slice(0, 200)
  const logId = reply.logId === null ? null : short(reply.logId)
  trace.logId = logId
  return {
    ...reply,
    logId,
    contentType: short(reply.contentType),
    engine: reply.engine === null ? null : short(reply.engine),
    notice: reply.notice === null ? null : redact(reply.notice).slice(0, 1000),
  }
}

/** The provider uses both for too many requests at a time. */
function isRefusalOfLoad(error: AppError): boolean {
  return error.code === 'RATE_LIMITED' || error.code === 'OVERLOADED'
}

/** Throws for every status that is not a success. */
async function refuseFailures(
  reply: HttpReply,
  target: ServiceTarget,
  requestId: string,
  redact: (text: string) => string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (reply.status >= 200 && reply.status < 300) return
  if (reply.status >= 300 && reply.status < 400) throw redirected(reply, target, redact)
  // The status alone is sufficient when the body breaks off.
  const { text } = await readUpTo(reply.body, failureReplyLimit).catch(() => ({ text: '' }))
  signal?.throwIfAborted()
  const json = parseJson(text)
  const title = json === undefined ? htmlTitle(text) : null
  const body = readErrorBody(json) ?? (title ? { code: null, message: title } : null)
  throw failureOf(reply, body, requestId, redact)
}

function failureOf(
  reply: HttpReply,
  body: ErrorBody | null,
  requestId: string,
  redact: (text: string) => string,
): AppError {
  const { status, logId, retryAfterMs } = reply
  return serviceError({ status, logId, retryAfterMs, requestId }, body, redact)
}

function redirected(
  reply: HttpReply,
  target: ServiceTarget,
  redact: (text: string) => string,
): AppError {
  const to =
    reply.location && URL.canParse(reply.location, target.baseUrl)
      ? new URL(reply.location, target.baseUrl).host
      : ''
  return new AppError(
    'REDIRECTED',
    'The provider redirects to another address. The API key is not sent there.',
    {
      params: { host: redact(to) },
      service: { status: reply.status, ...(reply.logId && { logId: reply.logId }) },
    },
  )
}

/** Throws for a failure inside a successful JSON response (service-notes 1). */
export function requireSuccess(json: unknown, reply: HttpReply, context: ReadContext): void {
  const failure = failureInside(json)
  if (failure) throw context.failure(reply, failure)
}

/** One finished attempt. Times are Unix milliseconds. */
interface MadeAttempt {
  readonly exchange: Exchange
  readonly trace: Trace
  readonly usage: Usage
  /** Null when it succeeded. */
  readonly error: AppError | null
  readonly requestedAt: number
  readonly ended: number
  readonly queuedMs: number
  /** From 1. */
  readonly attempt: number
  readonly requestId: string
}

/** Returns the Activity entry of an attempt: names, numbers and IDs, never a body, a key or a query value. */
function activityOf(
  target: ServiceTarget,
  call: { readonly operation: string; readonly model: string | null },
  made: MadeAttempt,
): NewActivityCall {
  const { trace, error, usage, exchange } = made
  const { repliedAt, sentAt } = trace
  return {
    at: made.requestedAt,
    accountId: target.accountId,
    accountName: target.accountName,
    operation: call.operation,
    method: exchange.method,
    path: exchange.path,
    model: call.model,
    status: trace.status,
    outcome: error === null ? 'ok' : error.code === 'CANCELLED' ? 'cancelled' : 'failed',
    errorCode: error?.code ?? null,
    queuedMs: made.queuedMs,
    sentMs: sentAt === null ? null : Math.max(0, sentAt - made.requestedAt),
    // The system clock may be set back during a request.
    firstByteMs: repliedAt === null || sentAt === null ? null : Math.max(0, repliedAt - sentAt),
    durationMs: Math.max(0, made.ended - made.requestedAt),
    bytesSent: trace.bytesSent,
    bytesReceived: trace.bytesReceived,
    ...usage,
    attempt: made.attempt,
    requestId: made.requestId,
    logId: trace.logId,
  }
}
