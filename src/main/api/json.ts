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

/** The value of a JSON text, or undefined (which no JSON text has) when it is none, or is nested beyond {@link deepestJson}. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // Each level is opened and closed.
    return text.length > 2 * deepestJson && isDeeper(value, deepestJson) ? undefined : value
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === 'object' && isDeeper(item, levels - 1)) return true
    return false
  }
  const record = value as Readonly<Record<string, unknown>>
  for (const name in record) {
    const item = record[name]
    if (typeof item === 'object' && isDeeper(item, levels - 1)) return true
  }
  return false
}
