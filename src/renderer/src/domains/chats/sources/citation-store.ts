import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { sourceCount, sourcesOf } from '../../../../../shared/chats/sources.ts'
import type { Source } from '../../../../../shared/chats/sources.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Source shown next to a chat: its message and its number. */
export const useSources = defineStore('chat-sources', () => {
  const client = useClient()
  const message = shallowRef<ChatMessage | null>(null)
  const number = ref<number | null>(null)
  /** Index of the clicked citation among those with this number, from 0; null for none. */
  const mark = ref<number | null>(null)
  watch(number, () => (mark.value = null), { flush: 'sync' })
  const fetching = ref(false)
  const failure = shallowRef<Failure | null>(null)

  const sources = computed<readonly Source[]>(() => (message.value ? sourcesOf(message.value) : []))
  /** Null while none is selected, and for a number that no source has. */
  const current = computed(
    () => sources.value.find((source) => source.number === number.value) ?? null,
  )

  /** Number of cited sources; of all retrieved ones when none is cited. */
  const count = computed(() => sourceCount(sources.value, message.value?.text ?? ''))

  /** Opens a source of a message, at the words before its `nth` citation; null shows all sources. */
  const open = (of: ChatMessage, n: number | null = null, nth: number | null = null): void => {
    if (message.value?.id !== of.id) failure.value = null
    message.value = of
    number.value = n
    mark.value = nth
  }
  const close = (): void => {
    message.value = null
    number.value = null
    failure.value = null
  }
  /** Shows the source before (-1) or after (1) the current one. */
  const step = (by: 1 | -1): void => {
    const at = sources.value.findIndex((source) => source.number === number.value)
    const next = sources.value[at + by]
    if (next) number.value = next.number
  }
  /**
   * Fetches citation positions by two IDs of the provider (service-notes 11) and saves them with the message. Returns
   * whether that succeeded.
   */
  const fetchSlices = async (requestId: string, nodeId: string): Promise<boolean> => {
    const of = message.value
    if (!of || fetching.value) return false
    fetching.value = true
    const before = new Set(sources.value.map(({ ref: named }) => named))
    const reply = await client.request('chats.slices', { messageId: of.id, requestId, nodeId })
    fetching.value = false
    if (message.value?.id !== of.id) return reply.ok
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return false
    message.value = reply.data
    // Opens the first new source, unless one is open.
    if (number.value === null)
      number.value = sources.value.find((source) => !before.has(source.ref))?.number ?? null
    return true
  }

  client.onEvent((event) => {
    if (event.type === 'chat.message' && event.message.id === message.value?.id)
      message.value = event.message
    if (event.type === 'chat.removed' && event.ids.includes(message.value?.conversationId ?? ''))
      close()
  })
  return {
    message,
    number,
    mark,
    sources,
    count,
    current,
    fetching,
    failure,
    open,
    close,
    step,
    fetchSlices,
  }
})
