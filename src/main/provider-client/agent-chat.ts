import { agentDefaults } from '../../shared/provider/chat-defaults.ts'
import { wireModel, isWireSpelling, type WireNames } from '../../shared/provider/profiles.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import type { CallParts } from './call.ts'
import { checkMessages, wireMessages, type ChatMessage } from './chat-messages.ts'
import { callEvents, type EndMark, type EventReader, wordsOf } from './event-call.ts'
import { checkRange, illegal, requireSome } from './request-limits.ts'
import { thinkingCall } from './timeouts.ts'
import { failureInside, type ErrorBody } from './errors.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { isRecord, parseJson } from './json.ts'
import { malformed, numberIn, recordsFrom, textIn, type JsonRecord } from './lenient.ts'

/** The retrieval preset (service-notes 6). */
interface AgentRetrieval {
  readonly knowledgeIds: readonly string[]
  readonly topK?: number
  readonly topN?: number
  readonly rerank?: boolean
  readonly similarityThreshold?: number
}

/** A question to the retrieval agent (service-notes 6). */
export interface AgentRequest {
  readonly messages: readonly ChatMessage[]
  readonly retrieval: AgentRetrieval
  /** Neutral ID; defaults to `gen-5v-turbo`. */
  readonly model?: string
  readonly temperature?: number
  readonly maxSteps?: number
  readonly thinking?: boolean
  /** ID of the session to continue. */
  readonly sessionId?: string
}

/** The retrieval agent (service-notes 6). */
export type AgentChatApi = ReturnType<typeof createAgentChat>

export function createAgentChat(parts: CallParts) {
  return {
    /**
     * `POST /zrag/agent/chat`. `onEvent` receives each event in order. Never retried once something was streamed, nor, within a
     * session, once the provider may have accepted it. A stream that breaks off or reports an error throws `StreamBroken` with
     * the partial answer.
     */
    async chat(
      target: ServiceTarget,
      request: AgentRequest,
      options: CallOptions & { onEvent?(event: AgentEvent): void },
    ): Promise<Answered<AgentAnswer>> {
      checkAgentRequest(request)
      const model = wireModel(target.profile, request.model ?? agentDefaults.model)
      const { wire } = target.profile
      const { sessionId } = request
      return callEvents(
        parts,
        target,
        {
          operation: 'agents.chat',
          model,
          // In an existing session, a retry would add the question twice. A new session is unknown to everyone until it is
          // answered.
          repeat: sessionId === undefined ? 'safe' : 'turn',
          path: '/zrag/agent/chat',
          ...(sessionId !== undefined && { headers: sessionHeader(wire, sessionId) }),
          json: () => agentBody(request, wire, model),
          accept: 'text/event-stream',
          timeouts: thinkingCall(parts.longCall),
          open: (streamed) =>
            createAgentReader((event) => {
              streamed(event)
              options.onEvent?.(event)
            }),
        },
        options,
      )
    },
  }
}

const counted = { min: 1, max: Infinity, whole: true }
const measured = { min: -Infinity, max: Infinity }

/**
 * Rejects requests the provider would reject (service-notes 6). The API reference has no upper bounds, so none are enforced.
 * Params as in request-limits.ts.
 */
function checkAgentRequest(request: AgentRequest): void {
  const { messages, retrieval, temperature, maxSteps, sessionId } = request
  checkMessages(messages)
  requireSome('know_ids', retrieval.knowledgeIds)
  for (const id of retrieval.knowledgeIds) requireSome('know_ids', id.trim())
  check('top_k', retrieval.topK, counted)
  check('top_n', retrieval.topN, counted)
  check('similarity_threshold', retrieval.similarityThreshold, measured)
  check('temperature', temperature, { ...measured, min: 0 })
  check('max_steps', maxSteps, counted)
  // Headers carry printable ASCII; anything else would be rejected further down by an error that quotes it.
  if (sessionId !== undefined && !/^[\x21-\x7e]{1,1024}$/.test(sessionId))
    throw illegal('session', sessionId.toWellFormed().slice(0, 200))
}

function check(
  what: string,
  value: number | undefined,
  bounds: Parameters<typeof checkRange>[2],
): void {
  if (value !== undefined) checkRange(what, value, bounds)
}

/** Returns the header that continues a conversation, under the profile's name for it. */
function sessionHeader(wire: WireNames, sessionId: string): Readonly<Record<string, string>> {
  // A profile may be older than this rule, or edited by hand.
  if (!isWireSpelling('agentSession', wire.agentSession))
    throw illegal('agentSession', wire.agentSession.toWellFormed().slice(0, 200))
  return { [wire.agentSession.toLowerCase()]: sessionId }
}

/** Returns the JSON body. Fields without a value are omitted, and the provider applies its defaults. */
function agentBody(request: AgentRequest, wire: WireNames, model: string): unknown {
  const { messages, retrieval, temperature, maxSteps, thinking } = request
  return {
    messages: wireMessages(messages),
    retrieval: retrievalBody(retrieval),
    model,
    ...(temperature !== undefined && { temperature }),
    ...(maxSteps !== undefined && { max_steps: maxSteps }),
    ...(thinking !== undefined && { [wire.agentThinking]: thinking }),
  }
}

function retrievalBody(retrieval: AgentRetrieval): unknown {
  const { knowledgeIds, topK, topN, rerank, similarityThreshold } = retrieval
  return {
    know_ids: knowledgeIds,
    ...(topK !== undefined && { top_k: topK }),
    ...(topN !== undefined && { top_n: topN }),
    ...(rerank !== undefined && { enable_rerank: rerank }),
    ...(similarityThreshold !== undefined && { similarity_threshold: similarityThreshold }),
  }
}

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

