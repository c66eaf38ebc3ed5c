import type { JsonObject } from './json-body.ts'
import { requiredText } from './json-fields.ts'
import { ServiceError } from './errors.ts'

/**
 * The required `model` as the caller spelled it. Hosts of this interface spell the prefix `gen-` in their own way, so the names
 * are what follows it. Throws 1213, and 1211 for another model.
 */
export function brandedModel(body: JsonObject, names: readonly string[]): string {
  const model = requiredText(body, 'model')
  const name = /^[a-z][a-z0-9]*-(.+)$/.exec(model)?.[1] ?? ''
  if (!names.includes(name)) throw new ServiceError('unknownModel', 'There is no such model')
  return model
}
