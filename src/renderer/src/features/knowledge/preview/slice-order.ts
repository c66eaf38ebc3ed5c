import type { Passage, SlicingRules } from '../../../../../shared/slicing/types.ts'

/** What the worker cuts: the bytes of a text file, or passages that were read already. */
export interface SliceOrder {
  readonly id: number
  readonly name: string
  readonly content:
    | { readonly kind: 'markdown' | 'text' | 'sheet'; readonly bytes: ArrayBuffer }
    | { readonly kind: 'pages'; readonly passages: readonly Passage[] }
  readonly rules: SlicingRules
}

/** A slice as it is shown. */
export interface ShownSlice {
  readonly text: string
  readonly headings: readonly string[]
  /** From 1; null where there are none. */
  readonly page: number | null
  readonly line: number | null
  readonly chars: number
}

/** Why a document cannot be cut by these rules; keys of words. */
export type ChunkProblem = 'noQuestions' | 'notSheet' | 'tooLong' | 'noText' | 'empty' | 'other'

/** What came of an order: the first slices and what all come to. */
export type SliceAnswer = { readonly id: number } & (
  | {
      readonly slices: readonly ShownSlice[]
      readonly total: number
      /** Characters of all of them. */
      readonly chars: number
    }
  | { readonly trouble: ChunkProblem }
)

/** Slices that are shown; the others are counted. */
export const maxShown = 300
