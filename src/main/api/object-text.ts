import { isRecord, parseJson } from './json.ts'

/** Tells when a text that comes in pieces is one whole JSON object; each piece costs its own length. */
export interface ObjectText {
  add(piece: string): void
  /** Forgets what came: the text begins anew. */
  restart(): void
  /** Whether `text`, which must be all the pieces joined, is one JSON object. */
  isWhole(text: string): boolean
}

/**
 * Starts an empty text. Brackets are counted outside of strings, and the text is parsed only once, when the last of them is
 * closed: asking after every piece would read everything again each time.
 */
export function createObjectText(): ObjectText {
  let depth = 0
  let inString = false
  let escaped = false
  /** The outermost value was closed; JSON allows nothing but white space after it. */
  let closed = false
  let broken = false
  let parsed: boolean | null = null

  const take = (code: number): void => {
    if (escaped) escaped = false
    else if (inString) {
      if (code === backslash) escaped = true
      else if (code === quote) inString = false
    } else if (isBlank(code)) return
    else if (closed) broken = true
    else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) depth += 1
    else if (code === closeBrace || code === closeBracket) {
      depth -= 1
      closed = depth === 0
    }
  }

  const restart = (): void => {
    depth = 0
    inString = escaped = closed = broken = false
    parsed = null
  }

  return {
    add(piece) {
      for (let at = 0; at < piece.length && !broken; at += 1) take(piece.charCodeAt(at))
    },
    restart,
    isWhole(text) {
      if (!closed || broken) return false
      parsed ??= isRecord(parseJson(text))
      return parsed
    },
  }
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
/** The white space of JSON. */
const isBlank = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
