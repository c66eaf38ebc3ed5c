import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../shared/contract/reply.ts'
import { useClient } from '../../lib/bridge/use-client.ts'

/** Document that can be chosen; `pages` is null if unknown here. */
export interface DocumentRow {
  readonly id: string
  readonly title: string
  readonly pages: number | null
  readonly createdAt: number
}

/** Pause in typing before the search starts, in milliseconds. */
const pauseMs = 150
const maxChoices = 50

/** Returns documents of the Library: the newest ones, or the results of a search. */
export function useDocumentChoice() {
  const client = useClient()
  const query = ref('')
  const rows = shallowRef<readonly DocumentRow[]>([])
  const failure = shallowRef<Failure | null>(null)
  const searching = ref(false)
  let turn = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const newest = async () => {
    const reply = await client.request('library.list', {
      kinds: ['document'],
      bin: false,
      limit: maxChoices,
    })
    if (!reply.ok) return reply
    const data = reply.data.items.map(({ id, title, document, createdAt }): DocumentRow => ({
      id,
      title,
      pages: document?.pages ?? null,
      createdAt,
    }))
    return { ok: true as const, data }
  }
  const found = async (words: string) => {
    const reply = await client.request('library.search', {
      query: words,
      kinds: ['document'],
      limit: 100,
    })
    if (!reply.ok) return reply
    const byItem = new Map<string, DocumentRow>()
    for (const { itemId, title, createdAt } of reply.data.hits)
      if (!byItem.has(itemId)) byItem.set(itemId, { id: itemId, title, pages: null, createdAt })
    return { ok: true as const, data: [...byItem.values()].slice(0, maxChoices) }
  }
  const load = async (): Promise<void> => {
    const mine = ++turn
    searching.value = true
    const words = query.value.trim()
    const reply = await (words === '' ? newest() : found(words))
    if (mine !== turn) return
    searching.value = false
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) rows.value = reply.data
  }
  watch(query, () => {
    clearTimeout(timer)
    searching.value = true
    timer = setTimeout(() => void load(), pauseMs)
  })
  onScopeDispose(() => clearTimeout(timer))
  return { query, rows, failure, searching, load }
}
