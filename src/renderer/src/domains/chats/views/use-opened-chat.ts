import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Conversation } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** The chat of the current route; null while it is loading, and when it does not exist. */
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
  /** Uses a chat that was just created, so that it is not requested again. */
  const take = (made: Conversation): void => {
    chat.value = made
  }
  return { chat, failure, load, take }
}
