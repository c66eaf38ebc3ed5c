import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { Ranking, RankingSummary } from '../../../../shared/model/rerank.ts'
import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'

const pageSize = 50

/** Rankings, newest first, of the place or of its bin, and the one that is open. */
export const useRankings = defineStore('rankings', () => {
  const client = useClient()
  const toasts = useToasts()
  const rankings = shallowRef<readonly RankingSummary[]>([])
  const bin = ref(false)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const id = ref<string | null>(null)
  const opened = shallowRef<Ranking | null>(null)
  const openFailure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  /** Ids of rankings that were seen running: their end is shown as a way from the old order to the new one. */
  const watched = ref(new Set<string>())
  let next: string | null = null
  let turn = 0
  let reading = false

  const ask = (before?: string) =>
    client.request('rerank.list', {
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
    rankings.value = reply.data.rankings
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
    const known = new Set(rankings.value.map((one) => one.id))
    rankings.value = [...rankings.value, ...reply.data.rankings.filter((one) => !known.has(one.id))]
    next = reply.data.next
  }
  const showBin = (wanted: boolean): Promise<void> => {
    bin.value = wanted
    return load()
  }

  const put = (ranking: RankingSummary): void => {
    if (state.value !== 'ready') return
    const at = rankings.value.findIndex((one) => one.id === ranking.id)
    const known = rankings.value[at]
    if ((ranking.removedAt !== null) !== bin.value) {
      if (known) rankings.value = rankings.value.toSpliced(at, 1)
    } else if (known) rankings.value = rankings.value.with(at, ranking)
    else {
      const place = rankings.value.findIndex(({ createdAt }) => createdAt <= ranking.createdAt)
      if (place === -1 && next !== null) return
      rankings.value = rankings.value.toSpliced(
        place === -1 ? rankings.value.length : place,
        0,
        ranking,
      )
    }
  }
  const refresh = async (): Promise<void> => {
    const asked = id.value
    if (asked === null) return
    const reply = await client.request('rerank.get', { id: asked })
    if (id.value !== asked) return
    openFailure.value = reply.ok ? null : reply.error
    opened.value = reply.ok ? reply.data : null
    if (reply.ok && reply.data.state === 'running') watched.value.add(asked)
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

  /** Shows what an action brought, or why it failed. */
  const take = (reply: Reply<RankingSummary>): Failure | null => {
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) put(reply.data)
    return actionFailure.value
  }
  const start = async (
    request: RequestOf<'rerank.start'>,
  ): Promise<{ readonly id: string } | { readonly failure: Failure }> => {
    const reply = await client.request('rerank.start', request)
    if (!reply.ok) return { failure: reply.error }
    watched.value.add(reply.data.id)
    put(reply.data)
    return { id: reply.data.id }
  }
  const goOn = async (): Promise<void> => {
    if (id.value !== null) take(await client.request('rerank.goOn', { id: id.value }))
  }
  const cancel = async (): Promise<void> => {
    if (id.value !== null) take(await client.request('rerank.cancel', { id: id.value }))
  }
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    if (id.value === null || wanted === '' || wanted === opened.value?.title) return
    take(await client.request('rerank.rename', { id: id.value, title: wanted }))
  }
  const restore = async (ids: readonly string[]): Promise<void> => {
    const reply = await client.request('rerank.restore', { ids: [...ids] })
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) toasts.settle(ids)
  }
  /** To the bin, with an undo. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    const reply = await client.request('rerank.remove', { ids: [...ids] })
    actionFailure.value = reply.ok ? null : reply.error
    if (!reply.ok) return false
    toasts.show('rerank.removed', {
      about: ids,
      action: { key: 'app.undo', run: () => void restore(ids) },
    })
    return true
  }

  client.onEvent((event) => {
    if (event.type !== 'rerank.changed') return
    const { ranking } = event
    put(ranking)
    const shown = opened.value
    if (shown?.id !== ranking.id) return
    if (ranking.state === shown.state && ranking.state !== 'done')
      opened.value = { ...shown, ...ranking }
    else void refresh()
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
    rankings,
    bin,
    state,
    failure,
    id,
    opened,
    openFailure,
    actionFailure,
    watched,
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
