import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** Colours of a knowledge base (spec 2.3). */
export const backgrounds = ['blue', 'red', 'orange', 'purple', 'sky', 'green', 'yellow'] as const
/** Icons of a knowledge base (spec 2.3). */
export const icons = ['question', 'book', 'seal', 'wrench', 'tag', 'horn', 'house'] as const
/** Vectorisation models by id (spec 2.3). */
export const embeddingModels = {
  3: 'Embedding-2',
  11: 'Embedding-3',
  12: 'Embedding-3-pro',
} as const

/** Id of a vectorisation model. */
export type EmbeddingId = keyof typeof embeddingModels

/** What a base is made of; the embedding model's code is sent beside its id. */
export interface KnowledgeFields {
  readonly name: string
  readonly embeddingId: EmbeddingId
  readonly description?: string
  readonly background?: (typeof backgrounds)[number]
  readonly icon?: (typeof icons)[number]
  /** Context enhancement; third parties say it cannot be taken back. */
  readonly contextual?: boolean
}

/** A knowledge base (spec 2.3); null where the reply does not say. */
export interface KnowledgeBase {
  readonly id: string
  readonly embeddingId: number | null
  readonly name: string
  readonly description: string
  readonly contextual: boolean
  readonly background: string
  readonly icon: string
  readonly documentSize: number | null
  /** After tokenising, by the notes. */
  readonly length: number | null
  readonly wordNum: number | null
}

/** Words and bytes. */
export interface Amount {
  readonly words: number
  readonly bytes: number
}

/** A question to knowledge bases (service-notes 7). */
export interface RetrieveRequest {
  /** At most 1000 characters. */
  readonly query: string
  readonly knowledgeIds: readonly string[]
  readonly documentIds?: readonly string[]
  /** 1 to 20. */
  readonly topK?: number
  /** 1 to 100. */
  readonly topN?: number
  readonly recallMethod?: 'embedding' | 'keyword' | 'mixed'
  /** 0 to 100: the share of vectors in `mixed`. */
  readonly recallRatio?: number
  readonly rerank?: boolean
  readonly rerankModel?: 'rerank' | 'rerank-pro'
  readonly fractionalThreshold?: number
}

/** A passage that was found. */
export interface RetrievedSlice {
  readonly text: string
  readonly score: number | null
  readonly sliceId: string | null
  readonly knowledgeId: string | null
  readonly documentId: string | null
  readonly documentName: string | null
  readonly documentUrl: string | null
  readonly contextualText: string | null
}

/** Knowledge bases (spec 4.7 to 4.11, service-notes 7). Success is `code` 200 in the envelope. */
export interface KnowledgeApi {
  /** `POST /llm-application/open/knowledge` (spec 4.7). Creates. */
  create(
    target: ServiceTarget,
    request: KnowledgeFields,
    options: CallOptions,
  ): Promise<Answered<{ readonly id: string }>>
  /** `GET /llm-application/open/knowledge/{id}` (spec 4.8). */
  get(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<KnowledgeBase>>
  /** `GET /llm-application/open/knowledge` (spec 4.9); pages from 1. */
  list(
    target: ServiceTarget,
    request: { readonly page?: number; readonly size?: number },
    options: CallOptions,
  ): Promise<Answered<{ readonly bases: readonly KnowledgeBase[]; readonly total: number }>>
  /** `GET /llm-application/open/knowledge/capacity` (spec 4.10). */
  capacity(
    target: ServiceTarget,
    request: Readonly<Record<string, never>>,
    options: CallOptions,
  ): Promise<Answered<{ readonly used: Amount; readonly total: Amount }>>
  /** `PUT /llm-application/open/knowledge/{id}`. Changing the model embeds everything again. Safe to repeat. */
  update(
    target: ServiceTarget,
    request: { readonly id: string } & Partial<KnowledgeFields>,
    options: CallOptions,
  ): Promise<Answered<null>>
  /** `DELETE /llm-application/open/knowledge/{id}` (spec 4.11). */
  delete(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<null>>
  /** `POST /llm-application/open/knowledge/retrieve`. */
  retrieve(
    target: ServiceTarget,
    request: RetrieveRequest,
    options: CallOptions,
  ): Promise<Answered<readonly RetrievedSlice[]>>
}

/** Builds the family over the parts every call is made of. */
export function createKnowledge(parts: CallParts): KnowledgeApi {
  return notBuilt(parts)
}
