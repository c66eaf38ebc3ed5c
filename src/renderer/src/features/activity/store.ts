import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { ActivityCall } from '../../../../shared/model/activity.ts'
import { useClient } from '../../api/use-client.ts'

/** Filters of the list; empty means any. */
export interface ActivityFilter {
  readonly outcome: '' | ActivityCall['outcome']
  readonly accountId: string
  readonly text: string
}

const pageSize = 100
const noFilter: ActivityFilter = { outcome: '', accountId: '', text: '' }

/** Calls to the service, newest first, growing by pages and by what happens. */
export const useActivity = defineStore('activity', () => {
  const client = useClient()
  const calls = shallowRef<readonly ActivityCall[]>([])
  const filter = ref<ActivityFilter>(noFilter)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const hasMore = ref(false)
  const chosenId = ref<number | null>(null)
  let turn = 0

  const ask = (before?: number) =>
    client.request('activity.list', {
      limit: pageSize,
      ...(filter.value.outcome !== '' && { outcome: filter.value.outcome }),
      ...(filter.value.accountId !== '' && { accountId: filter.value.accountId }),
      ...(filter.value.text.trim() !== '' && { text: filter.value.text.trim() }),
      ...(before !== undefined && { before }),
    })

  const load = async (): Promise<void> => {
    const mine = ++turn
    if (state.value === 'idle') state.value = 'loading'
    const reply = await ask()
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (!reply.ok) return
    calls.value = reply.data.calls
    hasMore.value = reply.data.more
  }
  const more = async (): Promise<void> => {
    const last = calls.value.at(-1)
    if (!last || !hasMore.value) return
    const mine = turn
    const reply = await ask(last.id)
    if (mine !== turn || !reply.ok) return
    calls.value = [...calls.value, ...reply.data.calls]
    hasMore.value = reply.data.more
  }
  const setFilter = (change: Partial<ActivityFilter>): Promise<void> => {
    filter.value = { ...filter.value, ...change }
    return load()
  }

  const fits = (call: ActivityCall): boolean => {
    const { outcome, accountId } = filter.value
    return (
      (outcome === '' || call.outcome === outcome) &&
      (accountId === '' || call.accountId === accountId)
    )
  }
  client.onEvent((event) => {
    if (event.type !== 'activity.added' || state.value !== 'ready') return
    // Which columns the text is looked for in is main's to say.
    if (filter.value.text.trim() !== '') void load()
    else if (fits(event.call) && !calls.value.some(({ id }) => id === event.call.id))
      calls.value = [event.call, ...calls.value]
  })
  const chosen = computed(() => calls.value.find(({ id }) => id === chosenId.value) ?? null)
  const filtered = computed(
    () => filter.value.outcome !== '' || filter.value.accountId !== '' || filter.value.text !== '',
  )
  return {
    calls,
    filter,
    filtered,
    state,
    failure,
    hasMore,
    chosenId,
    chosen,
    load,
    more,
    setFilter,
  }
})
