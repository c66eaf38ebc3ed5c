import { isRecord, parseJson } from './json.ts'
import type { JsonRecord } from './lenient.ts'

/** Where the words of an event may stand, most likely first. */
const textNames = ['text', 'content', 'answer', 'delta', 'message', 'reasoning', 'thought', 'value']

/** What may stand beside the words in an object that is nothing but a wrapper around them. */
const besideText: ReadonlySet<string> = new Set([...textNames, 'type', 'role', 'index', 'id'])

/**
 * The words an event's `data` holds (service-notes 6): text, an object with a field of words, a list of such, or JSON text of
 * a mere wrapper. Missing data has none (''); null when there is something else in it. JSON that is itself the answer stays
 * as it is: only objects that hold nothing but words are unwrapped.
 */
export function wordsOf(data: unknown): string | null {
  return wordsAt(data, 0)
}

/** Words stand a few boxes deep at most; what is deeper is nobody's words and could exhaust the stack. */
const deepest = 8

function wordsAt(data: unknown, depth: number): string | null {
  if (depth > deepest) return null
  if (typeof data === 'string') return unwrapped(data, depth) ?? data
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

function unwrapped(text: string, depth: number): string | null {
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  const value = parseJson(text)
  if (!isRecord(value) || !Object.keys(value).every((name) => besideText.has(name))) return null
  return wordsIn(value, depth + 1)
}
