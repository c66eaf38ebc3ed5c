/** Token types of code, by the names of the theme; only their index is transferred. The first is plain. */
export const codeKinds = [
  '',
  'constant',
  'string',
  'comment',
  'keyword',
  'parameter',
  'function',
  'string-expression',
  'punctuation',
  'link',
  'inserted',
  'deleted',
  'changed',
] as const

/** A line of code as alternating lengths and token types. */
export type ColoredLine = readonly number[]

/** Request to the worker: code in a language, with the grammars it does not have yet. */
export interface ColorOrder {
  readonly id: number
  readonly language: string
  /** Grammars as shiki registers them. */
  readonly grammars: readonly unknown[]
  readonly code: string
}

/** Response of the worker, some lines at a time; the last one ends a request. */
export interface ColorAnswer {
  readonly id: number
  readonly lines: readonly ColoredLine[]
  readonly last: boolean
}
