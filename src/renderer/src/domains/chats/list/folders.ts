import { defineStore } from 'pinia'
import { onScopeDispose, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChatFolder } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'

/** Milliseconds without changes before the folders are counted again. */
const quietMs = 150
/** Maximum number of chats that are moved back when the removal of a folder is undone. */
const maxRestored = 5000

/** Store of the chat folders, by name, with their counts. */
export const useChatFolders = defineStore('chat-folders', () => {
  const client = useClient()
  const toasts = useToasts()
  const folders = shallowRef<readonly ChatFolder[]>([])
  const failure = shallowRef<Failure | null>(null)
  let requested = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const load = async (): Promise<void> => {
    requested = true
    const reply = await client.request('chats.folders', {})
    if (reply.ok) folders.value = reply.data
    failure.value = reply.ok ? null : reply.error
  }
  const nameOf = (id: string | null): string =>
    folders.value.find((folder) => folder.id === id)?.name ?? ''
  /** Creates or renames a folder; null if it failed. */
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
  /** Returns the IDs of all chats in a folder, for undo. */
  const contents = async (id: string): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let cursor: string | null | undefined; cursor !== null && ids.length < maxRestored;) {
      const reply = await client.request('chats.list', {
        bin: false,
        folderId: id,
        limit: 200,
        ...(cursor !== undefined && { cursor }),
      })
      if (!reply.ok) return ids
      ids.push(...reply.data.conversations.map((chat) => chat.id))
      cursor = reply.data.next
    }
    return ids
  }
  const restoreFolder = async (name: string, ids: readonly string[]): Promise<void> => {
    const folder = await save(name)
    for (let at = 0; folder && at < ids.length; at += 500)
      await client.request('chats.organise', {
        ids: ids.slice(at, at + 500),
        folderId: folder.id,
      })
    await load()
  }
  /** Removes a folder; its chats stay, in no folder. A toast offers undo. Returns false if it failed. */
  const remove = async (id: string): Promise<boolean> => {
    const name = nameOf(id)
    const ids = await contents(id)
    const reply = await client.request('chats.removeFolder', { id })
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return false
    toasts.show('chatList.folderRemoved', {
      values: { name },
      action: { key: 'app.undo', run: () => void restoreFolder(name, ids) },
    })
    await load()
    return true
  }

  /** Folder of each chat in its last event. */
  const places = new Map<string, string | null>()
  const again = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void load(), quietMs)
  }
  const off = client.onEvent((event) => {
    if (!requested) return
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
