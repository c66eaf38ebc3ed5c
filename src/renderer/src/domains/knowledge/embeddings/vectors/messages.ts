import type { Near, Pair } from '../../../../../../shared/knowledge/embeddings/nearest.ts'

/** Order of the drawn rows. */
export type RowOrder = 'input' | 'similarity'
/** Layout method of vectors on a plane. */
export type MapMethod = 'pca' | 'umap'

/** Requests to the vector worker. A later request of the same kind replaces an earlier one that is still running. */
export type VectorRequest =
  | {
      readonly type: 'load'
      /** URLs of the texts and the vectors. */
      readonly texts: string
      readonly vectors: string
      readonly bytes: number
      readonly dimensions: number
    }
  | { readonly type: 'order'; readonly order: RowOrder }
  | {
      readonly type: 'tile'
      readonly order: RowOrder
      readonly level: number
      readonly row: number
      readonly column: number
    }
  | { readonly type: 'cosine'; readonly a: number; readonly b: number }
  | { readonly type: 'map'; readonly way: MapMethod }
  | { readonly type: 'nearest'; readonly of: number | string; readonly limit: number }
  | { readonly type: 'pairs'; readonly threshold: number; readonly limit: number }
  | {
      readonly type: 'overlap'
      readonly vectors: string
      readonly bytes: number
      readonly dimensions: number
      readonly limit: number
    }

/** Response to each request. */
export interface VectorAnswers {
  readonly load: {
    readonly count: number
    readonly missing: number
    readonly texts: readonly string[]
    /** Minimum and maximum cosine among a sample of rows, for the scale. */
    readonly range: readonly [least: number, greatest: number]
  }
  readonly order: { readonly rows: Uint32Array }
  readonly tile: { readonly values: Float32Array }
  readonly cosine: { readonly value: number }
  readonly map: {
    readonly rows: Uint32Array
    readonly points: Float32Array
    readonly explained: number
  }
  readonly nearest: { readonly rows: readonly Near[] }
  readonly pairs: {
    readonly pairs: readonly Pair[]
    readonly count: number
    readonly groups: readonly (readonly number[])[]
  }
  readonly overlap: {
    readonly mean: number
    readonly rows: readonly { readonly row: number; readonly share: number }[]
  }
}

/** A message from the worker: progress (0 to 1) or the end of a request. */
export type VectorMessage =
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly answer: VectorAnswers[keyof VectorAnswers] }
  | { readonly id: number; readonly failed: 'gone' | 'replaced' | 'broken' }
