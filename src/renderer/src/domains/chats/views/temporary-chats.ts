import { defineStore } from 'pinia'
import { ref } from 'vue'
import { useClient } from '../../../lib/bridge/use-client.ts'

/**
 * The open temporary chat, if any. It survives a visit to another part of Lectern, and is deleted permanently when
 * another chat is opened or started.
 */
export const useTemporaryChat = defineStore('temporary-chat', () => {
  const client = useClient()
  const id = ref('')

  const keep = (openId: string): void => {
    id.value = openId
  }
  /** Reports the open chat; a temporary one that is not open is deleted. */
  const leaveFor = async (openId: string): Promise<void> => {
    const left = id.value
    if (left === '' || left === openId) return
    id.value = ''
    await client.request('chats.end', { id: left })
  }
  client.onEvent((event) => {
    if (event.type === 'chat.removed' && event.ids.includes(id.value)) id.value = ''
  })
  return { id, keep, leaveFor }
})
