import { defineStore } from 'pinia'
import { ref } from 'vue'
import { useClient } from '../../../api/use-client.ts'

/**
 * The temporary conversation that is open, if any. It outlives a look into another part of Lectern, and goes for good when another
 * conversation is opened or begun.
 */
export const useTemporaryChat = defineStore('temporary-chat', () => {
  const client = useClient()
  const id = ref('')

  const keep = (openId: string): void => {
    id.value = openId
  }
  /** What is opened now; a temporary one that it is not goes. */
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
