/** Returns a value of a response as fields; no fields when it is not an object. */
export const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

/** Returns a value of a response as a list of objects. */
export const recordsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordIn) : []

/** Returns a text field; empty when it is not a text. */
export function wordsIn(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}
