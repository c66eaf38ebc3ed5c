import type { Failure } from '../../../shared/bridge/reply.ts'
import type { TaskKind, TaskResult } from '../../../shared/model/task.ts'
import type { Answered } from '../../api/answer.ts'
import { serviceError } from '../../api/errors.ts'
import { isRecord, parseJson } from '../../api/json.ts'
import { readTask } from '../../api/task-replies.ts'
import { toFailure } from '../../errors.ts'
import type { TaskPatch, TaskRecord } from '../../store/types.ts'
import { titleFrom, textFrom } from '../remote-items/title.ts'

/** Parses the result from the saved response; null for a response without a task. */
export function resultOf(body: string, taskId: string): TaskResult | null {
  const json = parseJson(body)
  return typeof json === 'object' && json !== null ? readTask(json, taskId) : null
}

/** Returns the changes that a response makes to a task, except the schedule of the next poll. */
export function answered(
  task: TaskRecord,
  answer: Answered<TaskResult>,
  at: number,
  mask: (text: string) => string,
): TaskPatch {
  const { value } = answer
  const texts = value.choices.flatMap(({ content }) => (content === null ? [] : [content]))
  const title = task.title === task.taskId ? titleFrom(texts) : ''
  const masked = (text: string | null): string | null => (text === null ? null : mask(text))
  return {
    kind: task.kind ?? kindOf(value),
    model: masked(value.model) ?? task.model,
    attempts: task.attempts + 1,
    failures: 0,
    error: value.state === 'failed' ? failureOf(value, mask(answer.requestId), at, mask) : null,
    ...(title !== '' && { title: mask(title) }),
    words: mask(textFrom([...texts, ...value.webSearch.map((found) => found.title)])),
    engine: masked(answer.engine) ?? task.engine,
    notice: masked(answer.notice) ?? task.notice,
  }
}

function kindOf(value: TaskResult): TaskKind | null {
  if (value.videos.length > 0) return 'video'
  if (value.images.length > 0) return 'image'
  return value.choices.length > 0 ? 'chat' : null
}

/** Returns why a task failed, as a regular failure. It is final: polling again returns the same. */
function failureOf(
  value: TaskResult,
  requestId: string,
  at: number,
  mask: (text: string) => string,
): Failure {
  const facts = { status: 200, requestId, logId: null, retryAfterMs: null }
  const error = serviceError(facts, value.failure, mask)
  return { ...toFailure(error, at), retriable: false }
}

/**
 * Returns the title of a task from its request body: the prompt, or the last user message. Empty if there is neither.
 */
export function titleOfBody(body: Readonly<Record<string, unknown>>): string {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : []
  const content = messages.findLast(({ role }) => role === 'user')?.['content']
  const parts = Array.isArray(content)
    ? content.filter(isRecord).map(({ text }) => text)
    : [content]
  return titleFrom([body['prompt'], ...parts].filter((text) => typeof text === 'string'))
}
