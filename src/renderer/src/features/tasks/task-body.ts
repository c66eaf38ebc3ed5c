import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { TaskKind } from '../../../../shared/model/task.ts'

/** The body of a new task as it is sent. */
export type TaskBody = RequestOf<'tasks.create'>['body']

/** The field of the body that holds what is asked. */
export const questionField = (kind: TaskKind): 'messages' | 'prompt' =>
  kind === 'chat' ? 'messages' : 'prompt'

/**
 * The body of a task: what was asked in words, and further fields that were typed as JSON, which may hold what is asked instead. What
 * is wrong otherwise, by its field: nothing asked, no JSON object, or asked in both places, where neither may be lost silently.
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

/** A typed body: a JSON object; null when it is none. */
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
