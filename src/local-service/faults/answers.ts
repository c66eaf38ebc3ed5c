import { setTimeout as sleep } from 'node:timers/promises'
import { jsonReply } from '../reply.ts'
import type { ServiceReply } from '../reply.ts'
import type { FaultAnswer, FaultRule, ScriptedEvent, ScriptedReply } from './rules.ts'

const failure = (code: string, message: string): unknown => ({ error: { code, message } })

const html = (title: string): ServiceReply['body'] =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`

/** Wrong answers by name, as gateways and the service itself give them (service-notes 1 and 14). */
const replies: Readonly<Record<FaultAnswer, () => ServiceReply>> = {
  '401': () => jsonReply(failure('1000', 'Authentication failed'), 401),
  '429': () => jsonReply(failure('1302', 'Too many requests at a time'), 429),
  '500': () => jsonReply(failure('1200', 'The call failed'), 500),
  '503': () => ({
    status: 503,
    headers: { 'content-type': 'text/html' },
    body: html('503 Service Unavailable'),
  }),
  html: () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: html('Sign in to this network'),
  }),
  malformed: () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"id":"cut-off","text":"half of an ans',
  }),
  empty: () => ({ status: 200, headers: {}, body: '' }),
  '200-error': () =>
    jsonReply({ status: 'failed', ...(failure('1234', 'Network error inside') as object) }),
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
  const { body: said = {} } = reply
  const body = typeof said === 'string' ? said : JSON.stringify(said)
  const type =
    typeof said === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  return { status, headers: { 'content-type': type, ...reply.headers }, body }
}

/** The answer a rule puts in the place of the right one; undefined when the rule only spoils its delivery. */
export function wrongAnswer(rule: FaultRule): ServiceReply | undefined {
  if (rule.reply) return scripted(rule.reply)
  if (rule.answer) return replies[rule.answer]()
  return undefined
}

/** An answer with the headers a rule changes. */
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
