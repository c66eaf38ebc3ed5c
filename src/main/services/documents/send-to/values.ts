/** A value of a reply as fields; none when it is no object. */
export const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

/** A value of a reply as a list of objects. */
export const recordsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordIn) : []

/** A text field; empty when it is none. */
export function wordsIn(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}
