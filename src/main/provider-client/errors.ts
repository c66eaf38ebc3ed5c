import type { ServiceDetail } from '../../shared/contract/reply.ts'
import { AppError } from '../errors.ts'
import { meaningOf, sentences } from './error-codes.ts'
import { isRecord, textField } from './json.ts'

/** Content of an error body of any family (service-notes 14). */
export interface ErrorBody {
  /** A string code, or a numeric business code as text; null when there is none. */
  readonly code: string | null
  readonly message: string | null
}

/** Facts from the head of a response that are added to an error. */
interface ReplyFacts {
  readonly status: number
  readonly requestId: string | null
  readonly logId: string | null
  /** Milliseconds the provider requested to wait, already bounded. */
  readonly retryAfterMs: number | null
}

/** Maximum stored length of a provider message, in characters. */
const maxServiceMessageLength = 500

/**
 * Reads `{error:{code,message}}`, `{code,message}`, `{code,msg}` and a gateway's `{status,error,path}`: all forms on every
 * path.
 */
export function readErrorBody(body: unknown): ErrorBody | null {
  if (!isRecord(body)) return null
  const inner = body['error']
  const holder = isRecord(inner) ? inner : body
  const code =
    codeText(holder['code']) ??
    codeText(holder['type']) ??
    codeText(body['code']) ??
    codeText(body['status'])
  const message =
    textField(holder, 'message') ??
    textField(holder, 'msg') ??
    textField(body, 'message') ??
    textField(body, 'msg') ??
    (typeof inner === 'string' ? inner : null) ??
    textField(body, 'detail')
  return code === null && message === null ? null : { code, message }
}

/**
 * Returns the failure inside a response with a success status (service-notes 1): an `error` object, `status: "failed"`,
 * `success: false`, or an envelope whose numeric `code` is not 200. Null when the response is a success.
 */
export function failureInside(body: unknown): ErrorBody | null {
  if (!isRecord(body)) return null
  const { error, code } = body
  if (isRecord(error) && Object.values(error).some(isErrorPresent))
    return readErrorBody(body) ?? nothing
  if (typeof error === 'string' && error !== '') return { code: null, message: error }
  const failed = body['status'] === 'failed' || body['success'] === false
  const reportedCode = code === undefined ? null : codeText(code)
  const oddCode = reportedCode !== null && reportedCode !== '200' && /^\d+$/.test(reportedCode)
  if (!failed && !oddCode) return null
  // `failed` is a state, not a code of the provider; assistants report the reason next to it (service-notes 8).
  const { error: _, status: __, last_error: last, ...rest } = body
  return readErrorBody(last) ?? readErrorBody(rest) ?? nothing
}

/** Responses with an `error` field may leave it empty on success (service-notes 10). */
function isErrorPresent(value: unknown): boolean {
  return value !== null && value !== '' && value !== 0
}

const nothing: ErrorBody = { code: null, message: null }

/** Returns the AppError for a failed response of the provider. `redact` masks the key in the provider's message. */
export function serviceError(
  facts: ReplyFacts,
  body: ErrorBody | null,
  redact: (text: string) => string,
): AppError {
  const { code, retriable } = meaningOf(facts.status, body?.code ?? null)
  const message = body?.message ? tidy(redact(body.message)) : ''
  const service: ServiceDetail = {
    status: facts.status,
    ...(body?.code && { code: redact(body.code) }),
    ...(message && { message }),
    ...(facts.requestId && { requestId: facts.requestId }),
    ...(facts.logId && { logId: facts.logId }),
  }
  const wait = facts.retryAfterMs
  return new AppError(code, sentences[code] ?? 'The request failed.', {
    retriable,
    service,
    ...(wait !== null && {
      retryAfterMs: wait,
      params: { seconds: Math.ceil(wait / 1000) },
    }),
  })
}

/** Returns the title of an HTML page, the only information in a gateway's error page. */
export function htmlTitle(text: string): string | null {
  // Neither part crosses the next `<`, so that a page of unclosed tags is scanned only once.
  return /<title[^<>]*>([^<]{1,300})/i.exec(text)?.[1]?.trim() || null
}

/** Returns a code as text; anything but text or a number is not a code. */
function codeText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  return /^[\w.-]{1,64}$/.test(text) ? text : null
}

/** Returns one line without control characters, truncated to a bounded length. */
function tidy(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  if (line.length <= maxServiceMessageLength) return line
  return `${line
    .slice(0, maxServiceMessageLength - 1)
    .toWellFormed()
    .trimEnd()}…`
}
