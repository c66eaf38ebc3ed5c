import type { Passage, SlicingRules } from '../../../../../../shared/knowledge/slicing/types.ts'

/** Input of the chunking worker: the bytes of a text file, or passages that were already parsed. */
export interface SliceOrder {
  readonly id: number
  readonly name: string
  readonly content:
    | { readonly kind: 'markdown' | 'text' | 'sheet'; readonly bytes: ArrayBuffer }
    | { readonly kind: 'pages'; readonly passages: readonly Passage[] }
  readonly rules: SlicingRules
}

/** A chunk as it is shown. */
export interface ShownSlice {
  readonly text: string
  readonly headings: readonly string[]
  /** From 1; null if there are no pages. */
  readonly page: number | null
  readonly line: number | null
  readonly chars: number
}

/** Why a document cannot be chunked by these rules; message keys. */
export type ChunkProblem = 'noQuestions' | 'notSheet' | 'tooLong' | 'noText' | 'empty' | 'other'

/** Result of a request: the first chunks and the totals of all. */
export type SliceAnswer = { readonly id: number } & (
  | {
      readonly slices: readonly ShownSlice[]
      readonly total: number
      /** Total number of characters. */
      readonly chars: number
    }
  | { readonly trouble: ChunkProblem }
)

/** Maximum number of chunks shown; the others are only counted. */
export const maxShown = 300
