import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ListedAssistant } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Store of the active account's assistants as last listed, for the names of responders. */
export const useAssistants = defineStore('chat-assistants', () => {
  const client = useClient()
  const listed = shallowRef<readonly ListedAssistant[]>([])
  let requested = false

  const load = async (): Promise<void> => {
    requested = true
    const reply = await client.request('chats.assistants', {})
    if (reply.ok) listed.value = reply.data.assistants
  }
  client.onEvent((event) => {
    if (requested && event.type === 'accounts.changed') void load()
  })
  return { listed, load }
})
