import { onScopeDispose, ref, watch, type Ref } from 'vue'
import type { AppEvent } from '../../../../../shared/contract/events.ts'
import type { Reply } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { EntrySearchReply } from '../../../../../shared/model/library-entry.ts'
import type { ItemKind, SearchReply } from '../../../../../shared/model/library.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useLatest } from '../../../kit/use-latest.ts'

/** Typing pause in milliseconds before a query is sent. */
const quietMs = 70

/** Filters of a search besides its words. */
export type SearchNarrow = Pick<
  RequestOf<'library.search'>,
  'kinds' | 'from' | 'to' | 'tag' | 'starred'
>
/** Filters of a search for entries that are not items. */
export type EntryNarrow = Pick<RequestOf<'library.searchEntries'>, 'kinds' | 'from' | 'to' | 'tag'>

/** Options of a search. */
interface SearchOptions<Narrow = SearchNarrow> {
  readonly limit?: number
  /** Returns the current filter; null if nothing can be found. */
  narrow?(): Narrow | null
}

const nothing = { hits: [], more: false, tookMs: 0 }

/** Full-text search of items while the user types. */
export function useSearch(
  query: Ref<string>,
  options: SearchOptions & {
    /** Restricts the search to these kinds. */
    readonly kinds?: readonly ItemKind[]
  } = {},
) {
  const client = useClient()
  const { limit = 50, kinds, narrow } = options
  return useTyped<SearchReply>(
    query,
    () => narrow?.(),
    async (text) => {
      const narrowed = narrow ? narrow() : {}
      if (narrowed === null) return { ok: true, data: nothing }
      return client.request('library.search', {
        query: text,
        limit,
        ...(kinds && { kinds: [...kinds] }),
        ...narrowed,
      })
    },
    (event) => event.type === 'library.changed',
  )
}

/** Full-text search of everything stored that is not an item. */
export function useEntrySearch(query: Ref<string>, options: SearchOptions<EntryNarrow> = {}) {
  const client = useClient()
  const { limit = 50, narrow } = options
  return useTyped<EntrySearchReply>(
    query,
    () => narrow?.(),
    async (text) => {
      const narrowed = narrow ? narrow() : {}
      if (narrowed === null) return { ok: true, data: nothing }
      return client.request('library.searchEntries', { query: text, limit, ...narrowed })
    },
    // Changes made while it runs are found with the next search.
    () => false,
  )
}

/** A search while the user types: requests when typing pauses, and shows only the reply to the latest request. */
function useTyped<Answer>(
  query: Ref<string>,
  narrowing: () => unknown,
  request: (text: string) => Promise<Reply<Answer>>,
  concerns: (event: AppEvent) => boolean,
) {
  const client = useClient()
  const { data: reply, failure, busy, load, clear } = useLatest(request)
  /** Whether the reply does not belong to the typed text yet. */
  const pending = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  const again = (): void => {
    clearTimeout(timer)
    const text = query.value.trim()
    pending.value = text !== ''
    if (text === '') clear()
    else timer = setTimeout(() => void send(text), quietMs)
  }
  const send = async (text: string): Promise<void> => {
    const answered = await load(text)
    if (answered && text === query.value.trim()) pending.value = false
  }
  watch([query, narrowing], again, { immediate: true })
  const off = client.onEvent((event) => {
    if (concerns(event)) again()
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    off()
  })
  return { reply, failure, busy, pending }
}
