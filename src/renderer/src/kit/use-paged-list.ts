import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../shared/contract/reply.ts'
import { createLatest } from './use-latest.ts'

/** State of a list: `idle` until it is first requested; `failed` keeps the rows loaded before. */
type ListState = 'idle' | 'loading' | 'ready' | 'failed'

/** One page of a list; `next` is the cursor of the page after it, null at the end. */
export interface Page<Row, Cursor> {
  readonly rows: readonly Row[]
  readonly next: Cursor | null
}

/** What a list needs; `P` may contain more than rows, such as their total. */
interface PagedSource<Row, Cursor, P extends Page<Row, Cursor>> {
  /** Requests the page at the cursor, or the first page for null. */
  request(page: { readonly cursor: Cursor | null; readonly limit: number }): Promise<Reply<P>>
  /** Rows of a page. */
  readonly pageSize: number
  /** Maximum number of rows that `load` requests again when more than a page is loaded; default: one page. */
  readonly maxReload?: number
  /** Identifies a row; default: its ID. */
  key?(row: Row): unknown
  /** Receives each page that is shown. */
  onPage?(page: P): void
}

/**
 * A list that grows by pages. Only the reply to the latest `load` is shown: an earlier one, and a page of the list before, may
 * arrive later and would mix the results of two filters.
 */
export function usePagedList<
  Row extends { readonly id: string | number },
  Cursor,
  P extends Page<Row, Cursor> = Page<Row, Cursor>,
>({
  request,
  pageSize,
  maxReload = pageSize,
  key = ({ id }) => id,
  onPage,
}: PagedSource<Row, Cursor, P>) {
  const rows = shallowRef<readonly Row[]>([])
  const state = ref<ListState>('idle')
  const failure = shallowRef<Failure | null>(null)
  const next = shallowRef<Cursor | null>(null)
  const latest = createLatest()
  let loadingMore = false

  const show = (page: P, shown: readonly Row[]): void => {
    rows.value = shown
    next.value = page.next
    onPage?.(page)
  }
  /** Loads the list from its start; the rows of before are shown meanwhile. */
  const load = async (): Promise<void> => {
    const isLatest = latest.start()
    // The cursor belongs to the list that is being replaced: no page is added until then.
    loadingMore = true
    if (state.value === 'idle') state.value = 'loading'
    const limit = Math.min(maxReload, Math.max(pageSize, rows.value.length))
    const reply = await request({ cursor: null, limit })
    if (!isLatest()) return
    loadingMore = false
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (reply.ok) show(reply.data, reply.data.rows)
  }
  /** Adds the next page, if there is one; a failure leaves the list as it is, and scrolling requests it again. */
  const more = async (): Promise<void> => {
    if (next.value === null || loadingMore) return
    const isLatest = latest.current()
    loadingMore = true
    const reply = await request({ cursor: next.value, limit: pageSize })
    if (!isLatest()) return
    loadingMore = false
    if (!reply.ok) return
    // Rows that events added meanwhile move others to the next page.
    const known = new Set(rows.value.map(key))
    show(reply.data, [...rows.value, ...reply.data.rows.filter((row) => !known.has(key(row)))])
  }
  const drop = (ids: readonly Row['id'][]): void => {
    const left = rows.value.filter(({ id }) => !ids.includes(id))
    if (left.length < rows.value.length) rows.value = left
  }
  /** Empties the list; replies to requests made before are ignored. */
  const clear = (): void => {
    latest.cancel()
    loadingMore = false
    rows.value = []
    next.value = null
    state.value = 'idle'
    failure.value = null
  }
  return { rows, state, failure, next, load, more, drop, clear }
}

/** Applies `map` to the data of a successful reply. */
export const mapped = <A, B>(reply: Reply<A>, map: (data: A) => B): Reply<B> =>
  reply.ok ? { ok: true, data: map(reply.data) } : reply

/** Returns the cursor after a page of a list that is read by offset. */
export const nextOffset = (
  offset: number,
  page: readonly unknown[],
  total: number,
): number | null => (page.length > 0 && offset + page.length < total ? offset + page.length : null)
