import type { JsonObject } from './json-body.ts'
import { requiredText } from './json-fields.ts'
import { ServiceError } from './errors.ts'

/**
 * Models this computer stands in for, without their prefix, by what they make. The interface documents chat models of the series 4
 * and 5 (`gen-4-assistant`, `gen-4-alltools`, `gen-5v-turbo`) and names none for Responses, async chats, videos and images; `video`
 * and `image` are names of this computer. Any other is refused, as a caller who misspells a model must be told.
 */
export const standInModels = {
  chat: ['4', '4-assistant', '4-alltools', '5', '5v-turbo'],
  video: ['video'],
  image: ['image'],
} as const

/**
 * The required `model` as the caller spelled it. Hosts of this interface spell the prefix `gen-` in their own way, so the names
 * are what follows it. Throws 1213, and 1211 for another model.
 */
export function brandedModel(body: JsonObject, names: readonly string[]): string {
  const model = requiredText(body, 'model')
  const name = /^[a-z][a-z0-9]*-(.+)$/.exec(model)?.[1] ?? ''
  if (!names.includes(name))
    throw new ServiceError(
      'unknownModel',
      `There is no such model; here there is ${names.map((one) => `gen-${one}`).join(', ')}`,
    )
  return model
}
