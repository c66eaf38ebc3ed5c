import type { JsonObject } from './json-body.ts'
import { requiredText } from './json-fields.ts'
import { ServiceError } from './errors.ts'

/**
 * Models the local service simulates, by output. Others are rejected, so that clients notice a misspelled model.
 */
export { modelNames as standInModels } from '../shared/provider/model-names.ts'

/**
 * Returns the required `model` as spelled by the client. Providers of this API spell the prefix `gen-` differently, so
 * only the part after it is compared. Throws 1213, and 1211 for another model.
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
