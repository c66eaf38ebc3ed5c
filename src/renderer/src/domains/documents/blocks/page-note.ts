/** Information in the header of a page in the text. */
export interface PageNote {
  /** Number of the shown version; null when there is only one. */
  readonly version: number | null
  /** Whether the user selected it for this page. */
  readonly chosen: boolean
  /** Whether the page is being parsed while another version is shown. */
  readonly waiting: boolean
  /** Number of another version with user edits, which are not shown; null when there is none. */
  readonly edited: number | null
  /** Whether the user edited the shown version. */
  readonly own: boolean
  /** Whether there is a raw response to show. */
  readonly replied: boolean
}
