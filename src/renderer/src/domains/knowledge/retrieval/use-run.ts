import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type {
  RetrievalRow,
  RetrievalRowWhole,
  RetrievalRun,
} from '../../../../../shared/model/retrieval.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** A run with its rows, updated live; the results of a row are loaded when it is shown. */
export function useRun(id: () => string | null) {
  const client = useClient()
  const run = shallowRef<RetrievalRun | null>(null)
  const rows = shallowRef<readonly RetrievalRow[]>([])
  const failure = shallowRef<Failure | null>(null)
  const loading = ref(false)
  const found = shallowRef<ReadonlyMap<number, RetrievalRowWhole>>(new Map())
  const latest = createLatest()

  const load = async (): Promise<void> => {
    const isLatest = latest.start()
    const wanted = id()
    if (wanted === null) return
    loading.value = true
    const reply = await client.request('retrieval.run', { id: wanted })
    if (!isLatest()) return
    loading.value = false
    failure.value = reply.ok ? null : reply.error
    run.value = reply.ok ? reply.data.run : null
    rows.value = reply.ok ? reply.data.rows : []
  }
  /** Loads the results of a row, once. */
  const read = async (at: number): Promise<void> => {
    const runId = id()
    if (runId === null) return
    const reply = await client.request('retrieval.row', { runId, at })
    if (runId === id() && reply.ok) found.value = new Map(found.value).set(at, reply.data)
  }
  const act = async (name: 'retrieval.stop' | 'retrieval.retry'): Promise<void> => {
    const wanted = id()
    if (wanted === null) return
    const reply = await client.request(name, { id: wanted })
    if (!reply.ok) failure.value = reply.error
    else await load()
  }

  watch(
    id,
    () => {
      run.value = null
      rows.value = []
      found.value = new Map()
      failure.value = null
      void load()
    },
    { immediate: true },
  )
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type !== 'retrieval.changed' || event.run.id !== id()) return
      run.value = event.run
      const { row } = event
      if (!row) return void load()
      rows.value = rows.value.map((one) => (one.at === row.at ? row : one))
      if (row.state === 'done' && found.value.has(row.at)) void read(row.at)
    }),
  )
  const stop = () => act('retrieval.stop')
  const retry = () => act('retrieval.retry')
  return { run, rows, found, failure, loading, load, read, stop, retry }
}
