import { defaultAssistantId } from '../../../../../shared/provider/assistants.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Conversation } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import type { MeetingQuestion } from '../../audio/index.ts'
import { sendable } from '../../knowledge/index.ts'
import type { ChatPreferences } from '../settings/chat-settings-preferences.ts'

/** Name in the storage of the page for the chats about meetings, and the number of them that are remembered. */
const chatsName = 'lectern-meeting-chats'
const maxChats = 200

type PageStorage = Pick<Storage, 'getItem' | 'setItem'>

function chatsIn(storage: PageStorage): ReadonlyMap<string, string> {
  try {
    const saved: unknown = JSON.parse(storage.getItem(chatsName) ?? '[]')
    return new Map(Array.isArray(saved) ? (saved as [string, string][]) : [])
  } catch {
    return new Map()
  }
}

function rememberChat(storage: PageStorage, meetingId: string, chatId: string): void {
  const others = [...chatsIn(storage)].filter(([id]) => id !== meetingId)
  try {
    storage.setItem(chatsName, JSON.stringify([...others, [meetingId, chatId]].slice(-maxChats)))
  } catch {
    // The next question starts another chat.
  }
}

/** Dependencies of a question about a meeting. */
interface AskingDeps {
  readonly client: Pick<Client, 'request'>
  readonly preferences: Pick<ChatPreferences, 'assistant'>
  readonly storage: PageStorage
  /** The active account: a chat of another one is not continued. */
  readonly accountId: string | undefined
  readonly streamId: string
}

/**
 * Asks a question about a meeting in the chat about it, or in a new one. A rejected question remains as a draft, with the
 * error.
 */
export async function askAboutMeeting(
  { meetingId, question: text }: MeetingQuestion,
  { client, preferences, storage, accountId, streamId }: AskingDeps,
): Promise<{ readonly chat: Conversation | null; readonly failure: Failure | null }> {
  const about = await client.request('library.summary', { id: meetingId })
  if (!about.ok) return { chat: null, failure: about.error }
  const knownId = chatsIn(storage).get(meetingId)
  const known = knownId === undefined ? null : await client.request('chats.get', { id: knownId })
  const isOpen =
    known?.ok === true && known.data.deletedAt === null && known.data.accountId === accountId
  const chat = isOpen
    ? known
    : await client.request('chats.create', {
        settings: sendable({
          ...preferences.assistant,
          kind: 'assistant',
          assistantId: defaultAssistantId,
        }),
        temporary: false,
      })
  if (!chat.ok) return { chat: null, failure: chat.error }
  const { id } = chat.data
  rememberChat(storage, meetingId, id)
  const name = about.data.title.slice(0, 300)
  // Sent each time: the transcript may have changed, and this computer reads only the question itself.
  const question = {
    text,
    attachments: [{ kind: 'meeting' as const, itemId: meetingId, name }],
  }
  const asked = await client.request('chats.ask', { id, ...question, waits: false, streamId })
  if (asked.ok) return { chat: asked.data.conversation, failure: null }
  await client.request('chats.draft', { id, draft: question })
  return { chat: chat.data, failure: asked.error }
}
