import { isRecord } from './json.ts'
import type { JsonRecord } from './lenient.ts'

/** Fields that may contain the text of an event, most likely first. */
const textNames = ['text', 'content', 'answer', 'delta', 'message', 'reasoning', 'thought', 'value']

/**
 * Returns the text in an event's `data` (service-notes 6): plain text, an object with a text field, or a list of such.
 * Missing data has none (''); null for any other content. Text itself is never parsed: an answer may be JSON.
 */
export function wordsOf(data: unknown): string | null {
  return wordsAt(data, 0)
}

/** Maximum nesting depth of text: deeper values are not text and could exhaust the stack. */
const deepest = 8

function wordsAt(data: unknown, depth: number): string | null {
  if (depth > deepest) return null
  if (typeof data === 'string') return data
  if (data === undefined || data === null) return ''
  if (typeof data === 'number') return String(data)
  if (Array.isArray(data)) {
    const parts: (string | null)[] = data.map((part) => wordsAt(part, depth + 1))
    return parts.includes(null) ? null : parts.join('')
  }
  return isRecord(data) ? wordsIn(data, depth) : null
}

function wordsIn(record: JsonRecord, depth: number): string | null {
  for (const name of textNames) {
    const value = record[name]
    if (typeof value === 'string') return value
    if (typeof value === 'object' && value !== null) return wordsAt(value, depth + 1)
  }
  return null
}
