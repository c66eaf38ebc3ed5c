import type { Reply } from '../../../../../shared/contract/reply.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { usePagedList, type Page } from '../../../kit/use-paged-list.ts'

/** Row of a paged list. */
export interface PagedRow {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** Data source of a list; the cursor of a page is its `before`. */
interface RowSource<Row extends PagedRow> {
  request(page: {
    readonly limit: number
    readonly before?: string
  }): Promise<Reply<Page<Row, string>>>
  /** Whether a row matches the current list. */
  fits(row: Row): boolean
  /** Reloads other data when events were missed. */
  again?(): void
}

/** Rows, newest first, extended by pages and by events; for stores of saved items. */
export function usePagedRows<Row extends PagedRow>(client: Client, source: RowSource<Row>) {
  const { rows, state, failure, next, load, more, drop } = usePagedList<Row, string>({
    pageSize: 50,
    maxReload: 200,
    request: ({ cursor, limit }) =>
      source.request({ limit, ...(cursor !== null && { before: cursor }) }),
  })
  /** Puts a row in its position, or removes it if it no longer matches; ignores a version older than the known one. */
  const put = (row: Row): void => {
    if (state.value !== 'ready') return
    const index = rows.value.findIndex(({ id }) => id === row.id)
    const known = rows.value[index]
    if (known && known.updatedAt > row.updatedAt) return
    if (!source.fits(row)) drop([row.id])
    else if (known) rows.value = rows.value.with(index, row)
    else {
      const at = rows.value.findIndex(({ createdAt }) => createdAt <= row.createdAt)
      // Older than everything that was loaded: its own page will contain it.
      if (at === -1 && next.value !== null) return
      rows.value = rows.value.toSpliced(at === -1 ? rows.value.length : at, 0, row)
    }
  }

  client.onReopen(() => {
    if (state.value === 'idle') return
    void load()
    source.again?.()
  })
  return { rows, state, failure, load, more, put, drop }
}
