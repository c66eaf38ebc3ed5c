/** A JSON object, as opposed to an array, a scalar or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the field if it is a non-empty string, otherwise null. */
export function textField(record: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = record[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Maximum nesting depth of arrays and objects in a response. The provider sends less than a tenth of it. Much deeper values
 * can be parsed but not serialized: recursion would exhaust the stack.
 */
export const deepestJson = 500

/**
 * Maximum number of values in a response, all levels together: several times those of the densest hundred pages, or of the
 * vectors of a whole request. Parsing a few megabytes of empty brackets would take too long.
 */
export const maxJsonValues = 1_000_000

/**
 * Maximum number of values in a response read on the main thread, unless its call expects more: a hundred thousand take about
 * 15 ms, and processing them (rows, files to fetch) takes longer than parsing.
 */
export const defaultJsonValues = 200_000

/**
 * Returns the value of a JSON text, or undefined (never a JSON value) when it is not JSON, is deeper than {@link deepestJson}
 * or has more than `most` values.
 */
export function parseJson(text: string, maxValues = maxJsonValues): unknown {
  try {
    // Each level has an opening and a closing bracket.
    if (text.length > 2 * deepestJson && isOverLimit(text, maxValues)) return undefined
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

const quote = 34
const comma = 44
const backslash = 92
const openArray = 91
const closeArray = 93
const openObject = 123
const closeObject = 125

/** Counts levels and values of a JSON text without parsing it; strings are skipped. */
function isOverLimit(text: string, maxValues: number): boolean {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case openArray:
      case openObject:
        depth += 1
        values += 1
        break
      case closeArray:
      case closeObject:
        depth -= 1
        break
      case comma:
        values += 1
        break
    }
    if (depth > deepestJson || values > maxValues) return true
  }
  return false
}

/** Returns the end of the string that begins at a quote, or the end of the text when it is unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}
