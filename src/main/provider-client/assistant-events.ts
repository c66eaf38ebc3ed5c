import { createCallList } from './assistant-merge.ts'
import { readToolCalls, type AssistantToolCall } from './assistant-tools.ts'
import { failureInside, readErrorBody, type ErrorBody } from './errors.ts'
import { type EndMark, type EventReader, wordsOf } from './event-call.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { isRecord } from './json.ts'
import { malformed, recordsFrom, textIn, type JsonRecord } from './lenient.ts'

/** Reads an assistant's chunks (service-notes 8) and emits each step in the order received. */
export function createAssistantReader(
  emit: (event: AssistantEvent) => void,
): EventReader<AssistantAnswer> {
  let conversationId: string | null = null
  let assistantId: string | null = null
  let model: string | null = null
  let finishReason: string | null = null
  let text = ''
  let end: EndMark = 'open'
  /** A message after deltas may repeat the whole answer. */
  let hasDeltas = false
  const tools = createCallList()

  const receiveFragment = (fragment: unknown, from: 'delta' | 'message'): void => {
    const content = contentOf(fragment)
    const again = from === 'message' && hasDeltas && content !== null && content.startsWith(text)
    const words = again ? content.slice(text.length) : content
    hasDeltas ||= from === 'delta' && words !== null && words !== ''
    if (words !== null && words !== '') {
      text += words
      // If text follows, this was not the end.
      end = 'open'
      emit({ type: 'text', text: words })
    }
    const calls = readToolCalls(isRecord(fragment) ? fragment['tool_calls'] : undefined)
    if (calls.length > 0) {
      tools.add(calls)
      const ids = calls.map(({ id }) => id)
      const known = ids.some((id) => id !== null)
      emit({ type: 'tool_calls', calls: calls.map(({ call }) => call), ...(known && { ids }) })
    }
    if (words === null && calls.length === 0) emit({ type: 'unknown', data: fragment })
  }

  const receiveChoice = (choice: JsonRecord): ErrorBody | null => {
    const { delta, message, finish_reason: reason } = choice
    for (const one of listOf(delta)) receiveFragment(one, 'delta')
    for (const one of listOf(message)) receiveFragment(one, 'message')
    const failure = failureOfFinish(reason)
    if (failure) return failure
    if (typeof reason !== 'string' || reason === '') return null
    finishReason = reason
    // A model that calls tools continues once they have responded.
    if (reason !== 'tool_calls') end = 'said'
    emit({ type: 'finish', reason })
    return null
  }

  const take = (event: JsonRecord): ErrorBody | null => {
    const inner = event['data']
    const chunk = event['choices'] === undefined && isRecord(inner) ? inner : event
    const failure = failureInside(event) ?? failureInside(chunk) ?? lastError(chunk)
    const conversation = textIn(chunk, 'conversation_id')
    if (conversation !== null && conversation !== conversationId) {
      conversationId = conversation
      emit({ type: 'conversation', conversationId: conversation })
    }
    if (failure) return failure
    assistantId = textIn(chunk, 'assistant_id') ?? assistantId
    model = textIn(chunk, 'model') ?? model
    for (const choice of recordsFrom(chunk['choices'])) {
      const failed = receiveChoice(choice)
      if (failed) return failed
    }
    if (chunk['status'] === 'completed') end = 'said'
    if (!isKnown(chunk)) emit({ type: 'unknown', data: chunk })
    return null
  }

  return {
    take,
    whole(json) {
      const failure = take(json)
      if (failure) return failure
      if (text === '' && tools.calls.length === 0 && finishReason === null)
        throw malformed('no-answer')
      return null
    },
    get end() {
      return end
    },
    value: (complete) => ({
      conversationId,
      assistantId,
      text,
      toolCalls: tools.calls,
      finishReason,
      model,
      complete,
    }),
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Returns the text of a delta or a message: '' when there is none, null when the content is of an unknown form. */
function contentOf(fragment: unknown): string | null {
  if (typeof fragment === 'string') return fragment
  if (!isRecord(fragment)) return null
  const { role: _, type, tool_calls: calls, ...rest } = fragment
  const { content } = rest
  const stranger = typeof type === 'string' && type !== 'content' && type !== 'text'
  if (typeof content === 'string') return content
  if (content !== undefined && content !== null) return wordsOf(content)
  if (typeof rest['text'] === 'string') return rest['text']
  if (calls !== undefined) return ''
  const empty = Object.values(rest).every((value) => value === null || value === '')
  return empty && (!stranger || type === 'tool_calls') ? '' : null
}

/** Returns the reason of a failure whose status does not report it. */
function lastError(chunk: JsonRecord): ErrorBody | null {
  const { last_error: reportedError, status } = chunk
  if (reportedError === undefined || reportedError === null || status === 'completed') return null
  if (typeof reportedError === 'string')
    return reportedError === '' ? null : { code: null, message: reportedError }
  const body = readErrorBody(reportedError)
  const fine = body !== null && body.message === null && /^(0|200)$/.test(body.code ?? '')
  return fine ? null : body
}

const knownFields =
  'choices status last_error usage conversation_id assistant_id model request_id engine notice metadata'.split(
    ' ',
  )

/** Returns whether a chunk is known: it has text, or only identity, progress or usage. Empty chunks count too. */
function isKnown(chunk: JsonRecord): boolean {
  return Object.keys(chunk).length === 0 || knownFields.some((name) => chunk[name] !== undefined)
}

/** One step of an assistant's answer, from a stream or a complete response. */
export type AssistantEvent =
  | { readonly type: 'conversation'; readonly conversationId: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_calls'
      readonly calls: readonly AssistantToolCall[]
      /** IDs of the calls, used to match later fragments; absent if the response has none. */
      readonly ids?: readonly (string | null)[]
    }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'unknown'; readonly data: unknown }

/** Accumulated answer, or the part received before a stream was cut (`complete` false). */
export interface AssistantAnswer {
  readonly conversationId: string | null
  readonly assistantId: string | null
  readonly text: string
  readonly toolCalls: readonly AssistantToolCall[]
  readonly finishReason: string | null
  readonly model: string | null
  readonly complete: boolean
}
