import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { RetrievalRun, TestSetBrief } from '../../../../../shared/model/retrieval.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { mapped, usePagedList } from '../../../kit/use-paged-list.ts'
import { useUndo } from '../../../kit/use-undo.ts'

/** Test sets, and past questions of the retrieval test page: newest first. */
export const useRetrieval = defineStore('retrieval', () => {
  const client = useClient()
  const undo = useUndo()
  const sets = shallowRef<readonly TestSetBrief[]>([])
  const query = ref('')
  const {
    rows: runs,
    state,
    failure,
    load,
    more,
    drop,
  } = usePagedList<RetrievalRun, string>({
    pageSize: 100,
    maxReload: 200,
    async request({ cursor, limit }) {
      const [setsReply, runsReply] = await Promise.all([
        cursor === null ? client.request('retrieval.sets', {}) : null,
        client.request('retrieval.runs', {
          setId: null,
          query: query.value,
          limit,
          ...(cursor !== null && { before: cursor }),
        }),
      ])
      if (setsReply?.ok) sets.value = setsReply.data.sets
      if (setsReply && !setsReply.ok) return setsReply
      return mapped(runsReply, ({ runs: rows, next }) => ({ rows, next }))
    },
  })
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
      drop(event.ids)
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