const idNames = ['callId', 'call_id', 'toolCallId', 'tool_call_id', 'id']
const toolNames = ['toolName', 'tool_name', 'name', 'tool']
const argumentNames = ['arguments', 'args', 'input', 'parameters']
const resultNames = ['result', 'output', 'outputs', 'content', 'data', 'value', 'error']
const durationNames = ['durationMs', 'duration_ms', 'duration', 'elapsedMs', 'elapsed_ms']

/** Fields of one call, and the value to emit when none of them contains arguments or a result. */
interface CallFields {
  readonly fields: JsonRecord
  readonly whole: unknown
}

/**
 * Returns the events of a `tool_call` or `tool_result` (service-notes 6): one, or several when the data is a list of calls.
 * The fields are in `data`, in its JSON text or next to it, under their own names or common alternatives. Data without any of
 * them is emitted unchanged as arguments or result.
 */
function toolEvents(type: 'tool_call' | 'tool_result', event: JsonRecord): readonly AgentEvent[] {
  const read = type === 'tool_call' ? callOf : resultOf
  return callsIn(event).map(read)
}

function callsIn(event: JsonRecord): readonly CallFields[] {
  const { type: _, data: boxed, sessionId: __, messageId: ___, ...outerFields } = event
  const data = opened(boxed)
  if (data === undefined || data === null) return [{ fields: outerFields, whole: outerFields }]
  if (isRecord(data)) return [{ fields: data, whole: data }]
  if (Array.isArray(data) && data.length > 0 && data.every(isCall))
    return data.map((fields: JsonRecord) => ({ fields, whole: fields }))
  return [{ fields: outerFields, whole: data }]
}

/** Returns whether the value identifies a call by its ID or name; search results in its place do not. */
function isCall(value: unknown): value is JsonRecord {
  return isRecord(value) && (toolOf(value) !== '' || idOf(value) !== '') && !('text' in value)
}

function callOf({ fields, whole }: CallFields): AgentEvent {
  const { function: fn } = fields
  const callArguments = first(fields, argumentNames) ?? (isRecord(fn) ? fn['arguments'] : undefined)
  const callId = idOf(fields)
  const tool = toolOf(fields)
  const named = callId !== '' || tool !== ''
  const rest = named && whole === fields ? {} : whole
  return { type: 'tool_call', callId, tool, arguments: opened(callArguments) ?? rest }
}

function resultOf({ fields, whole }: CallFields): AgentEvent {
  const callId = idOf(fields)
  const tool = toolOf(fields)
  const named = callId !== '' || tool !== ''
  const rest = named && whole === fields ? null : whole
  return {
    type: 'tool_result',
    callId,
    tool,
    result: opened(first(fields, resultNames)) ?? rest,
    status: statusOf(fields),
    durationMs: durationNames.map((name) => numberIn(fields, name)).find(isDuration) ?? null,
  }
}

/** Returns whether a number is a plausible duration in milliseconds: up to some weeks. */
const isDuration = (ms: number | null): boolean => ms !== null && ms >= 0 && ms < 1e10

function statusOf(fields: JsonRecord): string {
  const reported = textIn(fields, 'status')
  if (reported !== null) return reported
  const good = fields['success']
  if (typeof good === 'boolean') return good ? 'success' : 'error'
  const { error } = fields
  return error === undefined || error === null || error === '' ? '' : 'error'
}

function idOf(fields: JsonRecord): string {
  return firstText(fields, idNames)
}

function toolOf(fields: JsonRecord): string {
  const { function: fn, tool } = fields
  const inner = isRecord(fn) ? fn : isRecord(tool) ? tool : {}
  return firstText(fields, toolNames) || (textIn(inner, 'name') ?? '')
}

function firstText(fields: JsonRecord, names: readonly string[]): string {
  for (const name of names) {
    const text = textIn(fields, name)
    if (text !== null) return text
  }
  return ''
}

function first(fields: JsonRecord, names: readonly string[]): unknown {
  for (const name of names)
    if (fields[name] !== undefined && fields[name] !== null) return fields[name]
  return undefined
}

/** Returns the object or list in a JSON text; any other value unchanged. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  return parseJson(value) ?? value
}

/**
 * One event of the agent's stream (service-notes 6). Parsing is lenient: `data` may be text or an object for every type.
 */
export type AgentEvent =
  | { readonly type: 'session_created'; readonly sessionId: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly callId: string
      readonly tool: string
      readonly arguments: unknown
    }
  | {
      readonly type: 'tool_result'
      readonly callId: string
      readonly tool: string
      readonly result: unknown
      /** `success`, `error`, or any other received value. */
      readonly status: string
      readonly durationMs: number | null
    }
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'done'; readonly messageId: string | null; readonly answer: string | null }
  /** Unknown content: displayed, never dropped. */
  | { readonly type: 'unknown'; readonly name: string; readonly data: unknown }

/** Accumulated answer, or the part received before a stream was cut (`complete` false). */
export interface AgentAnswer {
  readonly sessionId: string | null
  readonly messageId: string | null
  /** Text of the `done` event if it has one, otherwise the joined deltas. Citation marks are included. */
  readonly answer: string
  readonly reasoning: string
  /** Total number of calls the agent made, if reported. */
  readonly totalCalls: number | null
  /** Why the model stopped, if reported: `length` for an answer that was cut off. */
  readonly finishReason: string | null
  readonly complete: boolean
}
