import type { RouteLocationRaw } from 'vue-router'
import type { MessageHit } from '../../../../../shared/model/chat.ts'

/** Returns the location of a result: its chat at the message, with the search query. */
export const messageLocation = (
  { conversationId, messageId }: Pick<MessageHit, 'conversationId' | 'messageId'>,
  query: string,
): RouteLocationRaw => ({
  name: 'chats',
  params: { id: conversationId },
  query: { at: messageId, q: query },
})
