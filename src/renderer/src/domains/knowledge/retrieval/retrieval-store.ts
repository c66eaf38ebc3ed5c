import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RetrievalRun, TestSetBrief } from '../../../../../shared/model/retrieval.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useUndo } from '../../../kit/use-undo.ts'

/** Test sets, and past questions of the retrieval test page: newest first. */
export const useRetrieval = defineStore('retrieval', () => {
  const client = useClient()
  const undo = useUndo()
  const sets = shallowRef<readonly TestSetBrief[]>([])
  const runs = shallowRef<readonly RetrievalRun[]>([])
  const next = ref<string | null>(null)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const query = ref('')
  let turn = 0
  let growing = false

  const load = async (): Promise<void> => {
    const mine = ++turn
    if (state.value === 'idle') state.value = 'loading'
    const limit = Math.min(200, Math.max(100, runs.value.length))
    const [setsReply, runsReply] = await Promise.all([
      client.request('retrieval.sets', {}),
      client.request('retrieval.runs', { setId: null, query: query.value, limit }),
    ])
    if (mine !== turn) return
    failure.value = setsReply.ok ? (runsReply.ok ? null : runsReply.error) : setsReply.error
    state.value = failure.value ? 'failed' : 'ready'
    if (setsReply.ok) sets.value = setsReply.data.sets
    if (!runsReply.ok) return
    runs.value = runsReply.data.runs
    next.value = runsReply.data.next
  }
  const more = async (): Promise<void> => {
    if (growing || next.value === null) return
    growing = true
    const mine = turn
    const page = { setId: null, query: query.value, before: next.value }
    const reply = await client.request('retrieval.runs', page)
    growing = false
    if (!reply.ok || mine !== turn) return
    runs.value = [...runs.value, ...reply.data.runs]
    next.value = reply.data.next
  }
  const put = (run: RetrievalRun): void => {
    if (run.setId !== null) return
    // Only main knows whether a new one matches the search.
    if (query.value.trim() !== '' && !runs.value.some(({ id }) => id === run.id)) void load()
    else runs.value = withRun(runs.value, run)
  }
  /** Lists the questions that contain these words, of any age. */
  const search = (words: string): Promise<void> => {
    query.value = words
    runs.value = []
    return load()
  }

  /** Removes runs from their lists, with an undo. */
  const removeRuns = async (ids: readonly string[]): Promise<void> => {
    const reply = await client.request('retrieval.removeRuns', { ids: [...ids] })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok)
      undo('retrieval.runsRemoved', ids, () =>
        client.request('retrieval.restoreRuns', { ids: [...ids] }),
      )
  }

  client.onEvent((event) => {
    if (state.value === 'idle') return
    if (event.type === 'retrieval.changed') {
      put(event.run)
      // Sets show how often they were run.
      if (event.run.setId !== null && event.row === null) void load()
    }
    if (event.type === 'retrieval.removed') {
      runs.value = runs.value.filter(({ id }) => !event.ids.includes(id))
      void load()
    }
    if (event.type === 'retrieval.set' || event.type === 'library.changed') void load()
  })
  return { sets, runs, query, state, failure, load, more, search, put, removeRuns }
})

/** Returns a list of runs, newest first, with one added or updated. */
export const withRun = (
  runs: readonly RetrievalRun[],
  run: RetrievalRun,
): readonly RetrievalRun[] =>
  runs.some(({ id }) => id === run.id)
    ? runs.map((one) => (one.id === run.id ? run : one))
    : [run, ...runs].toSorted((a, b) => b.createdAt - a.createdAt)
