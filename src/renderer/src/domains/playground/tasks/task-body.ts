import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { TaskKind } from '../../../../../shared/model/task.ts'

/** The body of a new task as sent. */
export type TaskBody = RequestOf<'tasks.create'>['body']

/** The body field that contains the input. */
export const questionField = (kind: TaskKind): 'messages' | 'prompt' =>
  kind === 'chat' ? 'messages' : 'prompt'

/**
 * Returns the body of a task: the input in words, and further fields typed as JSON, which may contain the input instead.
 * Otherwise returns the problem by field: no input, not a JSON object, or input in both places, where neither may be lost
 * silently.
 */
export function taskBody(
  kind: TaskKind,
  prompt: string,
  typed: string,
): { readonly body: TaskBody } | { readonly problem: 'asked' | 'object' | 'twice' } {
  const further = typed.trim() === '' ? {} : bodyOf(typed)
  if (further === null) return { problem: 'object' }
  const name = questionField(kind)
  const words = prompt.trim()
  const isTyped = Object.hasOwn(further, name)
  if (words === '') return isTyped ? { body: further } : { problem: 'asked' }
  if (isTyped) return { problem: 'twice' }
  const field = name === 'messages' ? [{ role: 'user', content: words }] : words
  return { body: { [name]: field, ...further } }
}

/** A typed body: a JSON object; null if it is not one. */
export function bodyOf(typed: string): TaskBody | null {
  try {
    const value: unknown = JSON.parse(typed)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is TaskBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
