import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RunState, RunSummary } from '../../../../../shared/model/run.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'
import { familyOf } from './operations-store.ts'
import { mapped } from '../../../kit/use-paged-list.ts'
import { usePagedRows } from './paged-rows.ts'

/** Filters of the list; empty means no filter. */
interface RunFilter {
  readonly family: string
  readonly state: '' | RunState
}

/** Runs of operations, newest first, extended by pages and by events. */
export const useRuns = defineStore('runs', () => {
  const client = useClient()
  const filter = ref<RunFilter>({ family: '', state: '' })
  /** ID of the run whose deletion is being confirmed. */
  const doomedId = ref<string | null>(null)
  /** The filter in the form that main expects. */
  const narrowed = computed(() => ({
    ...(filter.value.family !== '' && { family: filter.value.family }),
    ...(filter.value.state !== '' && { state: filter.value.state }),
  }))
  const {
    rows: runs,
    state,
    failure,
    load,
    more,
    put,
    drop,
  } = usePagedRows<RunSummary>(client, {
    request: async (page) =>
      mapped(
        await client.request('runs.list', { ...narrowed.value, ...page }),
        ({ runs: listed, next }) => ({ rows: listed, next }),
      ),
    fits: (run) =>
      (filter.value.family === '' || familyOf(run.operation) === filter.value.family) &&
      (filter.value.state === '' || run.state === filter.value.state),
  })
  const setFilter = (change: Partial<RunFilter>): Promise<void> => {
    filter.value = { ...filter.value, ...change }
    return load()
  }
  /** Starts an operation; returns the failure if it is not accepted. */
  const start = async (
    operation: string,
    input: Readonly<Record<string, unknown>>,
    title?: string,
  ): Promise<{ readonly run: RunSummary } | { readonly failure: Failure }> => {
    const reply = await client.request('runs.start', {
      operation,
      input: { ...input },
      streamId: callerId(),
      ...(title !== undefined && { title }),
    })
    if (!reply.ok) return { failure: reply.error }
    put(reply.data)
    return { run: reply.data }
  }
  /** Deletes runs permanently, with events and files; returns null on success. */
  const remove = async (ids: readonly string[]): Promise<Failure | null> => {
    const reply = await client.request('runs.remove', { ids: [...ids] })
    if (!reply.ok) return reply.error
    drop(ids)
    return null
  }

  client.onEvent((event) => {
    if (event.type === 'runs.removed') drop(event.ids)
    if (event.type === 'run.changed') put(event.run)
  })
  const filtered = computed(() => filter.value.family !== '' || filter.value.state !== '')
  return {
    runs,
    filter,
    narrowed,
    filtered,
    state,
    failure,
    doomedId,
    load,
    more,
    setFilter,
    start,
    remove,
  }
})
