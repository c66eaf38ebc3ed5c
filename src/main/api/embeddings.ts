import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** The two models (spec 4.13). */
export type EmbeddingModel = 'embedding-2' | 'embedding-3'

/** Texts to vectors. */
export interface EmbeddingRequest {
  readonly model: EmbeddingModel
  readonly input: readonly string[]
  /** 2048, 1024, 512 or 256 for embedding-3 (default 2048); embedding-2 is fixed at 1024. */
  readonly dimensions?: number
}

/** Vectors in the order of the texts. */
export interface EmbeddingResult {
  readonly model: string
  readonly vectors: readonly Float32Array[]
}

/** Text embeddings (spec 4.13). */
export interface EmbeddingsApi {
  /** `POST /paas/v4/embeddings`, one call. A single text is sent as a string. Safe to repeat. */
  create(
    target: ServiceTarget,
    request: EmbeddingRequest,
    options: CallOptions,
  ): Promise<Answered<EmbeddingResult>>
  /**
   * Any number of texts in as few calls as the limits allow, at most the profile's concurrency at a time, order kept.
   * `onBatch` gets each batch as it comes (start index, vectors), so that nothing received is lost when a later one fails.
   */
  createMany(
    target: ServiceTarget,
    request: EmbeddingRequest,
    options: CallOptions & {
      onBatch?(start: number, answer: Answered<EmbeddingResult>): void
    },
  ): Promise<{ readonly vectors: readonly Float32Array[]; readonly notice: string | null }>
}

/** Builds the family over the parts every call is made of. */
export function createEmbeddings(parts: CallParts): EmbeddingsApi {
  return notBuilt(parts)
}
