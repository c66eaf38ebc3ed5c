import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { useClient } from '../../../api/use-client.ts'

/** Conversations that one archive holds at most. */
const maxAtOnce = 200

/** What of conversations is given out now: the dialog for some of them, the print view of one, the token use of one. */
export const useChatExport = defineStore('chat-outside', () => {
  const client = useClient()
  const exporting = shallowRef<readonly string[]>([])
  const printing = ref<{ readonly id: string; readonly steps: boolean } | null>(null)
  const usage = ref<string | null>(null)

  const close = (): void => {
    exporting.value = []
    printing.value = null
    usage.value = null
  }
  /** Asks how these conversations are to be written; several come as an archive. */
  const askExport = (ids: readonly string[]): void => {
    close()
    exporting.value = ids
  }
  /** The same for the newest of a folder, as many as an archive holds. */
  const exportFolder = async (folderId: string): Promise<void> => {
    const reply = await client.request('chats.list', { folderId, limit: maxAtOnce })
    if (reply.ok) askExport(reply.data.conversations.map(({ id }) => id))
  }
  /** Opens the whole of a conversation as it is printed. */
  const print = (id: string, steps = false): void => {
    close()
    printing.value = { id, steps }
  }
  const showUsage = (id: string): void => {
    close()
    usage.value = id
  }
  return { exporting, printing, usage, askExport, exportFolder, print, showUsage, close }
})
