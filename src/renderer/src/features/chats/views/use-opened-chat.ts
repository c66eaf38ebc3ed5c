import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../../shared/bridge/reply.ts'
import type { Conversation } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../api/use-client.ts'

/** The conversation that the address names, as it is now; null while it is asked for, and when there is none. */
export function useOpenedChat(id: Readonly<Ref<string>>) {
  const client = useClient()
  const chat = shallowRef<Conversation | null>(null)
  const failure = shallowRef<Failure | null>(null)

  const load = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === '') return
    const reply = await client.request('chats.get', { id: requestedId })
    if (id.value !== requestedId) return
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) chat.value = reply.data
  }
  watch(
    id,
    (now) => {
      failure.value = null
      if (chat.value?.id === now) return
      chat.value = null
      void load()
    },
    { immediate: true },
  )
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type === 'chat.changed' && event.conversation.id === id.value)
        chat.value = event.conversation
      if (event.type === 'chat.removed' && event.ids.includes(id.value)) {
        chat.value = null
        void load()
      }
    }),
  )
  /** Takes a conversation that was just made, so that it is not asked for again. */
  const take = (made: Conversation): void => {
    chat.value = made
  }
  return { chat, failure, load, take }
}
