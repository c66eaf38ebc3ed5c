import type { ChatsDeps } from '../service/chat-service-types.ts'
import type { Pages } from '../../../platform/bridge/events.ts'

/** Sends chat events to every page. */
export const chatEvents = (
  pages: Pages,
): Pick<ChatsDeps, 'onConversation' | 'onRemoved' | 'onMessage' | 'onLibrary'> => ({
  onConversation: (conversation) => pages.emit({ type: 'chat.changed', conversation }),
  onRemoved: (ids) => pages.emit({ type: 'chat.removed', ids }),
  onMessage: (message) => pages.emit({ type: 'chat.message', message }),
  onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
})
