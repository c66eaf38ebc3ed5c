import { defineStore } from 'pinia'
import { onScopeDispose, shallowRef } from 'vue'
import type { ChatFacets } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { responderOf } from './order.ts'

/** Milliseconds without changes before the facets are reloaded. */
const quietMs = 200

/** Store of the responders of all chats, by which they can be filtered. */
export const useChatFacets = defineStore('chat-facets', () => {
  const client = useClient()
  const facets = shallowRef<ChatFacets>({ whos: [] })
  let requested = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const load = async (): Promise<void> => {
    requested = true
    const reply = await client.request('chats.facets', {})
    if (reply.ok) facets.value = reply.data
  }
  const again = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void load(), quietMs)
  }
  /** Responder of each chat in its last event. */
  const seen = new Map<string, string>()
  const off = client.onEvent((event) => {
    if (!requested) return
    if (event.type === 'chat.removed') again()
    if (event.type !== 'chat.changed' || event.conversation.temporary) return
    const { conversation: chat } = event
    const now = `${responderOf(chat)} ${chat.deletedAt !== null}`
    const known = facets.value.whos.includes(responderOf(chat))
    const before = seen.get(chat.id)
    if (before === undefined ? !known || chat.deletedAt !== null : before !== now) again()
    seen.set(chat.id, now)
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    off()
  })
  return { facets, load }
})
