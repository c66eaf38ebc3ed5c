import { z } from 'zod'
import type { Operation } from './operation.ts'

/** One field of an operation's input, told without its schema. */
export interface InputField {
  readonly name: string
  /** `text or JSON` takes both: a text, or an object or list in its place. */
  readonly type: 'text' | 'number' | 'integer' | 'yes or no' | 'JSON' | 'text or JSON'
  /** Takes several of this type. */
  readonly list: boolean
  readonly required: boolean
  /** The only values it takes; empty when any will do. */
  readonly choices: readonly (string | number)[]
  /** What it is, and the limits the service is known to have. */
  readonly about: string
  /** A reference to a file. */
  readonly file: boolean
}

/** The part of JSON Schema that the inputs use. */
interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly enum?: readonly (string | number)[]
  readonly anyOf?: readonly Schema[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** The fields an operation takes, in the order of its schema. */
export function inputFields(operation: Operation): readonly InputField[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input' }) as Schema
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const list = field.type === 'array'
    const one = list ? (field.items ?? {}) : field
    return {
      name,
      type: typeOf(one),
      list,
      required: schema.required?.includes(name) ?? false,
      choices: one.enum ?? [],
      about: field.description ?? '',
      file: operation.takes.includes(name),
    }
  })
}

function typeOf(schema: Schema): InputField['type'] {
  if (schema.anyOf)
    return schema.anyOf.some((each) => each.type === 'string') ? 'text or JSON' : 'JSON'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'integer' || schema.type === 'number') return schema.type
  return schema.type === 'boolean' ? 'yes or no' : 'JSON'
}
