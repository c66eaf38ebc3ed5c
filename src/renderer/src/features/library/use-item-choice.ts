import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { ItemKind, ItemSummary } from '../../../../shared/model/library.ts'
import { useClient } from '../../api/use-client.ts'

/** Items asked for at a time. */
const pageSize = 200
/** Milliseconds of quiet typing before the whole Library is searched. */
const quietMs = 150

/** Items of these kinds to choose from, found by words of their titles; those beyond the loaded ones are found by the Library's search. */
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
  /** Reads the first page, or the next one. */
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
    // Everything is here.
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
