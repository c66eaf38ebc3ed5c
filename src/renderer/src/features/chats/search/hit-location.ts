import type { RouteLocationRaw } from 'vue-router'
import type { MessageHit } from '../../../../../shared/model/chat.ts'

/** Where a hit opens: its conversation at the message, with the words that were searched for. */
export const messageLocation = (
  { conversationId, messageId }: Pick<MessageHit, 'conversationId' | 'messageId'>,
  query: string,
): RouteLocationRaw => ({
  name: 'chats',
  params: { id: conversationId },
  query: { at: messageId, q: query },
})
