/** A heading among the rows of a list or a table; its height is in rem. */
export interface RowHeading {
  readonly key: string
  readonly rem: number
  readonly heading: string
}

/** A row that stands for something: its key is the id of what it shows. */
export interface ItemRow {
  readonly key: string
  readonly rem: number
  readonly heading?: null
}

/** Tells the headings of a list from its other rows. */
export const isHeading = (row: RowHeading | ItemRow): row is RowHeading =>
  typeof row.heading === 'string'
