import { defaultAssistantId } from '../../../../../shared/provider/assistants.ts'
import type { Reply, Failure } from '../../../../../shared/contract/reply.ts'
import type { ChatDraft, ChatSettings, Conversation } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { questionOf } from '../../audio/index.ts'
import { type DocumentTransfer, fromQuery } from '../../documents/index.ts'
import { sendable } from '../../knowledge/index.ts'
import type { ChatPreferences } from '../settings/chat-settings-preferences.ts'
import { computed, shallowRef, watch } from 'vue'
import { useRoute } from 'vue-router'
import { useShell } from '../../../lib/app-store.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'
import { useChatPreferences } from '../settings/use-preferences.ts'
import { askAboutMeeting } from './chat-about-meeting.ts'
import { useDrafts } from './drafts.ts'

/**
 * Creates the chat for questions about a document: with the agent for the knowledge base that contains it, or with the plain
 * assistant and the document itself, attached to the draft.
 */
export async function chatAbout(
  client: Pick<Client, 'request'>,
  { documentId, pages, question, baseId, accountId }: DocumentTransfer,
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
    ...(accountId !== '' && { accountId }),
  })
  if (!made.ok) return made
  const title = about.data.title.slice(0, 300)
  const attachments =
    baseId === '' ? [{ kind: 'document' as const, itemId: documentId, title, pages }] : []
  return { ok: true, data: { chat: made.data, draft: { text: question, attachments } } }
}

/**
 * Creates and opens a chat about a document specified in the URL; asks a question about a meeting at once.
 */
export function useReceivedAttachments(open: (chat: Conversation) => Promise<unknown>) {
  const client = useClient()
  const route = useRoute()
  const shell = useShell()
  const drafts = useDrafts()
  const own = useChatPreferences()
  const failure = shallowRef<Failure | null>(null)

  watch(
    () => JSON.stringify(fromQuery(route.query)),
    async () => {
      const given = fromQuery(route.query)
      failure.value = null
      if (!given) return
      const reply = await chatAbout(client, given, own.preferences)
      if (!reply.ok) {
        failure.value = reply.error
        return
      }
      const { chat, draft } = reply.data
      drafts.set(chat.id, draft)
      await open(chat)
    },
    { immediate: true },
  )
  watch(
    () => JSON.stringify(questionOf(route.query)),
    async () => {
      const given = questionOf(route.query)
      if (!given) return
      const { chat, failure: why } = await askAboutMeeting(given, {
        client,
        preferences: own.preferences,
        storage: localStorage,
        accountId: shell.connection?.accountId,
        streamId: callerId(),
      })
      failure.value = why
      if (!chat) return
      if (chat.draft) drafts.set(chat.id, chat.draft)
      await open(chat)
    },
    { immediate: true },
  )
  return {
    failure,
    /** Whether the URL specifies something whose chat is not open yet. */
    opening: computed(
      () =>
        failure.value === null &&
        (fromQuery(route.query) !== null || questionOf(route.query) !== null),
    ),
  }
}
