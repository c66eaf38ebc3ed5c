import { computed, onScopeDispose, ref, watch, type Ref } from 'vue'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useLatest } from '../../../kit/use-latest.ts'
import { messageQuery, type MessageFilter } from './filter.ts'

/** Milliseconds without typing before a query is sent. */
const quietMs = 90
const pageSize = 20
/** Maximum number of results of one request. */
const maxHits = 100

/** Search in all chats while the user types: only the response to the latest query is shown. */
export function useMessageSearch(query: Ref<string>, filter: Ref<MessageFilter>) {
  const client = useClient()
  const limit = ref(pageSize)
  let timer: ReturnType<typeof setTimeout> | undefined
  const {
    data: reply,
    failure,
    busy,
    load,
    clear,
  } = useLatest(() =>
    client.request(
      'chats.search',
      messageQuery(query.value.trim(), filter.value, { now: Date.now(), limit: limit.value }),
    ),
  )
  const again = (): void => {
    clearTimeout(timer)
    if (query.value.trim() === '') clear()
    else timer = setTimeout(() => void load(), quietMs)
  }
  watch(
    [query, filter],
    () => {
      limit.value = pageSize
      again()
    },
    { immediate: true },
  )
  const off = client.onEvent((event) => {
    // Results may have been deleted, or there may be new ones.
    const ended = event.type === 'chat.message' && event.message.state !== 'running'
    if (ended || event.type === 'chat.removed' || event.type === 'library.changed') again()
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    off()
  })
  /** Whether more results can be loaded. */
  const canGrow = computed(() => reply.value?.more === true && limit.value < maxHits)
  const grow = async (): Promise<void> => {
    limit.value = maxHits
    await load()
  }
  return { reply, failure, busy, canGrow, grow, retry: load }
}
