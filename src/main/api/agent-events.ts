import type { AgentAnswer, AgentEvent } from './agent-chat.ts'
import { toolEvents } from './agent-tools.ts'
import { failureInside } from './errors.ts'
import type { ErrorBody } from './errors.ts'
import type { EndMark, EventReader } from './event-reply.ts'
import { wordsOf } from './event-text.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { isRecord } from './json.ts'
import { malformed, numberIn, recordsFrom, textIn } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'

/** Event types the agent streams (service-notes 6); `error` is handled earlier. */
const kinds: ReadonlySet<string> = new Set([
  'session_created',
  'reasoning',
  'thought',
  'tool_call',
  'tool_result',
  'answer',
  'done',
])

/** Reads the agent's events (service-notes 6 and 1) and emits each in the order received. `done` is the last. */
export function createAgentReader(emit: (event: AgentEvent) => void): EventReader<AgentAnswer> {
  let sessionId: string | null = null
  let messageId: string | null = null
  let answerText = ''
  let whole: string | null = null
  let reasoning = ''
  let totalCalls: number | null = null
  let finishReason: string | null = null
  let usage: unknown
  let end: EndMark = 'open'

  const reportText = (type: 'reasoning' | 'thought' | 'answer', data: unknown): void => {
    const text = wordsOf(data)
    if (text === null) return emit({ type: 'unknown', name: type, data })
    if (type === 'answer') answerText += text
    if (type === 'reasoning') reasoning += text
    return emit({ type, text })
  }

  const finish = (event: JsonRecord): void => {
    const { data } = event
    const box = isRecord(data) ? data : {}
    messageId = idIn(event, 'message') ?? idIn(box, 'message')
    usage = event['usage'] ?? box['usage']
    totalCalls = isRecord(usage) ? numberIn(usage, 'total_calls') : null
    whole = wordsOf(data) || null
    end = 'over'
    emit({ type: 'done', messageId, answer: whole })
  }

  const take = (event: JsonRecord, name: string | undefined): ErrorBody | null => {
    const type = textIn(event, 'type') ?? name ?? ''
    const isTool = type === 'tool_call' || type === 'tool_result'
    // A failure inside a tool is the agent's concern and reported in the tool's result.
    const doubtful = !kinds.has(type) || type === 'done' || 'error' in event
    const failure = doubtful && !isTool ? failureInside(event) : null
    if (failure) return failure
    sessionId = idIn(event, 'session') ?? sessionId
    if (type === 'answer' || type === 'reasoning' || type === 'thought')
      reportText(type, event['data'])
    else if (isTool) for (const one of toolEvents(type, event)) emit(one)
    else if (type === 'done') finish(event)
    else if (type === 'session_created') {
      sessionId ??= sessionIn(event['data'])
      emit({ type, sessionId: sessionId ?? '' })
    } else if (Object.keys(event).length > 0)
      emit({ type: 'unknown', name: type, data: event['data'] ?? event })
    const reason = isTool ? null : finishIn(event)
    finishReason = reason ?? finishReason
    // After the text, so that the received text is preserved.
    return failureOfFinish(reason)
  }

  return {
    take,
    takeText(text, name) {
      if (!kinds.has(name) || text === '') return false
      take({ type: name, data: text }, name)
      return true
    },
    whole(json) {
      const { events } = json
      if (kinds.has(String(json['type']))) return take(json, undefined)
      if (Array.isArray(events)) {
        for (const event of events.filter(isRecord)) {
          const failure = take(event, undefined)
          if (failure) return failure
        }
        return null
      }
      return receiveAnswer(json, take)
    },
    get end() {
      return end
    },
    get usage() {
      return usage
    },
    value: (complete) => ({
      sessionId,
      messageId,
      answer: whole ?? answerText,
      reasoning,
      totalCalls,
      finishReason,
      complete,
    }),
  }
}

/** Emits a complete non-streamed answer, bare or in an envelope, as the events of a stream. */
function receiveAnswer(
  json: JsonRecord,
  take: (event: JsonRecord, name: string | undefined) => ErrorBody | null,
): ErrorBody | null {
  const inner = json['data']
  const box: JsonRecord = isRecord(inner) ? { ...json, ...inner } : json
  const words = wordsOf(inner ?? { ...json, message: undefined })
  if (words === null || words === '') throw malformed('no-answer')
  const { data: _, type: __, code: ___, ...outside } = box
  return (
    take({ ...outside, type: 'answer', data: words }, undefined) ??
    take({ ...outside, type: 'done', data: words }, undefined)
  )
}

function idIn(record: JsonRecord, what: 'session' | 'message'): string | null {
  return textIn(record, `${what}Id`) ?? textIn(record, `${what}_id`)
}

/** Returns the finish reason of an event: next to its data, inside it, or in a choice as in the other streams. */
function finishIn(event: JsonRecord): string | null {
  const { data, choices } = event
  const places = [event, ...(isRecord(data) ? [data] : []), ...recordsFrom(choices)]
  return places.map((one) => textIn(one, 'finish_reason')).find((one) => one !== null) ?? null
}

function sessionIn(data: unknown): string | null {
  if (isRecord(data)) return idIn(data, 'session') ?? textIn(data, 'id')
  return typeof data === 'string' && data !== '' ? data : null
}
