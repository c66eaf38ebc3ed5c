export type TextRequest =
  | { readonly type: 'embed'; readonly texts: readonly string[]; readonly dimensions: number }
  | { readonly type: 'rank'; readonly query: string; readonly documents: readonly string[] }

/** Result of the job, in the order of the texts or documents. */
export type TextOutcome =
  | {
      readonly type: 'embed'
      readonly vectors: readonly Float32Array<ArrayBuffer>[]
      readonly methods: readonly EmbeddingMethod[]
    }
  | { readonly type: 'rank'; readonly ranks: readonly Rank[] }

/** Method by which a vector was computed. */
export type EmbeddingMethod = 'encoder' | 'n-grams'

/** How well a document answers a query, and the method of comparison. */
export interface Rank {
  /** 0 to 1: the logistic function of `raw`. */
  readonly score: number
  readonly raw: number
  readonly method: EmbeddingMethod
}
