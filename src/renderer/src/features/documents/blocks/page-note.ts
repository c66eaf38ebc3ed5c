/** What the head of a page in the text says of it. */
export interface PageNote {
  /** Number of the version that is shown; null where there is only one. */
  readonly version: number | null
  /** Somebody chose it for this page. */
  readonly chosen: boolean
  /** It is being parsed, while another version is shown. */
  readonly waiting: boolean
  /** Number of another version that holds edits of the reader, which are not shown; null where none does. */
  readonly edited: number | null
  /** The reader edited what is shown of it. */
  readonly own: boolean
  /** There is a reply that can be shown as it came. */
  readonly replied: boolean
}
