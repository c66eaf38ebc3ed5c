import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** One candidate with its score, in the order of the reply. */
export interface RankedDocument {
  /** Place among the documents that were sent, from 0. */
  readonly index: number
  /** 0 to 1; raw scores may leave that range. */
  readonly score: number
  /** The reply's text, or the one that was sent when the reply has none. */
  readonly document: string
}

/** Reranking (spec 4.4). */
export interface RerankApi {
  /** `POST /paas/v4/rerank`. Results are mapped back by index; an index that was not sent makes the reply malformed. Safe to repeat. */
  create(
    target: ServiceTarget,
    request: {
      readonly query: string
      readonly documents: readonly string[]
      /** 0 or absent: all. */
      readonly topN?: number
      readonly returnDocuments?: boolean
      readonly returnRawScores?: boolean
      readonly userId?: string
    },
    options: CallOptions,
  ): Promise<Answered<readonly RankedDocument[]>>
}

/** Builds the family over the parts every call is made of. */
export function createRerank(parts: CallParts): RerankApi {
  return notBuilt(parts)
}
