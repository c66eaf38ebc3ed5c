import type { ParseArgsOptionsConfig } from 'node:util'
import type { InputField } from '../main/operations/describe.ts'
import { UsageError } from './usage-error.ts'

/** Value that `parseArgs` returns for one flag. */
export type FlagValue = string | boolean | readonly (string | boolean)[] | undefined

/** The flag of a field: `topN` becomes `top-n`. */
export const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The flags of an operation: one for each field, repeated for lists. */
export function flagsOf(fields: readonly InputField[]): ParseArgsOptionsConfig {
  return Object.fromEntries(
    fields.map((field) => [
      flagOf(field.name),
      { type: field.type === 'yes or no' ? 'boolean' : 'string', multiple: field.list } as const,
    ]),
  )
}

/** Returns the fields passed as flags, with the types their schema requires. Throws UsageError. */
export function readFlags(
  fields: readonly InputField[],
  given: Readonly<Record<string, FlagValue>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const field of fields) {
    const value = given[flagOf(field.name)]
    if (value === undefined) continue
    if (typeof value === 'boolean') input[field.name] = value
    else if (typeof value === 'string') input[field.name] = one(field, value)
    else input[field.name] = list(field, value.map(String))
  }
  return input
}

/** Parses a list: its flag repeated, or one JSON list. */
function list(field: InputField, values: readonly string[]): unknown {
  const [first = ''] = values
  if (values.length === 1 && first.trimStart().startsWith('[')) {
    const whole = parsed(first)
    if (Array.isArray(whole)) return whole
  }
  return values.map((value) => one(field, value))
}

function one(field: InputField, value: string): unknown {
  switch (field.type) {
    case 'integer':
    case 'number': {
      const number = Number(value)
      if (value.trim() === '' || !Number.isFinite(number))
        throw new UsageError(`--${flagOf(field.name)} must be a number`)
      return number
    }
    case 'JSON': {
      const json = parsed(value)
      if (json === undefined) throw new UsageError(`--${flagOf(field.name)} must be JSON`)
      return json
    }
    case 'text or JSON': {
      const json = /^\s*[[{]/.test(value) ? parsed(value) : undefined
      return json === undefined ? value : json
    }
    case 'text':
    case 'yes or no':
      return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
