import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Ranking, RankingSummary } from '../../../../../shared/model/rerank.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useSavedRuns } from '../../playground/index.ts'

/** Rankings, newest first, of the section or of its Trash, and the open one. */
export const useRankings = defineStore('rankings', () => {
  const client = useClient()
  const store = useSavedRuns<RankingSummary, Ranking, RequestOf<'rerank.start'>>({
    async list(query) {
      const reply = await client.request('rerank.list', query)
      return reply.ok
        ? { ok: true, data: { rows: reply.data.rankings, next: reply.data.next } }
        : reply
    },
    get: (request) => client.request('rerank.get', request),
    start: (order) => client.request('rerank.start', order),
    resume: (request) => client.request('rerank.resume', request),
    cancel: (request) => client.request('rerank.cancel', request),
    rename: (request) => client.request('rerank.rename', request),
    remove: (request) => client.request('rerank.remove', request),
    restore: (request) => client.request('rerank.restore', request),
    removedKey: 'rerank.removed',
    // Candidates stay unchanged; results are loaded when they are available.
    changed: (shown, row) =>
      row.state === shown.state && row.state !== 'done' ? { ...shown, ...row } : null,
  })
  /** IDs of rankings that were seen running: their end is animated from the old order to the new one. */
  const watched = ref(new Set<string>())
  watch(store.opened, (ranking) => {
    if (ranking?.state === 'running') watched.value.add(ranking.id)
  })
  const start = async (
    order: RequestOf<'rerank.start'>,
  ): Promise<Awaited<ReturnType<typeof store.start>>> => {
    const outcome = await store.start(order)
    if ('id' in outcome) watched.value.add(outcome.id)
    return outcome
  }
  client.onEvent((event) => {
    if (event.type === 'rerank.changed') store.put(event.ranking)
  })
  return { ...store, start, watched }
})
