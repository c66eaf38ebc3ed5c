import { charactersOf } from '../shared/text/characters.ts'
import { ServiceError } from './errors.ts'
import type { Form } from './multipart.ts'

type Fields = Pick<Form<unknown>, 'fields'>

/** The one value of a field; the last when it was sent more than once, undefined when it is absent or empty. */
export function textField(form: Fields, name: string): string | undefined {
  return form.fields.get(name)?.at(-1) || undefined
}

/** A field that must be there. Throws 1213. */
export function requiredField(form: Fields, name: string): string {
  const value = textField(form, name)
  if (value === undefined) throw new ServiceError('fieldMissing', `${name} is required`)
  return value
}

/** A field with a length in characters between two bounds, both included. Throws 1214. */
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

/** A field of the text `true` or `false`. Throws 1214. */
export function booleanField(form: Fields, name: string, absent: boolean): boolean {
  const value = form.fields.get(name)?.at(-1)
  if (value === undefined) return absent
  if (value !== 'true' && value !== 'false')
    throw new ServiceError('fieldIllegal', `${name} must be true or false`)
  return value === 'true'
}
