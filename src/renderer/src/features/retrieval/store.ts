import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { RetrievalRun, TestSetBrief } from '../../../../shared/model/retrieval.ts'
import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'

/** How long a run that was removed waits for its undo, in milliseconds: a little longer than the notice stands. */
const undoMs = 9_500

/** Test sets, and questions that were asked on the bench: newest first. */
export const useRetrieval = defineStore('retrieval', () => {
  const client = useClient()
  const toasts = useToasts()
  const sets = shallowRef<readonly TestSetBrief[]>([])
  const all = shallowRef<readonly RetrievalRun[]>([])
  const next = ref<string | null>(null)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  /** Runs that go for good unless somebody takes it back. */
  const leaving = ref<ReadonlySet<string>>(new Set())
  let turn = 0
  let growing = false

  const runs = computed(() => all.value.filter(({ id }) => !leaving.value.has(id)))

  const load = async (): Promise<void> => {
    const mine = ++turn
    if (state.value === 'idle') state.value = 'loading'
    const limit = Math.min(200, Math.max(100, all.value.length))
    const [asked, kept] = await Promise.all([
      client.request('retrieval.sets', {}),
      client.request('retrieval.runs', { setId: null, limit }),
    ])
    if (mine !== turn) return
    failure.value = asked.ok ? (kept.ok ? null : kept.error) : asked.error
    state.value = failure.value ? 'failed' : 'ready'
    if (asked.ok) sets.value = asked.data.sets
    if (!kept.ok) return
    all.value = kept.data.runs
    next.value = kept.data.next
  }
  const more = async (): Promise<void> => {
    if (growing || next.value === null) return
    growing = true
    const mine = turn
    const reply = await client.request('retrieval.runs', { setId: null, before: next.value })
    growing = false
    if (!reply.ok || mine !== turn) return
    all.value = [...all.value, ...reply.data.runs]
    next.value = reply.data.next
  }
  const put = (run: RetrievalRun): void => {
    if (run.setId !== null) return
    const known = all.value.some(({ id }) => id === run.id)
    all.value = known
      ? all.value.map((one) => (one.id === run.id ? run : one))
      : [run, ...all.value]
  }

  /** Out of sight at once; for good when nobody takes it back. */
  const removeRuns = (ids: readonly string[]): void => {
    leaving.value = new Set([...leaving.value, ...ids])
    const back = (): void => {
      clearTimeout(timer)
      leaving.value = new Set([...leaving.value].filter((id) => !ids.includes(id)))
    }
    const timer = setTimeout(() => {
      void client.request('retrieval.removeRuns', { ids: [...ids] }).then((reply) => {
        if (!reply.ok) failure.value = reply.error
        back()
      })
    }, undoMs)
    toasts.show('retrieval.runsRemoved', {
      count: ids.length,
      values: { n: ids.length },
      about: ids,
      action: {
        key: 'app.undo',
        run: () => {
          back()
          toasts.settle(ids)
        },
      },
    })
  }

  client.onEvent((event) => {
    if (state.value === 'idle') return
    if (event.type === 'retrieval.changed') {
      put(event.run)
      // Sets tell how often they were run.
      if (event.run.setId !== null && event.row === null) void load()
    }
    if (event.type === 'retrieval.removed')
      all.value = all.value.filter(({ id }) => !event.ids.includes(id))
    if (event.type === 'retrieval.set' || event.type === 'library.changed') void load()
  })
  return { sets, runs, leaving, state, failure, load, more, put, removeRuns }
})
