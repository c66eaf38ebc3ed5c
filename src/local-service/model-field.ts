import type { JsonObject } from './json-body.ts'
import { requiredText } from './json-fields.ts'
import { ServiceError } from './errors.ts'

/** Models this computer stands in for, by what they make. Any other is refused, as a caller who misspells a model must be told. */
export { modelNames as standInModels } from '../shared/service/model-names.ts'

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
      `Unknown model. Available: ${names.map((one) => `gen-${one}`).join(', ')}`,
    )
  return model
}
