import { z } from 'zod'
import type { InputField, OperationInfo } from '../../shared/model/operation.ts'
import type { Operation } from './operation.ts'

export type { InputField } from '../../shared/model/operation.ts'

/** The subset of JSON Schema that the inputs use. */
interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly enum?: readonly (string | number)[]
  readonly anyOf?: readonly Schema[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Returns the input fields of an operation, in the order of its schema. */
export function inputFields(operation: Operation): readonly InputField[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input' }) as Schema
  return fieldsOf(schema, operation.takes)
}

/** Returns the description of an operation that a page needs to offer it and to ask for its input. */
export function operationInfo(name: string, operation: Operation): OperationInfo {
  const { spec, summary, creates, streams, writes } = operation
  return { name, spec, summary, creates, streams, writes, fields: inputFields(operation) }
}

function fieldsOf(schema: Schema, takes: readonly string[]): readonly InputField[] {
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
      file: takes.includes(name),
      ...(!list && field.properties && { fields: fieldsOf(field, []) }),
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
