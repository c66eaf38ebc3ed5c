import type { ParsedOf, ReplyOf } from '../../../../shared/contract/routes.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import type { ChatStore } from '../store/chats-types.ts'
import type { ChatsDeps } from './chat-service-types.ts'
import { dataOf } from '../../knowledge/index.ts'

/**
 * Fetches the locations of sources (service-notes 11) and saves them with the message. Throws NOT_FOUND and the errors
 * of the request.
 */
export async function fetchSlices(
  { store, accounts, api, clock }: Pick<ChatsDeps, 'store' | 'accounts' | 'api' | 'clock'>,
  { messageId, requestId, nodeId }: ParsedOf<'chats.slices'>,
): Promise<ChatMessage> {
  const message = store.chats.message(messageId)
  const conversation = message && store.chats.get(message.conversationId)
  if (!conversation) throw new AppError('NOT_FOUND', 'Message not found')
  const target = await accounts.target(conversation.accountId)
  const { raw, value } = await api.slices.positions(target, { askedId: requestId, nodeId }, {})
  const data = dataOf(raw.body) ?? value
  return store.chats.keepSlices(messageId, { requestId, nodeId, at: clock(), data })
}

/** Finds the document of the Library that corresponds to a document of the provider. */
export function locateDocument(
  chats: Pick<ChatStore, 'pushedFrom' | 'namedDocument'>,
  { documentId, name }: ParsedOf<'chats.locate'>,
): ReplyOf<'chats.locate'> {
  const pushed = documentId === '' ? undefined : chats.pushedFrom(documentId)
  if (pushed !== undefined) return { itemId: pushed, by: 'push' }
  const named = name.trim() === '' ? undefined : chats.namedDocument(name.trim())
  return named === undefined ? { itemId: null, by: null } : { itemId: named, by: 'name' }
}
