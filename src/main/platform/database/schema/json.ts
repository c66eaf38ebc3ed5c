import { z } from 'zod'

/**
 * JSON column: the minimum shape that its readers require, and the value that replaces anything else. Readers know more
 * fields than these, so other fields are ignored.
 */
export interface Json {
  readonly schema: z.ZodType
  readonly otherwise: unknown
}

export const withDefault = (schema: z.ZodType, otherwise: unknown): Json => ({ schema, otherwise })
export const list = (schema: z.ZodType): Json => withDefault(schema, [])
export const orNull = (schema: z.ZodType): Json => withDefault(schema, null)

export const text = z.string()
export const number = z.number()
export const texts = z.array(text)
export const spans = z.array(z.tuple([number, number]))

/** JSON columns that are the same in every table. */
export const everywhere: Readonly<Record<string, Json>> = {
  error: orNull(
    z.looseObject({
      code: text,
      message: text,
      at: number,
      retriable: z.boolean(),
      params: z.record(text, z.union([text, number])).optional(),
      service: z.looseObject({}).optional(),
    }),
  ),
  usage: orNull(z.record(text, z.union([number, z.null()]))),
}
