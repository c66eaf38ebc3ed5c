import { engineNames } from '../../../shared/service/engine-names.ts'
import { localAccountId, wireModel, type Profile } from '../../../shared/service/profiles.ts'
import { dimensionsOf } from '../../api/embedding-limits.ts'
import type { EmbeddingModel } from '../../api/embeddings.ts'
import type { VectorSpace } from '../../store/vectors.ts'

/** The space that vectors of an account fall into: its service by base URL, on this computer by the engine that makes them. */
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
