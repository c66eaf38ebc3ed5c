import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { ActivityCall, UsageRow } from '../../../../../shared/model/activity.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useLatest } from '../../../kit/use-latest.ts'
import { mapped, usePagedList } from '../../../kit/use-paged-list.ts'
import { dayBounds } from './usage.ts'

/** Filters of the list; empty means any. */
export interface ActivityFilter {
  readonly outcome: '' | ActivityCall['outcome']
  readonly accountId: string
  readonly text: string
  /** Model of the calls; null for any. */
  readonly model: string | null
  /** Day of the calls, `YYYY-MM-DD`; empty for any. */
  readonly day: string
}

/** Figures of the last days up to today. */
interface Usage {
  readonly today: string
  readonly days: number
  readonly rows: readonly UsageRow[]
}

const noFilter: ActivityFilter = { outcome: '', accountId: '', text: '', model: null, day: '' }

/** Store of the calls to the provider, newest first; grows by pages and events. */
export const useActivity = defineStore('activity', () => {
  const client = useClient()
  const filter = ref<ActivityFilter>(noFilter)
  const chosenId = ref<number | null>(null)
  const {
    rows: calls,
    state,
    failure,
    load,
    more,
  } = usePagedList<ActivityCall, number>({
    pageSize: 100,
    maxReload: 200,
    async request({ cursor, limit }) {
      const { outcome, accountId, text, model, day } = filter.value
      const reply = await client.request('activity.list', {
        limit,
        ...(outcome !== '' && { outcome }),
        ...(accountId !== '' && { accountId }),
        ...(text.trim() !== '' && { text: text.trim() }),
        ...(model !== null && { model }),
        ...(day !== '' && dayBounds(day)),
        ...(cursor !== null && { before: cursor }),
      })
      return mapped(reply, ({ calls: rows, more: hasMore }) => ({
        rows,
        next: hasMore ? (rows.at(-1)?.id ?? null) : null,
      }))
    },
  })
  const setFilter = (change: Partial<ActivityFilter>): Promise<void> => {
    filter.value = { ...filter.value, ...change }
    return load()
  }

  const fits = (call: ActivityCall): boolean => {
    const { outcome, accountId, model, day } = filter.value
    const { since, until } = day === '' ? { since: 0, until: Infinity } : dayBounds(day)
    return (
      (outcome === '' || call.outcome === outcome) &&
      (accountId === '' || call.accountId === accountId) &&
      (model === null || call.model === model) &&
      call.at >= since &&
      call.at < until
    )
  }
  client.onEvent((event) => {
    if (event.type !== 'activity.added' || state.value !== 'ready') return
    // Main decides which columns a text search covers.
    if (filter.value.text.trim() !== '') void load()
    else if (fits(event.call) && !calls.value.some(({ id }) => id === event.call.id))
      calls.value = [event.call, ...calls.value]
  })
  const chosen = computed(() => calls.value.find(({ id }) => id === chosenId.value) ?? null)
  const filtered = computed(
    () =>
      filter.value.outcome !== '' ||
      filter.value.accountId !== '' ||
      filter.value.text !== '' ||
      filter.value.model !== null ||
      filter.value.day !== '',
  )

  const {
    data: usage,
    failure: usageFailure,
    load: loadUsage,
  } = useLatest<Usage, [days: number]>(
    async (days) => {
      const { accountId } = filter.value
      const reply = await client.request('activity.usage', {
        days,
        ...(accountId !== '' && { accountId }),
      })
      return mapped(reply, (data) => ({ ...data, days }))
    },
    { keep: true },
  )
  return {
    calls,
    filter,
    filtered,
    state,
    failure,
    chosenId,
    chosen,
    load,
    more,
    setFilter,
    usage,
    usageFailure,
    loadUsage,
  }
})
