/** JSON object from the provider. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns the object itself; null for anything else. */
export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** Returns a list unchanged, a single value as a list of one, and nothing as an empty list. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Parses JSON text that contains an object or a list; returns anything else unchanged. */
export function opened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 4_000_000 || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/** Returns the first of some fields that contains text, or a number as text; '' if none does. */
export function textAt(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' && value.trim() !== '') return value
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  }
  return ''
}

/** Returns the first of some fields that contains a finite number, or the text of one. */
export function numberAt(fields: Fields, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
  }
  return null
}

/** Returns the first of some fields that contains an integer, for counting rows or lines. */
export function countAt(fields: Fields, ...names: readonly string[]): number | null {
  const number = numberAt(fields, ...names)
  return number !== null && Number.isInteger(number) && number >= 0 && number < 1e9 ? number : null
}

/** Returns a flag that is sent as a boolean, as 0 or 1, or as the text of either. */
export const flagAt = (fields: Fields, name: string): boolean =>
  [true, 1, '1', 'true'].some((on) => on === fields[name])
