import { isRecord, parseJson } from './json.ts'

/** Tells when a text that comes in pieces is one whole JSON object; each piece costs its own length. */
export interface ObjectText {
  add(chunk: string): void
  /** Forgets what came: the text begins anew. */
  restart(): void
  /** Whether `text`, which must be all the pieces joined, is one JSON object. */
  isWhole(text: string): boolean
}

/**
 * Starts an empty text. Brackets are counted outside of strings, and the text is parsed only once, when the last of them is
 * closed: asking after every piece would read everything again each time. What begins with no brace is never looked through.
 */
export function createObjectText(): ObjectText {
  let depth = 0
  let inString = false
  let escaped = false
  /** The outermost value was closed; JSON allows nothing but white space after it. */
  let closed = false
  let broken = false
  let parsed: boolean | null = null

  /** Takes what is told next and returns where the piece goes on. */
  const take = (chunk: string, from: number): number => {
    if (escaped) {
      escaped = false
      return from + 1
    }
    const marks = inString ? inStrings : depth > 0 ? inObjects : outside
    marks.lastIndex = from
    const at = marks.exec(chunk)?.index
    if (at === undefined) return chunk.length
    const mark = chunk[at]
    if (inString) {
      if (mark === '\\') escaped = true
      else inString = false
    } else if (depth === 0 && (closed || mark !== '{')) broken = true
    else if (mark === '"') inString = true
    else if (mark === '{' || mark === '[') depth += 1
    else {
      depth -= 1
      closed = depth === 0
    }
    return at + 1
  }

  const restart = (): void => {
    depth = 0
    inString = escaped = closed = broken = false
    parsed = null
  }

  return {
    add(chunk) {
      for (let at = 0; at < chunk.length && !broken;) at = take(chunk, at)
    },
    restart,
    isWhole(text) {
      if (!closed || broken) return false
      parsed ??= isRecord(parseJson(text))
      return parsed
    },
  }
}

/** What matters inside of strings, between them, and around the object, where anything but JSON's white space does. */
const inStrings = /["\\]/g
const inObjects = /["{}[\]]/g
const outside = /[^\t\n\r ]/g
