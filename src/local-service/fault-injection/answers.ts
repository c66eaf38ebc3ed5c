import { setTimeout as sleep } from 'node:timers/promises'
import { errorBody, errorReply, failureForm, ServiceError, type ServiceFailure } from '../errors.ts'
import { jsonReply, type ServiceReply } from '../http.ts'
import {
  corruptsStream,
  type FaultRule,
  type ReplacedAnswer,
  type ScriptedEvent,
  type ScriptedReply,
} from './rules.ts'

type Answer = (path: string) => ServiceReply

/** Creates an error response of the service itself, in the format of the path's family. */
const failing =
  (failure: ServiceFailure, message: string): Answer =>
  (path) =>
    errorReply(new ServiceError(failure, message), path)

/**
 * Success status with a failure in the body: an envelope whose code is not 200, or `status: "failed"` (service-notes 1).
 */
function failedInside(path: string): ServiceReply {
  const body = errorBody('networkError', 'Network error inside', path)
  return jsonReply(failureForm(path) === 'number' ? body : { status: 'failed', ...body })
}

/** Response of a gateway in front of the service: an HTML page where the API promises JSON. */
const page =
  (status: number, title: string): Answer =>
  () => ({ status, headers: { 'content-type': 'text/html' }, body: html(title) })

const html = (title: string): ServiceReply['body'] =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`

/** Wrong responses by name, as gateways and the service itself send them (service-notes 1 and 14). */
const replies: Readonly<Record<ReplacedAnswer, Answer>> = {
  '401': failing('wrongKey', 'Authentication failed'),
  // Sent by a gateway, which uses the status as the code.
  '403': () => jsonReply({ code: 403, message: 'Forbidden' }, 403),
  '429': failing('tooManyRequests', 'Too many parallel requests'),
  '500': failing('callFailed', 'The request failed'),
  '503': page(503, '503 Service Unavailable'),
  quota: failing('quota', 'The balance is used up'),
  content: failing('contentBlocked', 'The content was blocked'),
  context: failing('contextTooLong', 'The prompt is too long'),
  'no-model': failing('unknownModel', 'Unknown model'),
  permission: failing('permission', 'No permission for this API'),
  'not-found': failing('notFound', 'Not found'),
  '200-error': failedInside,
  html: page(200, 'Sign in to this network'),
  malformed: () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"id":"cut-off","text":"half of an ans',
  }),
  empty: () => ({ status: 200, headers: {}, body: '' }),
}

function eventText({ raw, event, data }: ScriptedEvent): string {
  if (raw !== undefined) return raw
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null)
  const lines = text.split('\n').map((line) => `data: ${line}\n`)
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`
}

async function* play(events: readonly ScriptedEvent[]): AsyncGenerator<string> {
  for (const event of events) {
    if (event.delayMs) await sleep(event.delayMs)
    yield eventText(event)
  }
}

function scripted(reply: ScriptedReply): ServiceReply {
  const status = reply.status ?? 200
  if (reply.events) {
    const headers = { 'content-type': 'text/event-stream', ...reply.headers }
    return { status, headers, body: play(reply.events) }
  }
  const { body: replyBody = {} } = reply
  const body = typeof replyBody === 'string' ? replyBody : JSON.stringify(replyBody)
  const type =
    typeof replyBody === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  return { status, headers: { 'content-type': type, ...reply.headers }, body }
}

/**
 * Returns the response with which a rule replaces the correct one; undefined if the rule only corrupts it.
 */
export function wrongAnswer(rule: FaultRule, path: string): ServiceReply | undefined {
  if (rule.reply) return scripted(rule.reply)
  if (rule.answer && !corruptsStream(rule.answer)) return replies[rule.answer](path)
  return undefined
}

/** Applies the header changes of a rule to a response. */
export function withHeaders(reply: ServiceReply, rule: FaultRule): ServiceReply {
  const { 'content-type': type = '', ...others } = reply.headers
  const shown = rule.contentType ?? type
  return {
    ...reply,
    headers: {
      ...others,
      ...(shown && { 'content-type': shown }),
      ...(rule.retryAfter !== undefined && { 'retry-after': rule.retryAfter }),
    },
  }
}
