import type { AgentEvent } from './agent-chat.ts'
import { isRecord, parseJson } from './json.ts'
import { numberIn, textIn } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'

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
export function toolEvents(
  type: 'tool_call' | 'tool_result',
  event: JsonRecord,
): readonly AgentEvent[] {
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
