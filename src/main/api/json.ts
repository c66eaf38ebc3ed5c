/** A JSON object, as opposed to an array, a scalar or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The field if it is a string with something in it, else null. */
export function textField(record: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = record[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The value of a JSON text, or undefined (which no JSON text has) when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
