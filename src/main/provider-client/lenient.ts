import { AppError } from '../errors.ts'
import { isRecord, parseJson } from './json.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** Returns the field as a finite number, sent as a number or as text; null otherwise. */
export function numberIn(record: JsonRecord, name: string): number | null {
  const value = record[name]
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/**
 * Returns the field as a count (a non-negative safe integer that the database can store); null for anything else.
 */
export function countIn(record: JsonRecord, name: string): number | null {
  const value = numberIn(record, name)
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** Returns the field as text, sent as text or as a number (as IDs are); null when missing or empty. */
export function textIn(record: JsonRecord, name: string): string | null {
  const value = record[name]
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

/**
 * Maximum length of a name in a list, in UTF-16 units: a name of megabytes would slow down every rendering of the list.
 */
const maxNameLength = 1000

/** Returns the field as a name or a short description: {@link textIn}, truncated. */
export const nameIn = (record: JsonRecord, name: string): string | null =>
  textIn(record, name)?.slice(0, maxNameLength).toWellFormed() ?? null

/** Returns a flag, sent as a boolean, as 0 or 1, or as the text of either. */
export function flagIn(record: JsonRecord, name: string): boolean {
  const value = record[name]
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** Returns the object itself, or the object in a JSON text; null for anything else. */
export function recordFrom(value: unknown): JsonRecord | null {
  const read = typeof value === 'string' ? parseJson(value) : value
  return isRecord(read) ? read : null
}

/**
 * Returns the objects of a list that may be an array, a single object, the JSON text of either, or missing. Other values are
 * omitted.
 */
export function recordsFrom(value: unknown): readonly JsonRecord[] {
  const read = typeof value === 'string' ? parseJson(value) : value
  if (Array.isArray(read)) return read.map(recordFrom).filter((one) => one !== null)
  return isRecord(read) ? [read] : []
}

/** Returns the texts of a list that may be an array or a single text. */
export function textsFrom(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((one) => typeof one === 'string')
}

/** Returns the AppError for a response without its required content; `reason` goes to Details. */
export function malformed(reason: string): AppError {
  return new AppError('MALFORMED_REPLY', 'The response is not in the expected format.', {
    params: { reason },
  })
}

/**
 * Returns the rows of a list unchanged; throws MALFORMED_REPLY when there are more than any provider has, since each takes
 * time to store and show.
 */
export function requireMaxRows<T>(rows: readonly T[], maxRows: number): readonly T[] {
  if (rows.length > maxRows) throw malformed('too-many')
  return rows
}
