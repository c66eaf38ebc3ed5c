import { computed, ref, shallowRef } from 'vue'
import type { AppEvent } from '../../../../../shared/contract/events.ts'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { SavedFile } from '../../../../../shared/model/saved-file.ts'
import type { RawBody } from '../../../../../shared/model/raw-body.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { usePagedList, type Page } from '../../../kit/use-paged-list.ts'

/** A row of a list of items fetched by ID. */
export interface SavedRow {
  readonly id: string
  readonly title: string
  readonly accountId: string
  readonly accountName: string
  readonly state: string
  readonly error: Failure | null
  readonly notice: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Identifies a snapshot of an item; the newest when `version` is absent. */
export interface Which {
  readonly id: string
  readonly version?: number
}

/** Routes of main for one type; `R` is a row, `O` an item as its page shows it. */
export interface SavedRoutes<R extends SavedRow, O> {
  list(query: {
    query: string
    before: string | null
    limit: number
  }): Promise<Reply<Page<R, string>>>
  get(which: Which): Promise<Reply<O>>
  raw(which: Which): Promise<Reply<{ readonly reply: RawBody | null }>>
  refresh(request: { id: string }): Promise<Reply<R>>
  rename(request: { id: string; title: string }): Promise<Reply<R>>
  remove(request: { id: string }): Promise<Reply<Record<string, never>>>
  restore(request: { id: string }): Promise<Reply<R>>
  /** Fetches missing files again. */
  retry?(which: Which): Promise<Reply<Record<string, never>>>
  rowOf(opened: O): R
  /** The shown snapshot; null if there is only one, or none. */
  versionOf(opened: O): number | null
  /** Its files and their owner, for types that have files. */
  filesOf?(opened: O): { readonly owner: string; readonly files: readonly SavedFile[] }
  /** Returns the row of this type that an event reports. */
  changed(event: AppEvent): R | null
  removed(event: AppEvent): string | null
  /** Whether the list has filters besides the search text. */
  narrowed?(): boolean
  /** Key of the notice that one was removed; the row where it is known. */
  removedKey(row: R | null): string
}

/** The list of items fetched by ID, and the opened one. */
export function useRemoteItemsStore<R extends SavedRow, O>(routes: SavedRoutes<R, O>) {
  const client = useClient()
  const toasts = useToasts()
  const query = ref('')
  const { rows, state, failure, load, more, drop } = usePagedList<R, string>({
    pageSize: 50,
    maxReload: 200,
    request: ({ cursor, limit }) =>
      routes.list({ query: query.value.trim(), before: cursor, limit }),
  })
  const search = (typed: string): Promise<void> => {
    query.value = typed
    return load()
  }
  const isNarrowed = (): boolean => query.value.trim() !== '' || routes.narrowed?.() === true
  const put = (item: R): void => {
    const index = rows.value.findIndex(({ id }) => id === item.id)
    const known = rows.value[index]
    if (known && known.updatedAt > item.updatedAt) return
    if (known) rows.value = rows.value.with(index, item)
    // Only main knows whether it matches the search.
    else if (!isNarrowed()) rows.value = [item, ...rows.value]
    else void load()
  }

  const id = ref<string | null>(null)
  const opened = shallowRef<O | null>(null)
  const openedFailure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  const row = computed<R | null>(() => (opened.value === null ? null : routes.rowOf(opened.value)))
  const requesting = ref(false)
  const raw = shallowRef<RawBody | null>(null)
  const rawState = ref<'unasked' | 'asking' | 'there'>('unasked')
  /** The shown version; null for the newest. */
  const version = ref<number | null>(null)

  const which = (itemId: string): Which => ({
    id: itemId,
    ...(version.value !== null && { version: version.value }),
  })
  const forgetRaw = (): void => {
    raw.value = null
    rawState.value = 'unasked'
  }
  const close = (): void => {
    id.value = null
    opened.value = null
    openedFailure.value = null
    actionFailure.value = null
    version.value = null
    forgetRaw()
  }
  const refreshOpened = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    const wanted = version.value
    const reply = await routes.get(which(requestedId))
    if (id.value !== requestedId || version.value !== wanted) return
    openedFailure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      if (reply.error.code === 'NOT_FOUND') opened.value = null
      return
    }
    const shown = opened.value === null ? null : routes.versionOf(opened.value)
    // A task has one snapshot, which each response replaces.
    if (shown === null || shown !== routes.versionOf(reply.data)) forgetRaw()
    opened.value = reply.data
  }
  const open = async (wanted: string): Promise<void> => {
    if (id.value !== wanted) {
      close()
      id.value = wanted
    }
    await refreshOpened()
  }
  const showVersion = async (wanted: number | null): Promise<void> => {
    version.value = wanted
    await refreshOpened()
  }
  const loadRaw = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null || rawState.value === 'asking') return
    rawState.value = 'asking'
    const reply = await routes.raw(which(requestedId))
    if (id.value !== requestedId) return
    rawState.value = reply.ok ? 'there' : 'unasked'
    if (reply.ok) raw.value = reply.data.reply
    else actionFailure.value = reply.error
  }
  /** Polls the provider now. */
  const refresh = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    requesting.value = true
    const reply = await routes.refresh({ id: requestedId })
    requesting.value = false
    if (reply.ok) put(reply.data)
    if (id.value !== requestedId) return
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) await showVersion(null)
  }
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    const requestedId = id.value
    if (requestedId === null || wanted === '' || wanted === row.value?.title) return
    const reply = await routes.rename({ id: requestedId, title: wanted })
    if (id.value === requestedId) actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) put(reply.data)
    if (reply.ok && id.value === requestedId) await refreshOpened()
  }
  /** Removes an item from the list; Undo restores it. Returns true when it was removed. */
  const remove = async (gone: string): Promise<boolean> => {
    const known = rows.value.find((one) => one.id === gone)
    const removed = known ?? (row.value?.id === gone ? row.value : null)
    const reply = await routes.remove({ id: gone })
    if (!reply.ok) {
      actionFailure.value = reply.error
      return false
    }
    drop([gone])
    if (id.value === gone) close()
    toasts.show(routes.removedKey(removed), {
      about: [gone],
      action: {
        key: 'app.undo',
        run: () =>
          void routes.restore({ id: gone }).then((back) => {
            if (back.ok) void load()
          }),
      },
    })
    return true
  }

  /** Fetches missing files of the shown snapshot again. */
  const retryFiles = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null || !routes.retry) return
    const reply = await routes.retry(which(requestedId))
    if (id.value !== requestedId) return
    if (!reply.ok) actionFailure.value = reply.error
    await refreshOpened()
  }

  client.onEvent((event) => {
    const gone = routes.removed(event)
    if (gone !== null) {
      drop([gone])
      if (id.value === gone) close()
    }
    const owner = opened.value === null ? undefined : routes.filesOf?.(opened.value).owner
    if (event.type === 'files.changed' && event.ownerId === owner) void refreshOpened()
    const changed = routes.changed(event)
    if (changed === null) return
    if (state.value === 'ready') put(changed)
    if (changed.id === id.value) void refreshOpened()
  })
  client.onReopen(() => {
    if (state.value === 'idle') return
    void load()
    void refreshOpened()
  })
  return {
    rows,
    state,
    failure,
    query,
    searched: computed(isNarrowed),
    load,
    more,
    search,
    put,
    id,
    opened,
    row,
    openedFailure,
    actionFailure,
    requesting,
    version,
    raw,
    rawState,
    open,
    close,
    showVersion,
    refreshOpened,
    loadRaw,
    refresh,
    rename,
    remove,
    retryFiles,
    /** Reads another item for comparison, and its raw response. */
    peek: (other: Which) => routes.get(other),
    rawOf: (other: Which) => routes.raw(other),
  }
}
