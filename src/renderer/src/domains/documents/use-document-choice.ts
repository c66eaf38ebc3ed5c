import { computed, onScopeDispose, ref, watch } from 'vue'
import { useClient } from '../../lib/bridge/use-client.ts'
import { useLatest } from '../../kit/use-latest.ts'
import { mapped } from '../../kit/use-paged-list.ts'

/** Document that can be chosen; `pages` is null if unknown here. */
interface DocumentRow {
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
  let timer: ReturnType<typeof setTimeout> | undefined

  const newest = async () =>
    mapped(
      await client.request('library.list', { kinds: ['document'], bin: false, limit: maxChoices }),
      ({ items }) =>
        items.map(({ id, title, document, createdAt }): DocumentRow => ({
          id,
          title,
          pages: document?.pages ?? null,
          createdAt,
        })),
    )
  const found = async (words: string) => {
    const reply = await client.request('library.search', {
      query: words,
      kinds: ['document'],
      limit: 100,
    })
    return mapped(reply, ({ hits }) => {
      const byItem = new Map<string, DocumentRow>()
      for (const { itemId, title, createdAt } of hits)
        if (!byItem.has(itemId)) byItem.set(itemId, { id: itemId, title, pages: null, createdAt })
      return [...byItem.values()].slice(0, maxChoices)
    })
  }
  const {
    data,
    failure,
    busy: searching,
    load,
  } = useLatest<readonly DocumentRow[]>(
    () => {
      const words = query.value.trim()
      return words === '' ? newest() : found(words)
    },
    { keep: true },
  )
  watch(query, () => {
    clearTimeout(timer)
    searching.value = true
    timer = setTimeout(() => void load(), pauseMs)
  })
  onScopeDispose(() => clearTimeout(timer))
  return { query, rows: computed(() => data.value ?? []), failure, searching, load }
}
