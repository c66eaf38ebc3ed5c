import { readErrorBody } from './errors.ts'
import { isRecord } from './json.ts'
import {
  requireMaxRows,
  malformed,
  numberIn,
  recordFrom,
  recordsFrom,
  textIn,
  type JsonRecord,
} from './lenient.ts'
import type { TaskResult, TaskToolCall } from '../../shared/model/task.ts'

const states: Readonly<Record<string, TaskResult['state']>> = {
  PROCESSING: 'processing',
  PENDING: 'processing',
  SUCCESS: 'succeeded',
  SUCCEEDED: 'succeeded',
  COMPLETED: 'succeeded',
  FAIL: 'failed',
  FAILED: 'failed',
}

/** Maximum stored length of the reason of a failed task, in characters. */
const maxReasonLength = 500

/** Returns the state in `task_status`; null when it is missing or unknown. */
function namedState(row: JsonRecord): TaskResult['state'] | null {
  const word = textIn(row, 'task_status')?.trim().toUpperCase() ?? ''
  return Object.hasOwn(states, word) ? (states[word] ?? null) : null
}

/**
 * Returns true when a response, including a failure in it, is about the task itself: it contains a state or the requested ID.
 * Any other failure is one of the request.
 */
export function isAboutTask(json: unknown, requestedId: string): boolean {
  return isRecord(json) && (namedState(json) !== null || textIn(json, 'id') === requestedId)
}

/** Reads the response to creating a task (service-notes 9). */
export function readTaskCreated(json: unknown): {
  readonly id: string
  readonly state: TaskResult['state']
} {
  const row = recordFrom(json)
  const id = row && textIn(row, 'id')
  if (!row || !id) throw malformed('no-id')
  return { id, state: namedState(row) ?? 'processing' }
}

/** Reads an async result in all its variants (service-notes 9); `asked` is used when the response has no ID. */
export function readTask(json: unknown, requestedId: string): TaskResult {
  const row = recordFrom(json)
  if (!row) throw malformed('no-task')
  const choices = requireMaxRows(recordsFrom(row['choices']), maxFiles).map(choiceOf)
  const videos = filesOf(row['video_result']).map((one) => ({
    url: textIn(one, 'url') ?? '',
    coverUrl: textIn(one, 'cover_image_url'),
  }))
  const images = filesOf(row['image_result'] ?? row['data']).map((one) => ({
    url: textIn(one, 'url') ?? '',
  }))
  const failure = failureOf(row)
  const something = choices.length + videos.length + images.length > 0
  const state = namedState(row) ?? (something ? 'succeeded' : failure ? 'failed' : 'processing')
  return {
    id: textIn(row, 'id') ?? requestedId,
    state,
    model: textIn(row, 'model'),
    created: numberIn(row, 'created'),
    choices,
    videos,
    images,
    webSearch: recordsFrom(row['web_search']).map((one) => ({
      icon: textIn(one, 'icon') ?? '',
      title: textIn(one, 'title') ?? '',
      link: textIn(one, 'link') ?? '',
      media: textIn(one, 'media') ?? '',
      publishDate: textIn(one, 'publish_date') ?? '',
      content: textIn(one, 'content') ?? '',
      refer: textIn(one, 'refer') ?? '',
    })),
    contentFilter: recordsFrom(row['content_filter']).map((one) => ({
      role: textIn(one, 'role') ?? '',
      level: numberIn(one, 'level') ?? 0,
    })),
    failure: state === 'failed' ? failure : null,
  }
}

/** Maximum number of files of one type in a task, and of answers: each file is a row that is fetched separately. */
const maxFiles = 200

/**
 * Returns files with a URL, given as an array, a single object, or plain URLs; entries without one cannot be fetched and are
 * omitted.
 */
function filesOf(value: unknown): readonly JsonRecord[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const files = list
    .flatMap((one) =>
      typeof one === 'string' && /^https?:/.test(one) ? [{ url: one }] : recordsFrom(one),
    )
    .filter((one) => textIn(one, 'url') !== null)
  return requireMaxRows(files, maxFiles)
}

function choiceOf(row: JsonRecord, place: number): TaskResult['choices'][number] {
  const message = recordFrom(row['message']) ?? recordFrom(row['delta']) ?? {}
  const audio = recordFrom(message['audio'])
  return {
    index: numberIn(row, 'index') ?? place,
    role: textIn(message, 'role') ?? 'assistant',
    content: contentOf(message['content']),
    reasoning: textIn(message, 'reasoning_content'),
    audio: audio && {
      id: textIn(audio, 'id') ?? '',
      data: textIn(audio, 'data') ?? '',
      expiresAt: textIn(audio, 'expires_at'),
    },
    toolCalls: recordsFrom(message['tool_calls']).map(toolCallOf),
    finishReason: textIn(row, 'finish_reason'),
  }
}

/** Returns the text, or the texts of parts; null when a function is called instead. */
function contentOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) && !isRecord(value)) return null
  const texts = recordsFrom(value).map((part) => textIn(part, 'text') ?? '')
  return texts.length > 0 ? texts.join('') : null
}

/** Reads a tool call of either type; the key that is present decides when `type` is missing. */
function toolCallOf(row: JsonRecord): TaskToolCall {
  const kind = textIn(row, 'type') ?? (isRecord(row['mcp']) ? 'mcp' : 'function')
  const call = recordFrom(row[kind]) ?? recordFrom(row['function']) ?? recordFrom(row['mcp']) ?? {}
  return {
    id: textIn(row, 'id') ?? textIn(call, 'id') ?? '',
    type: kind,
    name: textIn(call, 'name') ?? '',
    arguments: argumentsOf(call['arguments']),
    raw: row,
  }
}

/** Returns arguments as JSON text. The API reference sends JSON text, others the object itself. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/**
 * Returns why a task failed: an `error` object or text, or code and message next to the state; null when nothing is reported.
 */
function failureOf(row: JsonRecord): TaskResult['failure'] {
  const { error, code, message, msg, detail } = row
  const body = readErrorBody({ error, code, message, msg, detail })
  if (!body) return null
  const words = (body.message ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return { code: body.code, message: words.slice(0, maxReasonLength).toWellFormed() }
}
