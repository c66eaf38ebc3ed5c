import { isRecord, parseJson } from './json.ts'

/** Detects when a streamed text is one complete JSON object; each fragment costs only its own length. */
export interface ObjectText {
  add(chunk: string): void
  /** Resets to an empty text. */
  restart(): void
  /** Returns whether `text`, which must be all the fragments joined, is one JSON object. */
  isWhole(text: string): boolean
}

/**
 * Creates an empty text. Brackets are counted outside of strings, and the text is parsed only once, when the last of them is
 * closed: parsing after every fragment would repeat all the work. Text that does not begin with a brace is never scanned.
 */
export function createObjectText(): ObjectText {
  let depth = 0
  let inString = false
  let escaped = false
  /** Whether the outermost value is closed; JSON allows only white space after it. */
  let closed = false
  let broken = false
  let parsed: boolean | null = null

  /** Processes the next token and returns where the fragment continues. */
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

/**
 * Characters that matter inside strings, between them, and around the object, where anything but JSON white space does.
 */
const inStrings = /["\\]/g
const inObjects = /["{}[\]]/g
const outside = /[^\t\n\r ]/g
