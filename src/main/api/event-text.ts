import { isRecord } from './json.ts'
import type { JsonRecord } from './lenient.ts'

/** Where the words of an event may stand, most likely first. */
const textNames = ['text', 'content', 'answer', 'delta', 'message', 'reasoning', 'thought', 'value']

/**
 * The words an event's `data` holds (service-notes 6): text as it stands, an object with a field of words, or a list of such.
 * Missing data has none (''); null when there is something else in it. Text is never looked into: an answer may be JSON itself.
 */
export function wordsOf(data: unknown): string | null {
  return wordsAt(data, 0)
}

/** Words stand a few boxes deep at most; what is deeper is nobody's words and could exhaust the stack. */
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
