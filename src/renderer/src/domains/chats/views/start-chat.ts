import type { Failure } from '../../../../../shared/contract/reply.ts'
import type {
  ChatAttachment,
  ChatSettings,
  Conversation,
} from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { sendable } from '../../knowledge/index.ts'

/** A chat to start: its settings, and optionally the first question. */
export interface ChatStart {
  /** The chat that saved the question until now; otherwise one is created. */
  readonly chat?: Conversation | null | undefined
  readonly settings: ChatSettings
  readonly text?: string | undefined
  readonly attachments?: readonly ChatAttachment[] | undefined
  /** Whether the question waits for the network. */
  readonly waits?: boolean | undefined
  readonly temporary?: boolean | undefined
  readonly folderId?: string | undefined
}

/** Creates a chat and asks its first question. A rejected question remains as a draft, with the error. */
export async function startChat(
  client: Pick<Client, 'request'>,
  {
    chat,
    settings,
    text = '',
    attachments = [],
    waits = false,
    temporary = false,
    folderId,
  }: ChatStart,
  streamId: string,
): Promise<{ readonly chat: Conversation | null; readonly failure: Failure | null }> {
  const made = chat
    ? await client.request('chats.configure', { id: chat.id, settings: sendable(settings) })
    : await client.request('chats.create', {
        settings: sendable(settings),
        temporary,
        ...(folderId !== undefined && { folderId }),
      })
  if (!made.ok) return { chat: null, failure: made.error }
  const question = { text, attachments: [...attachments] }
  if (text.trim() === '' && attachments.length === 0) return { chat: made.data, failure: null }
  const { id } = made.data
  const reply = await client.request('chats.ask', { id, ...question, waits, streamId })
  if (reply.ok) return { chat: reply.data.conversation, failure: null }
  await client.request('chats.draft', { id, draft: question })
  return { chat: made.data, failure: reply.error }
}
