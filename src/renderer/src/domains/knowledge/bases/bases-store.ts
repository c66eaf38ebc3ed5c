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
import { mapped, nextOffset, usePagedList, type Page } from '../../../kit/use-paged-list.ts'

/** Returns the route of a knowledge base: two accounts can have the same one. */
export const basePath = ({ accountId, id }: Pick<KnowledgeBase, 'accountId' | 'id'>): string =>
  `/knowledge/bases/${encodeURIComponent(id)}?account=${encodeURIComponent(accountId)}`

/** Listed knowledge bases of all accounts: from the local copy, loaded in pages. */
export const useKnowledgeBases = defineStore('knowledgeBases', () => {
  const client = useClient()
  const total = ref(0)
  const accountId = ref('')
  const listedAt = ref<number | null>(null)
  const capacity = shallowRef<KnowledgeCapacity | null>(null)
  const query = ref('')
  const order = ref<BaseOrder>('service')
  /** Error of the last refresh of the active account, while stored data is shown. */
  const stale = shallowRef<Failure | null>(null)
  const unreachable = shallowRef<KnowledgeBases['unreachable']>([])
  const refreshing = ref(false)
  /** Whether the form of a new knowledge base is open. */
  const creating = ref(false)
  /** ID of the knowledge base that was just created: its page asks for documents. */
  const created = ref<string | null>(null)

  /** The local copy. */
  const {
    rows: bases,
    state,
    failure,
    load,
    more,
  } = usePagedList<KnowledgeBase, number, Page<KnowledgeBase, number> & KnowledgeBases>({
    pageSize: 200,
    maxReload: 1000,
    request: async ({ cursor, limit }) => {
      const offset = cursor ?? 0
      const reply = await client.request('knowledge.list', {
        query: query.value,
        order: order.value,
        offset,
        limit,
      })
      return mapped(reply, (page) => ({
        ...page,
        rows: page.bases,
        next: nextOffset(offset, page.bases, page.total),
      }))
    },
    onPage(page) {
      accountId.value = page.accountId
      total.value = page.total
      listedAt.value = page.listedAt
      capacity.value = page.capacity
      stale.value = page.failure
      unreachable.value = page.unreachable
    },
  })
  /**
   * Requests the lists of the active account and This computer, or of all accounts; stored data is shown meanwhile.
   */
  const refresh = async (all = false): Promise<void> => {
    if (refreshing.value) return
    refreshing.value = true
    const reply = await client.request('knowledge.refresh', { all })
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
    if (event.type === 'knowledge.changed' || event.type === 'accounts.changed') void load()
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
    unreachable,
    refreshing,
    creating,
    created,
    load,
    more,
    refresh,
    search,
    sort,
    create,
  }
})
