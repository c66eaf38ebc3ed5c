import type { EmbeddingMethod, Rank } from './text.ts'

/** What the text worker is started with (`workerData`). */
export interface TextWorkerData {
  /** Folder that holds one folder per model; the encoder's is `use-en`. */
  readonly modelsDir: string
}

/** A job of the text worker. */
export type TextRequest =
  | { readonly type: 'embed'; readonly texts: readonly string[]; readonly dimensions: number }
  | { readonly type: 'rank'; readonly query: string; readonly documents: readonly string[] }

/** What came of it, in the order of the texts or documents. */
export type TextOutcome =
  | {
      readonly type: 'embed'
      readonly vectors: readonly Float32Array<ArrayBuffer>[]
      readonly methods: readonly EmbeddingMethod[]
    }
  | { readonly type: 'rank'; readonly ranks: readonly Rank[] }
