/** A JSON object, as opposed to an array, a scalar or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The field if it is a string with something in it, else null. */
export function textField(record: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = record[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Levels of arrays and objects that a reply may have. Nothing the service sends has a tenth of them, and what is much deeper can
 * be read but not be written again: everything that walks through a value would exhaust the stack.
 */
export const deepestJson = 500

/**
 * Values that a reply may have, all levels together: several times what the densest hundred pages come to, or the vectors of a whole
 * request. A few megabytes of empty brackets would be read for longer than anybody waits.
 */
export const maxJsonValues = 1_000_000

/**
 * Values of a reply that is read on the main thread, where its call expects no more: a hundred thousand take about 15 ms, and what
 * is made of them (rows, files to fetch) takes more than the reading.
 */
export const defaultJsonValues = 200_000

/** The value of a JSON text, or undefined (which no JSON text has) when it is none, or is beyond {@link deepestJson} or has more than `most` values. */
export function parseJson(text: string, maxValues = maxJsonValues): unknown {
  try {
    // Each level is opened and closed.
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

/** Counts levels and values of a JSON text without reading it; strings are stepped over. */
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

/** Where the string that begins at a quote ends; the end of the text when it never does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}
