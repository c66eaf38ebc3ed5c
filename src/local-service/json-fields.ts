import { limits } from '../shared/service/limits.ts'
import { charactersOf } from '../shared/text/characters.ts'
import { fieldIllegal, fieldMissing, fieldName, jsonValue } from './json-body.ts'
import type { JsonObject } from './json-body.ts'

/** Least and most, both included; absent: no bound. Of a text in characters, of a list in items, of a number itself. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

const within = (value: number, { min = -Infinity, max = Infinity }: Bounds): boolean =>
  value >= min && value <= max

function range({ min, max }: Bounds): string {
  if (min === undefined) return `at most ${max}`
  if (max === undefined) return `at least ${min}`
  return min === max ? `exactly ${min}` : `${min} to ${max}`
}

/** A text of any kind; undefined when absent or null. Throws 1214. */
export function textOf(object: JsonObject, name: string, bounds: Bounds = {}): string | undefined {
  const value = jsonValue(object, name)
  if (value === undefined) return undefined
  return checkedText(value, fieldName(object, name), bounds)
}

/** A value that must be a text; `name` is what the message calls it. Throws 1214. */
export function checkedText(value: unknown, name: string, bounds: Bounds = {}): string {
  if (typeof value !== 'string') throw fieldIllegal(name, 'be a string')
  if (!within(charactersOf(value), bounds))
    throw fieldIllegal(name, `have ${range(bounds)} characters`)
  return value
}

/** A text that must be there and not be empty. Throws 1213, 1214. */
export function requiredText(object: JsonObject, name: string, bounds: Bounds = {}): string {
  const text = textOf(object, name, bounds)
  if (text === undefined || text === '') throw fieldMissing(fieldName(object, name))
  return text
}

/** One of a few texts; undefined when absent. Throws 1214. */
export function choiceOf<T extends string>(
  object: JsonObject,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = textOf(object, name)
  if (text === undefined) return undefined
  const found = choices.find((choice) => choice === text)
  if (found === undefined)
    throw fieldIllegal(fieldName(object, name), `be one of: ${choices.join(', ')}`)
  return found
}

/** A finite number; undefined when absent. Throws 1214. */
export function numberOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
): number | undefined {
  const value = jsonValue(object, name)
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw fieldIllegal(fieldName(object, name), 'be a number')
  if (!within(value, bounds)) throw fieldIllegal(fieldName(object, name), `be ${range(bounds)}`)
  return value
}

/** A whole number; undefined when absent. Throws 1214. */
export function integerOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
): number | undefined {
  const value = numberOf(object, name, bounds)
  if (value !== undefined && !Number.isSafeInteger(value))
    throw fieldIllegal(fieldName(object, name), 'be a whole number')
  return value
}

/** True or false; `absent` when it was not sent. Throws 1214. */
export function booleanOf(object: JsonObject, name: string, absent: boolean): boolean {
  const value = jsonValue(object, name)
  if (value === undefined) return absent
  if (typeof value !== 'boolean') throw fieldIllegal(fieldName(object, name), 'be true or false')
  return value
}

/** An array of anything; undefined when absent. Throws 1214. */
export function listOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
): readonly unknown[] | undefined {
  const value = jsonValue(object, name)
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw fieldIllegal(fieldName(object, name), 'be an array')
  if (!within(value.length, bounds))
    throw fieldIllegal(fieldName(object, name), `have ${range(bounds)} items`)
  return value
}

/** An array of texts, each within its own bounds; undefined when absent. Throws 1214. */
export function textsOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
  each: Bounds = {},
): readonly string[] | undefined {
  return listOf(object, name, bounds)?.map((value, i) =>
    checkedText(value, `${fieldName(object, name)}[${i}]`, each),
  )
}

/** A value that must be an object, to read its fields; `path` is its place in the body. Throws 1214. */
export function checkedObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fieldIllegal(path, 'be an object')
  return { path, values: value as Readonly<Record<string, unknown>> }
}

/** A field that is an object; undefined when absent. Throws 1214. */
export function objectOf(object: JsonObject, name: string): JsonObject | undefined {
  const value = jsonValue(object, name)
  return value === undefined ? undefined : checkedObject(value, fieldName(object, name))
}

/** An array of objects; undefined when absent. Throws 1214. */
export function objectsOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
): readonly JsonObject[] | undefined {
  return listOf(object, name, bounds)?.map((value, i) =>
    checkedObject(value, `${fieldName(object, name)}[${i}]`),
  )
}

/** The caller's `request_id`, 6 to 64 characters (service-notes 1); undefined when it sent none. Throws 1214. */
export const requestIdOf = (body: JsonObject): string | undefined =>
  textOf(body, 'request_id', limits.requestId)

/** The caller's `user_id`, 6 to 128 characters (service-notes 16). Throws 1214. */
export const userIdOf = (body: JsonObject): string | undefined =>
  textOf(body, 'user_id', limits.userId)
