import type { EmbeddingMethod, Rank } from './text.ts'

/** Start data of the text worker (`workerData`). */
export interface TextWorkerData {
  /** Folder that contains one folder per model; the encoder is in `use-en`. */
  readonly modelsDir: string
}

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
