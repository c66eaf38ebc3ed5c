/** A text in a list of texts. */
export interface TextRow {
  readonly key: string
  readonly text: string
  /** Whether it exceeds the maximum length. */
  readonly over: boolean
  /** Accessible text, with its position. */
  readonly spoken: string
}
