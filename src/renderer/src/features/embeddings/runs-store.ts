import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { EmbeddingRun } from '../../../../shared/model/embeddings.ts'
import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'

const pageSize = 50

/** Embeddings, newest first, of the place or of its bin, and those that are open. */
export const useEmbeddings = defineStore('embeddings', () => {
  const client = useClient()
  const toasts = useToasts()
  const runs = shallowRef<readonly EmbeddingRun[]>([])
  const bin = ref(false)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const id = ref<string | null>(null)
  const opened = shallowRef<EmbeddingRun | null>(null)
  const openFailure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  let next: string | null = null
  let turn = 0
  let reading = false

  const ask = (before?: string) =>
    client.request('embeddings.list', {
      bin: bin.value,
      limit: pageSize,
      ...(before !== undefined && { before }),
    })
  const load = async (): Promise<void> => {
    const mine = ++turn
    reading = false
    if (state.value === 'idle') state.value = 'loading'
    const reply = await ask()
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (!reply.ok) return
    runs.value = reply.data.runs
    next = reply.data.next
  }
  const more = async (): Promise<void> => {
    if (next === null || reading) return
    const mine = turn
    reading = true
    const reply = await ask(next)
    if (mine !== turn) return
    reading = false
    if (!reply.ok) return
    const known = new Set(runs.value.map((one) => one.id))
    runs.value = [...runs.value, ...reply.data.runs.filter((one) => !known.has(one.id))]
    next = reply.data.next
  }
  const showBin = (wanted: boolean): Promise<void> => {
    bin.value = wanted
    return load()
  }
  const put = (run: EmbeddingRun): void => {
    if (opened.value?.id === run.id) opened.value = run
    if (state.value !== 'ready') return
    const at = runs.value.findIndex((one) => one.id === run.id)
    if ((run.removedAt !== null) !== bin.value) {
      if (at !== -1) runs.value = runs.value.toSpliced(at, 1)
    } else if (at !== -1) runs.value = runs.value.with(at, run)
    else {
      const place = runs.value.findIndex(({ createdAt }) => createdAt <= run.createdAt)
      if (place === -1 && next !== null) return
      runs.value = runs.value.toSpliced(place === -1 ? runs.value.length : place, 0, run)
    }
  }
  const refresh = async (): Promise<void> => {
    const asked = id.value
    if (asked === null) return
    const reply = await client.request('embeddings.get', { id: asked })
    if (id.value !== asked) return
    openFailure.value = reply.ok ? null : reply.error
    opened.value = reply.ok ? reply.data : null
  }
  const open = async (wanted: string): Promise<void> => {
    if (id.value !== wanted) {
      close()
      id.value = wanted
    }
    await refresh()
  }
  const close = (): void => {
    id.value = null
    opened.value = null
    openFailure.value = null
    actionFailure.value = null
  }
  const take = (reply: Reply<EmbeddingRun>): void => {
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) put(reply.data)
  }
  const start = async (
    order: RequestOf<'embeddings.start'>,
  ): Promise<{ readonly id: string } | { readonly failure: Failure }> => {
    const reply = await client.request('embeddings.start', order)
    if (!reply.ok) return { failure: reply.error }
    put(reply.data)
    return { id: reply.data.id }
  }
  const goOn = async (): Promise<void> => {
    if (id.value !== null) take(await client.request('embeddings.goOn', { id: id.value }))
  }
  const cancel = async (): Promise<void> => {
    if (id.value !== null) take(await client.request('embeddings.cancel', { id: id.value }))
  }
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    if (id.value === null || wanted === '' || wanted === opened.value?.title) return
    take(await client.request('embeddings.rename', { id: id.value, title: wanted }))
  }
  const restore = async (ids: readonly string[]): Promise<void> => {
    const reply = await client.request('embeddings.restore', { ids: [...ids] })
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) toasts.settle(ids)
  }
  /** To the bin, with an undo. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    const reply = await client.request('embeddings.remove', { ids: [...ids] })
    actionFailure.value = reply.ok ? null : reply.error
    if (!reply.ok) return false
    toasts.show('embeddings.removed', {
      about: ids,
      action: { key: 'app.undo', run: () => void restore(ids) },
    })
    return true
  }
  client.onEvent((event) => {
    if (event.type === 'embeddings.changed') put(event.run)
  })
  let bridge = ''
  client.onBridge((now) => {
    // Events were missed meanwhile.
    if (bridge !== '' && bridge !== 'connecting' && now === 'open' && state.value !== 'idle') {
      void load()
      void refresh()
    }
    bridge = now
  })
  return {
    runs,
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
    start,
    goOn,
    cancel,
    rename,
    remove,
    restore,
  }
})
