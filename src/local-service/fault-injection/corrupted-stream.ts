import { errorBody, ServiceError } from '../errors.ts'
import { jsonEvent, type ServiceReply } from '../http.ts'
import { corruptsStream, type FaultRule, type CorruptedStream } from './rules.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const message = 'The request failed while the response was being sent'

/** Returns how a family reports a failure after the headers (service-notes 1 and 6). */
function familyFailure(path: string): unknown {
  if (path.startsWith('/zrag/')) return { type: 'error', data: { message } }
  const body = errorBody('callFailed', message, path)
  return path.startsWith('/v1/responses') ? { type: 'error', ...body } : body
}

const failures: Readonly<
  Record<Exclude<CorruptedStream, 'no-end'>, (path: string, last: unknown) => string>
> = {
  'mid-error': (path) => jsonEvent(familyFailure(path)),
  'mid-error-named': (path) => `event: error\n${jsonEvent(errorBody('callFailed', message, path))}`,
  'mid-error-finish': (_path, last) =>
    jsonEvent({
      ...(isRecord(last) && last),
      choices: [{ index: 0, delta: {}, finish_reason: 'network_error' }],
    }),
  'mid-error-bare': () => jsonEvent(errorBody('callFailed', message)),
}

const endTypes: ReadonlySet<unknown> = new Set([
  'done',
  'transcript.text.done',
  'response.completed',
  'response.failed',
  'response.incomplete',
])

function dataOf(event: string): unknown {
  const text = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns true for the end marker and for an event that marks the answer as complete. */
function endsStream(event: string): boolean {
  const data = dataOf(event)
  if (!isRecord(data)) return data === '[DONE]'
  const choices = Array.isArray(data['choices']) ? (data['choices'] as unknown[]) : []
  return (
    endTypes.has(data['type']) ||
    data['status'] === 'completed' ||
    choices.some((choice) => isRecord(choice) && Boolean(choice['finish_reason']))
  )
}

/** Yields single events, regardless of how the source grouped them. */
async function* eventsOf(body: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of body) {
    const events = `${rest}${text}`.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) yield `${event}\n\n`
  }
  if (rest) yield rest
}

async function* corrupt(
  body: AsyncIterable<string>,
  answer: CorruptedStream,
  path: string,
  afterEvents: number,
): AsyncGenerator<string> {
  let sent = 0
  let last: unknown
  for await (const event of eventsOf(body)) {
    if (answer === 'no-end') {
      if (!endsStream(event)) yield event
      continue
    }
    if (sent === afterEvents) break
    last = dataOf(event)
    sent += 1
    yield event
  }
  if (answer !== 'no-end') yield failures[answer](path, last)
}

/**
 * Corrupts the stream of a correct response as the rule specifies. Throws 1210 if there is no stream, so that a test
 * cannot pass because of it.
 */
export function corruptedStream(reply: ServiceReply, rule: FaultRule, path: string): ServiceReply {
  const { answer } = rule
  if (!answer || !corruptsStream(answer)) return reply
  const { body } = reply
  if (typeof body === 'string' || body instanceof Uint8Array || 'bytes' in body)
    throw new ServiceError('badRequest', `${answer} requires a streamed response`)
  return { ...reply, body: corrupt(body, answer, path, rule.afterEvents ?? 1) }
}
