import { defaultAssistantId } from '../../../../../shared/provider/assistants.ts'
import type { Reply } from '../../../../../shared/contract/reply.ts'
import type { ChatDraft, ChatSettings, Conversation } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import type { DocumentTransfer } from '../../documents/index.ts'
import { sendable } from '../../knowledge/index.ts'
import type { ChatPreferences } from '../settings/chat-settings-preferences.ts'

/**
 * Creates the chat for questions about a document: with the agent for the knowledge base that contains it, or with the plain
 * assistant and the document itself. The question is the draft, for review.
 */
export async function chatAbout(
  client: Pick<Client, 'request'>,
  { documentId, pages, question, baseId }: DocumentTransfer,
  preferences: Pick<ChatPreferences, 'agent' | 'assistant'>,
): Promise<Reply<{ readonly chat: Conversation; readonly draft: ChatDraft }>> {
  const about = await client.request('library.summary', { id: documentId })
  if (!about.ok) return about
  const settings: ChatSettings =
    baseId === ''
      ? { ...preferences.assistant, kind: 'assistant', assistantId: defaultAssistantId }
      : { ...preferences.agent, knowledgeIds: [baseId] }
  const made = await client.request('chats.create', {
    settings: sendable(settings),
    temporary: false,
  })
  if (!made.ok) return made
  const title = about.data.title.slice(0, 300)
  const attachments =
    baseId === '' ? [{ kind: 'document' as const, itemId: documentId, title, pages }] : []
  return { ok: true, data: { chat: made.data, draft: { text: question, attachments } } }
}
