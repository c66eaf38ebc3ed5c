import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { usePagedRows, type PagedRow } from './paged-rows.ts'

/** A run of a separate section: it has a title, and a Trash. */
export interface SavedRow extends PagedRow {
  readonly title: string
  readonly removedAt: number | null
}

/** Routes of main for one type of saved run; `Whole` is a run as its page shows it. */
interface SavedRoutes<Row extends SavedRow, Whole extends Row, Order> {
  list(query: {
    readonly bin: boolean
    readonly limit: number
    readonly before?: string
  }): Promise<Reply<{ readonly rows: readonly Row[]; readonly next: string | null }>>
  get(request: { id: string }): Promise<Reply<Whole>>
  start(order: Order): Promise<Reply<Row>>
  resume(request: { id: string }): Promise<Reply<Row>>
  cancel(request: { id: string }): Promise<Reply<Row>>
  rename(request: { id: string; title: string }): Promise<Reply<Row>>
  remove(request: { ids: string[] }): Promise<Reply<Record<string, never>>>
  restore(request: { ids: string[] }): Promise<Reply<Record<string, never>>>
  /** Key of the notice when some were moved to Trash. */
  readonly removedKey: string
  /** Returns the opened run with the reported changes; null if it must be loaded again. */
  changed(shown: Whole, row: Row): Whole | null
}

/**
 * Saved runs of one type, newest first, from the section or its Trash, and the open one; for the embeddings and rerank
 * stores.
 */
export function useSavedRuns<Row extends SavedRow, Whole extends Row, Order>(
  routes: SavedRoutes<Row, Whole, Order>,
) {
  const client = useClient()
  const toasts = useToasts()
  const bin = ref(false)
  const id = ref<string | null>(null)
  const opened = shallowRef<Whole | null>(null)
  const openFailure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)

  const refresh = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    const reply = await routes.get({ id: requestedId })
    if (id.value !== requestedId) return
    openFailure.value = reply.ok ? null : reply.error
    opened.value = reply.ok ? reply.data : null
  }
  const list = usePagedRows<Row>(client, {
    request: (page) => routes.list({ bin: bin.value, ...page }),
    fits: ({ removedAt }) => (removedAt !== null) === bin.value,
    again: () => void refresh(),
  })
  const showBin = (wanted: boolean): Promise<void> => {
    bin.value = wanted
    return list.load()
  }
  const close = (): void => {
    id.value = null
    opened.value = null
    openFailure.value = null
    actionFailure.value = null
  }
  const open = async (wanted: string): Promise<void> => {
    if (id.value !== wanted) {
      close()
      id.value = wanted
    }
    await refresh()
  }
  /** Applies a reported or returned row. */
  const put = (row: Row): void => {
    list.put(row)
    const shown = opened.value
    if (shown?.id !== row.id) return
    const now = routes.changed(shown, row)
    if (now) opened.value = now
    else void refresh()
  }
  /** Applies the result of an action, or shows why it failed. */
  const take = (reply: Reply<Row>): void => {
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) put(reply.data)
  }
  const start = async (
    order: Order,
  ): Promise<{ readonly id: string } | { readonly failure: Failure }> => {
    const reply = await routes.start(order)
    if (!reply.ok) return { failure: reply.error }
    put(reply.data)
    return { id: reply.data.id }
  }
  const resume = async (): Promise<void> => {
    if (id.value !== null) take(await routes.resume({ id: id.value }))
  }
  const cancel = async (): Promise<void> => {
    if (id.value !== null) take(await routes.cancel({ id: id.value }))
  }
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    if (id.value === null || wanted === '' || wanted === opened.value?.title) return
    take(await routes.rename({ id: id.value, title: wanted }))
  }
  const restore = async (ids: readonly string[]): Promise<void> => {
    const reply = await routes.restore({ ids: [...ids] })
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) toasts.settle(ids)
  }
  /** Moves runs to Trash, with an undo. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    const reply = await routes.remove({ ids: [...ids] })
    actionFailure.value = reply.ok ? null : reply.error
    if (!reply.ok) return false
    toasts.show(routes.removedKey, {
      about: ids,
      action: { key: 'app.undo', run: () => void restore(ids) },
    })
    return true
  }
  const { rows, state, failure, load, more } = list
  return {
    rows,
    bin,
    state,
    failure,
    id,
    opened,
    openFailure,
    actionFailure,
    load,
    more,
    showBin,
    open,
    close,
    refresh,
    put,
    start,
    resume,
    cancel,
    rename,
    remove,
    restore,
  }
}
