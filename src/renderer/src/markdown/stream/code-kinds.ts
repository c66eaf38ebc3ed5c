/** What a stretch of code may be, by the names of the theme; its place is what is told of it. The first is plain. */
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

/** A line of code as lengths and kinds in turn. */
export type ColoredLine = readonly number[]

/** What the page asks of the worker: code of a language, with the grammars that are new to it. */
export interface ColorOrder {
  readonly id: number
  readonly language: string
  /** Grammars as shiki registers them. */
  readonly grammars: readonly unknown[]
  readonly code: string
}

/** What the worker tells, some lines at a time; the last one ends an order. */
export interface ColorAnswer {
  readonly id: number
  readonly lines: readonly ColoredLine[]
  readonly last: boolean
}
