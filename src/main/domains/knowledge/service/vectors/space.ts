import { engineNames } from '../../../../../shared/provider/engine-names.ts'
import { localAccountId, wireModel, type Profile } from '../../../../../shared/provider/profiles.ts'
import { dimensionsOf } from '../../../../provider-client/embedding-limits.ts'
import type { EmbeddingModel } from '../../../../provider-client/embedding-limits.ts'
import type { VectorSpace } from '../../store/vectors.ts'

/**
 * Returns the vector space of an account: the provider by its base URL, or on this computer the engine that computes
 * them.
 */
export function vectorSpaceOf(
  account: { readonly id: string; readonly profile: Profile },
  model: EmbeddingModel,
  dimensions: number = dimensionsOf[model][0],
): VectorSpace {
  const isLocal = account.id === localAccountId
  return {
    space: isLocal ? `${localAccountId}: ${engineNames.text}` : account.profile.baseUrl,
    model: wireModel(account.profile, model),
    dimensions,
  }
}
