/** A text in a list of texts that are put together. */
export interface TextRow {
  readonly key: string
  readonly text: string
  /** It is longer than is taken. */
  readonly over: boolean
  /** As it is read out, with its place. */
  readonly spoken: string
}
