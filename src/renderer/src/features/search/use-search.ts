import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { ItemKind, SearchReply } from '../../../../shared/model/library.ts'
import { useClient } from '../../api/use-client.ts'

/** Milliseconds of quiet typing before a query is sent. */
const quietMs = 70

/** Full-text search as one types: asks when typing pauses, shows only the answer to the latest question. `kinds`: of these alone. */
export function useSearch(
  query: Ref<string>,
  { limit = 50, kinds }: { readonly limit?: number; readonly kinds?: readonly ItemKind[] } = {},
) {
  const client = useClient()
  const reply = shallowRef<SearchReply | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const ask = async (text: string): Promise<void> => {
    const turn = ++latest
    busy.value = true
    const answer = await client.request('library.search', {
      query: text,
      limit,
      ...(kinds && { kinds: [...kinds] }),
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
  watch(query, again, { immediate: true })
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
