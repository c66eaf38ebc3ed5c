import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { ItemKind, SearchReply } from '../../../../shared/model/library.ts'
import { useClient } from '../../api/use-client.ts'

/** Milliseconds of quiet typing before a query is sent. */
const quietMs = 70

/** What a search is narrowed by beside its words. */
export type SearchNarrow = Pick<RequestOf<'library.search'>, 'kinds' | 'from' | 'to' | 'tag'>

/** How a search is asked. */
export interface SearchOptions {
  readonly limit?: number
  /** Of these alone. */
  readonly kinds?: readonly ItemKind[]
  /** What narrows it now; null where nothing can be found. */
  narrow?(): SearchNarrow | null
}

/** Full-text search as one types: asks when typing pauses, shows only the answer to the latest question. */
export function useSearch(query: Ref<string>, { limit = 50, kinds, narrow }: SearchOptions = {}) {
  const client = useClient()
  const reply = shallowRef<SearchReply | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const ask = async (text: string): Promise<void> => {
    const turn = ++latest
    const narrowed = narrow ? narrow() : {}
    if (narrowed === null) {
      reply.value = { hits: [], more: false, tookMs: 0 }
      return
    }
    busy.value = true
    const answer = await client.request('library.search', {
      query: text,
      limit,
      ...(kinds && { kinds: [...kinds] }),
      ...narrowed,
    })
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
  watch([query, () => narrow?.()], again, { immediate: true })
  const off = client.onEvent((event) => {
    if (event.type === 'library.changed') again()
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    latest += 1
    off()
  })
  return { reply, failure, busy }
}
