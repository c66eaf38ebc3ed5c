import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ReplyOf } from '../../../../../shared/contract/routes.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { messageQuery, type MessageFilter } from './filter.ts'

/** Milliseconds without typing before a query is sent. */
const quietMs = 90
const pageSize = 20
/** Maximum number of results of one request. */
const maxHits = 100

/** Search in all chats while the user types: only the response to the latest query is shown. */
export function useMessageSearch(query: Ref<string>, filter: Ref<MessageFilter>) {
  const client = useClient()
  const reply = shallowRef<ReplyOf<'chats.search'> | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  const limit = ref(pageSize)
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const ask = async (): Promise<void> => {
    const turn = ++latest
    busy.value = true
    const answer = await client.request(
      'chats.search',
      messageQuery(query.value.trim(), filter.value, { now: Date.now(), limit: limit.value }),
    )
    if (turn !== latest) return
    busy.value = false
    reply.value = answer.ok ? answer.data : null
    failure.value = answer.ok ? null : answer.error
  }
  const again = (): void => {
    clearTimeout(timer)
    if (query.value.trim() !== '') {
      timer = setTimeout(() => void ask(), quietMs)
      return
    }
    latest += 1
    busy.value = false
    reply.value = null
    failure.value = null
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
    latest += 1
    off()
  })
  /** Whether more results can be loaded. */
  const canGrow = computed(() => reply.value?.more === true && limit.value < maxHits)
  const grow = async (): Promise<void> => {
    limit.value = maxHits
    await ask()
  }
  return { reply, failure, busy, canGrow, grow, retry: ask }
}
