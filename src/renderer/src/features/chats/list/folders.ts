import { defineStore } from 'pinia'
import { onScopeDispose, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/bridge/reply.ts'
import type { ChatFolder } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../api/use-client.ts'

/** Quiet milliseconds before the folders are counted again. */
const quietMs = 150

/** Folders of conversations, by name, with how many each holds. */
export const useChatFolders = defineStore('chat-folders', () => {
  const client = useClient()
  const folders = shallowRef<readonly ChatFolder[]>([])
  const failure = shallowRef<Failure | null>(null)
  let asked = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const load = async (): Promise<void> => {
    asked = true
    const reply = await client.request('chats.folders', {})
    if (reply.ok) folders.value = reply.data
    failure.value = reply.ok ? null : reply.error
  }
  /** Makes a folder, or renames one; null when it could not be done. */
  const save = async (name: string, id?: string): Promise<ChatFolder | null> => {
    const reply = await client.request('chats.saveFolder', {
      name,
      ...(id !== undefined && { id }),
    })
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return null
    await load()
    return reply.data
  }
  /** Its conversations stay, in no folder. */
  const remove = async (id: string): Promise<boolean> => {
    const reply = await client.request('chats.removeFolder', { id })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) await load()
    return reply.ok
  }
  const nameOf = (id: string | null): string =>
    folders.value.find((folder) => folder.id === id)?.name ?? ''

  /** Where each conversation lay when it was last told of. */
  const places = new Map<string, string | null>()
  const again = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void load(), quietMs)
  }
  const off = client.onEvent((event) => {
    if (!asked) return
    if (event.type === 'chat.removed') again()
    if (event.type !== 'chat.changed') return
    const { id, folderId, deletedAt, temporary } = event.conversation
    const place = deletedAt === null && !temporary ? folderId : null
    if (places.has(id) ? places.get(id) !== place : place !== null) again()
    places.set(id, place)
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    off()
  })
  return { folders, failure, load, save, remove, nameOf }
})
