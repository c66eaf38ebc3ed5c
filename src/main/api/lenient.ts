import { AppError } from '../errors.ts'
import { isRecord, parseJson } from './json.ts'

/** A JSON object as replies hold it. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** The field as a finite number, sent as a number or as its text; null otherwise. */
export function numberIn(record: JsonRecord, name: string): number | null {
  const value = record[name]
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** The field as a count (a whole number from 0 on that arithmetic and the database can bear); null for anything else. */
export function countIn(record: JsonRecord, name: string): number | null {
  const value = numberIn(record, name)
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** The field as text, sent as text or as a number (ids are); null when missing or empty. */
export function textIn(record: JsonRecord, name: string): string | null {
  const value = record[name]
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

/** Longest name that a list shows, in UTF-16 units: one of megabytes would hold up whoever draws the list, each time. */
const maxNameLength = 1000

/** The field as a name, or as a few words about it: {@link textIn}, cut. */
export const nameIn = (record: JsonRecord, name: string): string | null =>
  textIn(record, name)?.slice(0, maxNameLength).toWellFormed() ?? null

/** A switch, sent as a boolean, as 0 or 1, or as the text of either. */
export function flagIn(record: JsonRecord, name: string): boolean {
  const value = record[name]
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** The object itself, or the object a JSON text holds; null for anything else. */
export function recordFrom(value: unknown): JsonRecord | null {
  const read = typeof value === 'string' ? parseJson(value) : value
  return isRecord(read) ? read : null
}

/** The objects of a list that may be an array, a single object, the JSON text of either, or missing. Anything that is no object is left out. */
export function recordsFrom(value: unknown): readonly JsonRecord[] {
  const read = typeof value === 'string' ? parseJson(value) : value
  if (Array.isArray(read)) return read.map(recordFrom).filter((one) => one !== null)
  return isRecord(read) ? [read] : []
}

/** The texts of a list that may be an array or a single text. */
export function textsFrom(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((one) => typeof one === 'string')
}

/** The AppError for a reply without the one thing it is asked for; `reason` goes to Details. */
export function malformed(reason: string): AppError {
  return new AppError('MALFORMED_REPLY', 'The reply was not what the service sends.', {
    params: { reason },
  })
}

/** Rows of a list, as they are; MALFORMED_REPLY when there are more than any service has: each takes its time to be kept and shown. */
export function requireMaxRows<T>(rows: readonly T[], maxRows: number): readonly T[] {
  if (rows.length > maxRows) throw malformed('too-many')
  return rows
}
