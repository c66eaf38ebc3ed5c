import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { RunState, RunSummary } from '../../../../shared/model/run.ts'
import { callerId, useClient } from '../../api/use-client.ts'
import { familyOf } from './operations-store.ts'

/** Filters of the list; empty means any. */
export interface RunFilter {
  readonly family: string
  readonly state: '' | RunState
}

const pageSize = 50

/** Runs of operations, newest first, growing by pages and by what happens. */
export const useRuns = defineStore('runs', () => {
  const client = useClient()
  const runs = shallowRef<readonly RunSummary[]>([])
  const filter = ref<RunFilter>({ family: '', state: '' })
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  /** The run that is asked about before it is removed. */
  const doomedId = ref<string | null>(null)
  let next: string | null = null
  let turn = 0
  let reading = false

  const ask = (before?: string) =>
    client.request('runs.list', {
      limit: pageSize,
      ...(filter.value.family !== '' && { family: filter.value.family }),
      ...(filter.value.state !== '' && { state: filter.value.state }),
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
    const known = new Set(runs.value.map(({ id }) => id))
    runs.value = [...runs.value, ...reply.data.runs.filter(({ id }) => !known.has(id))]
    next = reply.data.next
  }
  const setFilter = (change: Partial<RunFilter>): Promise<void> => {
    filter.value = { ...filter.value, ...change }
    return load()
  }
  const fits = (run: RunSummary): boolean =>
    (filter.value.family === '' || familyOf(run.operation) === filter.value.family) &&
    (filter.value.state === '' || run.state === filter.value.state)

  const put = (run: RunSummary): void => {
    const index = runs.value.findIndex(({ id }) => id === run.id)
    const known = runs.value[index]
    if (known && known.updatedAt > run.updatedAt) return
    if (!fits(run)) drop([run.id])
    else if (known) runs.value = runs.value.with(index, run)
    else {
      const at = runs.value.findIndex(({ createdAt }) => createdAt <= run.createdAt)
      // Older than everything that was read: it comes with its own page.
      if (at === -1 && next !== null) return
      runs.value = runs.value.toSpliced(at === -1 ? runs.value.length : at, 0, run)
    }
  }
  const drop = (ids: readonly string[]): void => {
    if (runs.value.some(({ id }) => ids.includes(id)))
      runs.value = runs.value.filter(({ id }) => !ids.includes(id))
  }

  /** Starts an operation; what is not accepted comes back as the failure. */
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
    if (state.value === 'ready') put(reply.data)
    return { run: reply.data }
  }
  /** For good, with events and files; null when it is gone. */
  const remove = async (ids: readonly string[]): Promise<Failure | null> => {
    const reply = await client.request('runs.remove', { ids: [...ids] })
    if (!reply.ok) return reply.error
    drop(ids)
    return null
  }

  let bridge = ''
  client.onBridge((now) => {
    // Events were missed meanwhile.
    if (bridge !== '' && bridge !== 'connecting' && now === 'open' && state.value !== 'idle')
      void load()
    bridge = now
  })
  client.onEvent((event) => {
    if (event.type === 'runs.removed') drop(event.ids)
    if (event.type === 'run.changed' && state.value === 'ready') put(event.run)
  })
  const filtered = computed(() => filter.value.family !== '' || filter.value.state !== '')
  return {
    runs,
    filter,
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
