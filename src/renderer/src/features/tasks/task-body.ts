import type { RequestOf } from '../../../../shared/bridge/routes.ts'

/** The body of a new task as it is sent. */
export type TaskBody = RequestOf<'tasks.create'>['body']

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
