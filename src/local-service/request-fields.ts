import { charactersOf } from '../shared/text/characters.ts'
import { ServiceError } from './errors.ts'
import type { Form } from './multipart.ts'

type Fields = Pick<Form<unknown>, 'fields'>

/** Returns the value of a field; the last if it was sent more than once, undefined if absent or empty. */
export function textField(form: Fields, name: string): string | undefined {
  return form.fields.get(name)?.at(-1) || undefined
}

/** Returns a required field. Throws 1213. */
export function requiredField(form: Fields, name: string): string {
  const value = textField(form, name)
  if (value === undefined) throw new ServiceError('fieldMissing', `${name} is required`)
  return value
}

/** Returns a field whose length in characters is between two inclusive bounds. Throws 1214. */
export function boundedField(
  form: Fields,
  name: string,
  bounds: { readonly min: number; readonly max: number },
): string | undefined {
  const value = form.fields.get(name)?.at(-1)
  if (value === undefined) return undefined
  const count = charactersOf(value)
  if (count < bounds.min || count > bounds.max)
    throw new ServiceError(
      'fieldIllegal',
      `${name} must have ${bounds.min} to ${bounds.max} characters`,
    )
  return value
}

/** Reads a field with the text `true` or `false`. Throws 1214. */
export function booleanField(form: Fields, name: string, absent: boolean): boolean {
  const value = form.fields.get(name)?.at(-1)
  if (value === undefined) return absent
  if (value !== 'true' && value !== 'false')
    throw new ServiceError('fieldIllegal', `${name} must be true or false`)
  return value === 'true'
}
