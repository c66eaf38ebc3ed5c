import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { AppEvent } from '../../../../shared/bridge/events.ts'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { EntrySearchReply } from '../../../../shared/model/library-entry.ts'
import type { ItemKind, SearchReply } from '../../../../shared/model/library.ts'
import { useClient } from '../../api/use-client.ts'

/** Milliseconds of quiet typing before a query is sent. */
const quietMs = 70

/** What a search is narrowed by beside its words. */
export type SearchNarrow = Pick<RequestOf<'library.search'>, 'kinds' | 'from' | 'to' | 'tag'>
/** The same for what is no item. */
export type EntryNarrow = Pick<RequestOf<'library.searchEntries'>, 'kinds' | 'from' | 'to' | 'tag'>

/** How a search is asked. */
export interface SearchOptions<Narrow = SearchNarrow> {
  readonly limit?: number
  /** What narrows it now; null where nothing can be found. */
  narrow?(): Narrow | null
}

const nothing = { hits: [], more: false, tookMs: 0 }

/** Full-text search over items as one types. */
export function useSearch(
  query: Ref<string>,
  options: SearchOptions & {
    /** Of these alone. */
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

/** The same over what is kept beside the items. */
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
    // What changes while it runs is found when it is asked for again.
    () => false,
  )
}

/** A search as one types: asks when typing pauses, shows only the answer to the latest question. */
function useTyped<Answer>(
  query: Ref<string>,
  narrowing: () => unknown,
  request: (text: string) => Promise<Reply<Answer>>,
  concerns: (event: AppEvent) => boolean,
) {
  const client = useClient()
  const reply = shallowRef<Answer | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const ask = async (text: string): Promise<void> => {
    const turn = ++latest
    busy.value = true
    const answer = await request(text)
    if (turn !== latest) return
    busy.value = false
    reply.value = answer.ok ? answer.data : null
    failure.value = answer.ok ? null : answer.error
  }
  const again = (): void => {
    clearTimeout(timer)
    const text = query.value.trim()
    if (text === '') {
      latest += 1
      busy.value = false
      reply.value = null
      failure.value = null
      return
    }
    timer = setTimeout(() => void ask(text), quietMs)
  }
  watch([query, narrowing], again, { immediate: true })
  const off = client.onEvent((event) => {
    if (concerns(event)) again()
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    latest += 1
    off()
  })
  return { reply, failure, busy }
}
