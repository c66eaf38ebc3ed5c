import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ItemKind, ItemSummary } from '../../../../../shared/model/library.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Number of items requested at a time. */
const pageSize = 200
/** Pause in typing before the whole Library is searched, in milliseconds. */
const quietMs = 150

/**
 * Choice among items of these kinds by words of their titles; those not loaded yet are found by the Library's search.
 */
export function useItemChoice(kinds: readonly ItemKind[]) {
  const client = useClient()
  const query = ref('')
  const items = shallowRef<readonly ItemSummary[]>([])
  const next = ref<string | null>(null)
  const loaded = ref(false)
  const failure = shallowRef<Failure | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const add = (more: readonly ItemSummary[]): void => {
    const known = new Set(items.value.map(({ id }) => id))
    items.value = [...items.value, ...more.filter(({ id }) => !known.has(id))]
  }
  /** Loads the first or the next page. */
  const load = async (): Promise<void> => {
    const reply = await client.request('library.list', {
      kinds: [...kinds],
      limit: pageSize,
      ...(next.value !== null && { cursor: next.value }),
    })
    failure.value = reply.ok ? null : reply.error
    loaded.value = true
    if (!reply.ok) return
    add(reply.data.items)
    next.value = reply.data.next
  }
  const search = async (words: string): Promise<void> => {
    const reply = await client.request('library.search', {
      query: words,
      kinds: [...kinds],
      limit: 100,
    })
    if (closed || !reply.ok || query.value !== words) return
    const known = new Set(items.value.map(({ id }) => id))
    const ids = new Set(reply.data.hits.map(({ itemId }) => itemId).filter((id) => !known.has(id)))
    const found = await Promise.all([...ids].map((id) => client.request('library.summary', { id })))
    if (!closed) add(found.flatMap((one) => (one.ok ? [one.data] : [])))
  }
  watch(query, (words) => {
    clearTimeout(timer)
    // Everything is loaded.
    if (next.value === null || words.trim() === '') return
    timer = setTimeout(() => void search(words), quietMs)
  })
  onScopeDispose(() => {
    closed = true
    clearTimeout(timer)
  })
  const shown = computed(() => {
    const words = query.value.toLowerCase().split(/\s+/)
    return items.value.filter(({ title }) =>
      words.every((word) => title.toLowerCase().includes(word)),
    )
  })
  return { query, shown, items, next, loaded, failure, load }
}
