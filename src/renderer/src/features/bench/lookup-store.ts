import { computed, ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { Lookup, LookupKind, LookupPage } from '../../../../shared/model/lookup.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'

/** What is asked of main about one kind of what is read back by its id; `O` is one as its page shows it. */
export interface LookupRoutes<
  O extends { readonly lookup: Lookup; readonly version: number | null },
> {
  readonly kind: LookupKind
  list(query: { query: string; before: string | null; limit: number }): Promise<Reply<LookupPage>>
  get(request: { id: string; version?: number }): Promise<Reply<O>>
  raw(request: { id: string; version?: number }): Promise<Reply<{ readonly reply: RawBody | null }>>
  refresh(request: { id: string }): Promise<Reply<Lookup>>
  rename(request: { id: string; title: string }): Promise<Reply<Lookup>>
  remove(request: { id: string }): Promise<Reply<Record<string, never>>>
  restore(request: { id: string }): Promise<Reply<Lookup>>
  /** Said when one was removed. */
  readonly removedKey: string
}

const pageSize = 50

/** The list of what was read back, and the opened one; for stores of Responses and of slides. */
export function useLookupStore<
  O extends { readonly lookup: Lookup; readonly version: number | null },
>(routes: LookupRoutes<O>) {
  const client = useClient()
  const toasts = useToasts()
  const rows = shallowRef<readonly Lookup[]>([])
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const query = ref('')
  let next: string | null = null
  let turn = 0
  let reading = false

  const load = async (): Promise<void> => {
    const mine = ++turn
    reading = false
    if (state.value === 'idle') state.value = 'loading'
    const reply = await routes.list({ query: query.value.trim(), before: null, limit: pageSize })
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (!reply.ok) return
    rows.value = reply.data.lookups
    next = reply.data.next
  }
  const more = async (): Promise<void> => {
    if (next === null || reading) return
    const mine = turn
    reading = true
    const reply = await routes.list({ query: query.value.trim(), before: next, limit: pageSize })
    if (mine !== turn) return
    reading = false
    if (!reply.ok) return
    const known = new Set(rows.value.map(({ id }) => id))
    rows.value = [...rows.value, ...reply.data.lookups.filter(({ id }) => !known.has(id))]
    next = reply.data.next
  }
  const search = (typed: string): Promise<void> => {
    query.value = typed
    return load()
  }
  const put = (lookup: Lookup): void => {
    const index = rows.value.findIndex(({ id }) => id === lookup.id)
    const known = rows.value[index]
    if (known && known.updatedAt > lookup.updatedAt) return
    if (known) rows.value = rows.value.with(index, lookup)
    // Whether it fits what is looked for, only main knows.
    else if (query.value === '') rows.value = [lookup, ...rows.value]
    else void load()
  }
  const drop = (gone: string): void => {
    rows.value = rows.value.filter(({ id }) => id !== gone)
  }

  const id = ref<string | null>(null)
  const opened = shallowRef<O | null>(null)
  const openedFailure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  const asking = ref(false)
  const raw = shallowRef<RawBody | null>(null)
  const rawState = ref<'unasked' | 'asking' | 'there'>('unasked')
  /** The version that is shown; null for the newest. */
  const version = ref<number | null>(null)

  const which = (asked: string) => ({
    id: asked,
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
    const asked = id.value
    if (asked === null) return
    const wanted = version.value
    const reply = await routes.get(which(asked))
    if (id.value !== asked || version.value !== wanted) return
    openedFailure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      if (reply.error.code === 'NOT_FOUND') opened.value = null
      return
    }
    if (opened.value?.version !== reply.data.version) forgetRaw()
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
    const asked = id.value
    if (asked === null || rawState.value === 'asking') return
    rawState.value = 'asking'
    const reply = await routes.raw(which(asked))
    if (id.value !== asked) return
    rawState.value = reply.ok ? 'there' : 'unasked'
    if (reply.ok) raw.value = reply.data.reply
    else actionFailure.value = reply.error
  }
  /** Asks the service now. */
  const refresh = async (): Promise<void> => {
    const asked = id.value
    if (asked === null) return
    asking.value = true
    const reply = await routes.refresh({ id: asked })
    asking.value = false
    if (reply.ok) put(reply.data)
    if (id.value !== asked) return
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) await showVersion(null)
  }
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    const asked = id.value
    if (asked === null || wanted === '' || wanted === opened.value?.lookup.title) return
    const reply = await routes.rename({ id: asked, title: wanted })
    if (id.value === asked) actionFailure.value = reply.ok ? null : reply.error
  }
  /** Out of the list; comes back by Undo. True when it is gone. */
  const remove = async (gone: string): Promise<boolean> => {
    const reply = await routes.remove({ id: gone })
    if (!reply.ok) {
      actionFailure.value = reply.error
      return false
    }
    drop(gone)
    if (id.value === gone) close()
    toasts.show(routes.removedKey, {
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

  client.onEvent((event) => {
    if (event.type === 'lookup.removed' && event.kind === routes.kind) drop(event.id)
    if (event.type !== 'lookup.changed' || event.lookup.kind !== routes.kind) return
    if (state.value === 'ready') put(event.lookup)
    if (event.lookup.id === id.value) void refreshOpened()
  })
  let bridge = ''
  client.onBridge((now) => {
    if (bridge !== '' && bridge !== 'connecting' && now === 'open' && state.value !== 'idle') {
      void load()
      void refreshOpened()
    }
    bridge = now
  })
  return {
    rows,
    state,
    failure,
    query,
    searched: computed(() => query.value.trim() !== ''),
    load,
    more,
    search,
    put,
    id,
    opened,
    openedFailure,
    actionFailure,
    asking,
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
  }
}
