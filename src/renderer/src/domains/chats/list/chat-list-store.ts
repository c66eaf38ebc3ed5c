import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Conversation } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { mapped, usePagedList, type Page } from '../../../kit/use-paged-list.ts'
import { useLibrary } from '../../library/index.ts'
import { anyChat, fitsChat, placeChat, type ChatFilter } from './order.ts'

/** Store of the chat list: pinned ones first, then newest first; grows by pages and events. */
export const useChats = defineStore('chats', () => {
  const client = useClient()
  const library = useLibrary()
  const total = ref(0)
  const filter = ref<ChatFilter>(anyChat)
  /** Failure of the user's last action. */
  const refusal = shallowRef<Failure | null>(null)

  const list = usePagedList<Conversation, string, Page<Conversation, string> & { total: number }>({
    pageSize: 60,
    maxReload: 200,
    async request({ cursor, limit }) {
      const { folderId, tag, who } = filter.value
      const reply = await client.request('chats.list', {
        bin: false,
        limit,
        ...(folderId !== '' && { folderId }),
        ...(tag !== '' && { tag }),
        ...(who !== '' && { who }),
        ...(cursor !== null && { cursor }),
      })
      return mapped(reply, ({ conversations, ...page }) => ({ rows: conversations, ...page }))
    },
    onPage: (page) => (total.value = page.total),
  })
  const { rows: chats, state, failure, load, more } = list
  const setFilter = (change: Partial<ChatFilter>): Promise<void> => {
    filter.value = { ...filter.value, ...change }
    return load()
  }

  const drop = (ids: readonly string[]): void => {
    const before = chats.value.length
    list.drop(ids)
    total.value -= before - chats.value.length
  }
  const put = (chat: Conversation): void => {
    if (state.value !== 'ready') return
    const known = chats.value.some(({ id }) => id === chat.id)
    const fits = fitsChat(chat, filter.value)
    if (known && !fits) return drop([chat.id])
    const before = chats.value.length
    chats.value = placeChat(chats.value, chat, { fits, whole: list.next.value === null })
    total.value += Math.max(0, chats.value.length - before)
  }

  const dataOrNull = <T>(reply: Reply<T>): T | null => {
    refusal.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }
  /** Pins, moves to a folder, or tags chats; null for unchanged fields. */
  const organise = async (
    ids: readonly string[],
    change: Omit<RequestOf<'chats.organise'>, 'ids'>,
  ): Promise<void> => {
    const changed = dataOrNull(await client.request('chats.organise', { ids: [...ids], ...change }))
    for (const chat of changed ?? []) put(chat)
  }
  const rename = async (id: string, title: string): Promise<void> => {
    const chat = chats.value.find((one) => one.id === id)
    if (title === '' || title === chat?.title) return
    if (chat) put({ ...chat, title })
    if (dataOrNull(await client.request('library.rename', { id, title })) === null && chat)
      put(chat)
  }
  /** Moves chats to Trash, with undo; returns false if it failed. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    drop(ids)
    const gone = await library.remove(ids)
    if (!gone) await load()
    return gone
  }

  client.onReopen(() => {
    if (state.value !== 'idle') void load()
  })
  client.onEvent((event) => {
    if (event.type === 'chat.changed') put(event.conversation)
    if (event.type === 'chat.removed') drop(event.ids)
  })
  const filtered = computed(() => Object.values(filter.value).some((value) => value !== ''))
  return {
    chats,
    total,
    filter,
    filtered,
    state,
    failure,
    refusal,
    load,
    more,
    setFilter,
    organise,
    rename,
    remove,
  }
})
