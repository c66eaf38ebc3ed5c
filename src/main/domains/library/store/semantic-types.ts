import type { MeaningKind } from '../../../../shared/model/semantic.ts'
import type { ItemKind } from '../../../../shared/model/library.ts'
import type { ChunkPart } from '../../../platform/vectors/chunks.ts'
import type { IndexFacts } from '../../../platform/vectors/vector-index.ts'
import type { VectorSpace } from '../../knowledge/store/index.ts'

/** Items to search; `since` in Unix milliseconds. */
export interface MeaningScope {
  readonly kinds: readonly MeaningKind[]
  readonly since: number | null
}

/** Identity of an index in searches. */
export interface IndexAddress {
  readonly id: number
  readonly createdAt: number
  readonly dimensions: number
}

/** Requests to the vector worker. */
export type MeaningRequest =
  | {
      readonly ask: 'search'
      readonly index: IndexAddress
      readonly vector: Float32Array
      readonly limit: number
      readonly kinds: readonly MeaningKind[] | null
      /** Unix milliseconds, from (inclusive) and to (exclusive); null for no bound. */
      readonly from: number | null
      readonly until: number | null
      readonly tag: string | null
      /** Only starred items. */
      readonly starred: boolean
    }
  /** Finds the chunks that contain these positions, in the same order. */
  | {
      readonly ask: 'locate'
      readonly indexId: number
      readonly places: readonly {
        readonly itemId: string
        readonly partId: string
        readonly offset: number
      }[]
    }
  /** Determines the new and changed items, and which of their texts are missing from the cache. */
  | {
      readonly ask: 'survey'
      readonly indexId: number | null
      readonly space: VectorSpace
      readonly scope: MeaningScope
      readonly perCall: { readonly items: number; readonly tokens: number }
    }
  /** Counts new and changed items, without reading any text. */
  | { readonly ask: 'count'; readonly indexId: number; readonly scope: MeaningScope }
  | { readonly ask: 'chunks'; readonly itemSeq: number }
  /** Updates an index before it is searched. */
  | { readonly ask: 'warm'; readonly index: IndexAddress }
  | { readonly ask: 'forget'; readonly index: IndexAddress }

/** A chunk with its item. */
export interface ChunkRow {
  readonly seq: number
  readonly itemId: string
  readonly kind: ItemKind
  readonly title: string
  readonly createdAt: number
  readonly text: string
  readonly parts: readonly ChunkPart[]
}

/** A near chunk with its exact cosine similarity. */
export interface NearChunk extends ChunkRow {
  readonly score: number
}

/** A chunk to save. */
export interface NewChunk {
  readonly text: string
  readonly parts: readonly ChunkPart[]
  readonly hash: Uint8Array
  readonly digest: number
}

/** Result of a survey; see `SemanticPlan`. */
export interface Survey {
  readonly items: number
  readonly fresh: number
  readonly changed: number
  readonly texts: number
  readonly cached: number
  readonly tokens: number
  readonly calls: number
}

/** Responses to each request. */
export interface MeaningAnswers {
  readonly search: readonly NearChunk[]
  readonly locate: readonly (ChunkRow | null)[]
  readonly survey: Survey
  readonly count: { readonly items: number; readonly fresh: number; readonly changed: number }
  /** The chunks and the modification time they reflect. */
  readonly chunks: { readonly stamp: number; readonly chunks: readonly NewChunk[] }
  readonly warm: IndexFacts
  readonly forget: null
}
