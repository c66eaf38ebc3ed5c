import { limits } from '../shared/provider/limits.ts'
import { charactersOf } from '../shared/text/characters.ts'
import {
  fieldIllegal,
  fieldMissing,
  fieldName,
  isObject,
  jsonValue,
  type JsonObject,
} from './json-body.ts'

/**
 * Inclusive minimum and maximum; absent: unlimited. Applies to the characters of a text, the items of a list, or the
 * value of a number.
 */
interface Bounds {
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

/** Returns a checked field; undefined if absent or null. `check` receives its value and its full name. */
function checked<T>(
  object: JsonObject,
  name: string,
  check: (value: unknown, path: string) => T,
): T | undefined {
  const value = jsonValue(object, name)
  return value === undefined ? undefined : check(value, fieldName(object, name))
}

/** Returns any text; undefined if absent or null. Throws 1214. */
export const textOf = (object: JsonObject, name: string, bounds: Bounds = {}): string | undefined =>
  checked(object, name, (value, path) => checkedText(value, path, bounds))

/** Returns a value that must be a text; `name` is used in the message. Throws 1214. */
export function checkedText(value: unknown, name: string, bounds: Bounds = {}): string {
  if (typeof value !== 'string') throw fieldIllegal(name, 'be a string')
  if (!within(charactersOf(value), bounds))
    throw fieldIllegal(name, `have ${range(bounds)} characters`)
  return value
}

/** Returns a required, non-empty text. Throws 1213, 1214. */
export function requiredText(object: JsonObject, name: string, bounds: Bounds = {}): string {
  const text = textOf(object, name, bounds)
  if (text === undefined || text === '') throw fieldMissing(fieldName(object, name))
  return text
}

/** Returns one of the allowed texts; undefined if absent. Throws 1214. */
export function choiceOf<T extends string>(
  object: JsonObject,
  name: string,
  choices: readonly T[],
): T | undefined {
  return checked(object, name, (value, path) => {
    const text = checkedText(value, path)
    const found = choices.find((choice) => choice === text)
    if (found === undefined) throw fieldIllegal(path, `be one of: ${choices.join(', ')}`)
    return found
  })
}

/** Returns a finite number; undefined if absent. Throws 1214. */
export function numberOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
): number | undefined {
  return checked(object, name, (value, path) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw fieldIllegal(path, 'be a number')
    if (!within(value, bounds)) throw fieldIllegal(path, `be ${range(bounds)}`)
    return value
  })
}

/** Returns an integer; undefined if absent. Throws 1214. */
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

/** Returns a boolean; `absent` if it was not sent. Throws 1214. */
export function booleanOf(object: JsonObject, name: string, absent: boolean): boolean {
  const value = jsonValue(object, name) ?? absent
  if (typeof value !== 'boolean') throw fieldIllegal(fieldName(object, name), 'be true or false')
  return value
}

/** Returns an array of anything; undefined if absent. Throws 1214. */
function listOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
): readonly unknown[] | undefined {
  return checked(object, name, (value, path) => {
    if (!Array.isArray(value)) throw fieldIllegal(path, 'be an array')
    if (!within(value.length, bounds)) throw fieldIllegal(path, `have ${range(bounds)} items`)
    return value
  })
}

/** Returns an array of texts, each within the bounds; undefined if absent. Throws 1214. */
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

/**
 * Returns a value that must be an object, for reading its fields; `path` is its path in the body. Throws 1214.
 */
export function checkedObject(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw fieldIllegal(path, 'be an object')
  return { path, values: value }
}

/** Returns a field that is an object; undefined if absent. Throws 1214. */
export const objectOf = (object: JsonObject, name: string): JsonObject | undefined =>
  checked(object, name, checkedObject)

/** Returns an array of objects; undefined if absent. Throws 1214. */
export function objectsOf(
  object: JsonObject,
  name: string,
  bounds: Bounds = {},
): readonly JsonObject[] | undefined {
  return listOf(object, name, bounds)?.map((value, i) =>
    checkedObject(value, `${fieldName(object, name)}[${i}]`),
  )
}

/**
 * Returns the client's `request_id`, 6 to 64 characters (service-notes 1); undefined if absent. Throws 1214.
 */
export const requestIdOf = (body: JsonObject): string | undefined =>
  textOf(body, 'request_id', limits.requestId)

/** Returns the client's `user_id`, 6 to 128 characters (service-notes 16). Throws 1214. */
export const userIdOf = (body: JsonObject): string | undefined =>
  textOf(body, 'user_id', limits.userId)
