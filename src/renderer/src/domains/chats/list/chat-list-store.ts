import { defineStore } from 'pinia'
import { computed, reactive, ref } from 'vue'
import type { Conversation } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { mapped, usePagedList } from '../../../kit/use-paged-list.ts'
import { createSection, useLibrary, type ListQuery } from '../../library/index.ts'
import { fitsChat, placeChat } from './order.ts'

/** Creates a list of chats with a filter: starred ones first, then newest first; grows by pages and events. */
function createChatList(client: Client, query: () => ListQuery, who: () => string) {
  const list = usePagedList<Conversation, string>({
    pageSize: 60,
    maxReload: 200,
    async request({ cursor, limit }) {
      const reply = await client.request('chats.list', {
        bin: false,
        limit,
        ...query(),
        ...(who() !== '' && { who: who() }),
        ...(cursor !== null && { cursor }),
      })
      return mapped(reply, ({ conversations: rows, next }) => ({ rows, next }))
    },
  })
  const { rows: items, state, failure, load, more, drop } = list
  const put = (chat: Conversation): void => {
    if (state.value !== 'ready') return
    items.value = placeChat(items.value, chat, {
      fits: fitsChat(chat, query(), who()),
      whole: list.next.value === null,
    })
  }
  const whole = computed(() => list.next.value === null)
  return reactive({ items, state, failure, whole, load, more, drop, put })
}

/** Store of the chat list. */
export const useChats = defineStore('chats', () => {
  const client = useClient()
  const library = useLibrary()
  /** Who answers: `agent` or the ID of an assistant; empty for any. */
  const who = ref('')
  /** Folder of the next new chat; empty for none. */
  const newFolderId = ref('')
  type ChatList = ReturnType<typeof createChatList>
  const lists = new Set<ChatList>()
  const section = createSection<Conversation, ChatList>(client, 'conversation', {
    create(query) {
      const list = createChatList(client, query, () => who.value)
      lists.add(list)
      return list
    },
    end: (list) => void lists.delete(list),
  })

  const put = (chat: Conversation): void => {
    for (const list of lists) list.put(chat)
  }
  const setWho = async (next: string): Promise<void> => {
    who.value = next
    await Promise.all([
      section.setFlat(next !== ''),
      ...[...section.open.values()].map((list) => list.load()),
    ])
  }
  const rename = async (id: string, title: string): Promise<void> => {
    const chat = section.items.find((one) => one.id === id)
    if (title === '' || title === chat?.title) return
    if (chat) put({ ...chat, title })
    const reply = await client.request('library.rename', { id, title })
    section.fail(reply.ok ? null : reply.error)
    if (!reply.ok && chat) put(chat)
  }
  /** Moves chats to Trash, with undo; returns false if it failed. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    for (const list of lists) list.drop(ids)
    const gone = await library.remove(ids)
    if (!gone) await section.load()
    return gone
  }

  client.onEvent((event) => {
    if (event.type === 'chat.changed') put(event.conversation)
    if (event.type === 'chat.removed') for (const list of lists) list.drop(event.ids)
    // Any may have changed.
    if (event.type === 'library.changed' && event.itemIds.length === 0)
      for (const list of lists) if (list.state !== 'idle') void list.load()
  })
  return { section, who, newFolderId, setWho, rename, remove }
})
