import type { Failure } from '../../../shared/contract/reply.ts'

/** What a list needs of its store: the state of its rows, and how to load them. */
export interface ListStore {
  readonly state: 'idle' | 'loading' | 'ready' | 'failed'
  readonly failure: Failure | null
  load(): Promise<unknown>
  /** Loads the next page. */
  more?(): Promise<unknown>
}

/** Heading among the rows of a list or table; its height is in rem. */
export interface RowHeading {
  readonly key: string
  readonly rem: number
  readonly heading: string
}

/** Row for an item; its key is the ID of the item. */
export interface ItemRow {
  readonly key: string
  readonly rem: number
  readonly heading?: null
  /** False for rows of another kind among the items. */
  readonly selectable?: boolean
}

/** Returns whether a row is a heading. */
export const isHeading = (row: RowHeading | ItemRow): row is RowHeading =>
  typeof row.heading === 'string'
