import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { Client } from '../../../lib/bridge/client.ts'

/** Row of a paged list. */
export interface PagedRow {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** Data source of a list. */
export interface PagedSource<Row extends PagedRow> {
  /** Requests a page; `before` is the `next` of the page before. */
  ask(page: {
    readonly limit: number
    readonly before?: string
  }): Promise<Reply<{ readonly rows: readonly Row[]; readonly next: string | null }>>
  /** Whether a row matches the current list. */
  fits(row: Row): boolean
  /** Reloads other data when events were missed. */
  again?(): void
}

const pageSize = 50

/** Rows, newest first, extended by pages and by events; for stores of saved items. */
export function usePagedRows<Row extends PagedRow>(client: Client, source: PagedSource<Row>) {
  const rows = shallowRef<readonly Row[]>([])
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  let next: string | null = null
  let turn = 0
  let loading = false

  const load = async (): Promise<void> => {
    const mine = ++turn
    loading = false
    if (state.value === 'idle') state.value = 'loading'
    const reply = await source.ask({ limit: pageSize })
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (!reply.ok) return
    rows.value = reply.data.rows
    next = reply.data.next
  }
  const more = async (): Promise<void> => {
    if (next === null || loading) return
    const mine = turn
    loading = true
    const reply = await source.ask({ limit: pageSize, before: next })
    if (mine !== turn) return
    loading = false
    if (!reply.ok) return
    const known = new Set(rows.value.map(({ id }) => id))
    rows.value = [...rows.value, ...reply.data.rows.filter(({ id }) => !known.has(id))]
    next = reply.data.next
  }
  const drop = (ids: readonly string[]): void => {
    if (rows.value.some(({ id }) => ids.includes(id)))
      rows.value = rows.value.filter(({ id }) => !ids.includes(id))
  }
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
      if (at === -1 && next !== null) return
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
