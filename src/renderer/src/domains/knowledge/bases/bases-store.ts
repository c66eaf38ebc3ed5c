import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type {
  BaseOrder,
  KnowledgeBase,
  KnowledgeBases,
  KnowledgeCapacity,
} from '../../../../../shared/model/knowledge.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

const pageSize = 200
/** Maximum number of rows reloaded at once after a change. */
const maxAtOnce = 1000

/** Listed knowledge bases of the active account: from the local copy, loaded in pages. */
export const useKnowledgeBases = defineStore('knowledgeBases', () => {
  const client = useClient()
  const bases = shallowRef<readonly KnowledgeBase[]>([])
  const total = ref(0)
  const accountId = ref('')
  const listedAt = ref<number | null>(null)
  const capacity = shallowRef<KnowledgeCapacity | null>(null)
  const query = ref('')
  const order = ref<BaseOrder>('service')
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  /** Error of reading the local copy. */
  const failure = shallowRef<Failure | null>(null)
  /** Error of the last refresh, while stored data is shown. */
  const stale = shallowRef<Failure | null>(null)
  const refreshing = ref(false)
  /** Whether the form of a new knowledge base is open. */
  const creating = ref(false)
  let turn = 0
  let loading = false

  const ask = (offset: number, limit: number) =>
    client.request('knowledge.list', { query: query.value, order: order.value, offset, limit })
  const applyReply = (reply: KnowledgeBases): void => {
    accountId.value = reply.accountId
    total.value = reply.total
    listedAt.value = reply.listedAt
    capacity.value = reply.capacity
    stale.value = reply.failure
  }
  /** Reloads the local copy, with as many rows as were shown. */
  const load = async (): Promise<void> => {
    const mine = ++turn
    loading = false
    if (state.value === 'idle') state.value = 'loading'
    const reply = await ask(0, Math.min(maxAtOnce, Math.max(pageSize, bases.value.length)))
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (!reply.ok) return
    bases.value = reply.data.bases
    applyReply(reply.data)
  }
  const more = async (): Promise<void> => {
    if (loading || state.value !== 'ready' || bases.value.length >= total.value) return
    const mine = turn
    loading = true
    const reply = await ask(bases.value.length, pageSize)
    loading = false
    if (mine !== turn || !reply.ok) return
    const known = new Set(bases.value.map(({ id }) => id))
    bases.value = [...bases.value, ...reply.data.bases.filter(({ id }) => !known.has(id))]
    applyReply(reply.data)
  }
  /** Requests all of it from the provider; stored data is shown meanwhile. */
  const refresh = async (): Promise<void> => {
    if (refreshing.value) return
    refreshing.value = true
    const reply = await client.request('knowledge.refresh', {})
    refreshing.value = false
    if (!reply.ok) stale.value = reply.error
    await load()
  }
  const search = (words: string): Promise<void> => {
    query.value = words
    bases.value = []
    return load()
  }
  const sort = (by: BaseOrder): Promise<void> => {
    order.value = by
    return load()
  }

  const create = async (fields: RequestOf<'knowledge.create'>) => {
    const reply = await client.request('knowledge.create', fields)
    if (reply.ok) await load()
    return reply
  }

  client.onReopen(() => {
    if (state.value !== 'idle') void load()
  })
  client.onEvent((event) => {
    if (state.value === 'idle') return
    if (event.type === 'knowledge.changed' && event.accountId === accountId.value) void load()
    // Another account has other knowledge bases.
    if (event.type === 'accounts.changed') void load()
  })
  return {
    bases,
    total,
    accountId,
    listedAt,
    capacity,
    query,
    order,
    state,
    failure,
    stale,
    refreshing,
    creating,
    load,
    more,
    refresh,
    search,
    sort,
    create,
  }
})
