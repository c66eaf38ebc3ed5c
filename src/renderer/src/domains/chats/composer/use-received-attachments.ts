import { shallowRef, watch } from 'vue'
import { useRoute } from 'vue-router'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Conversation } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { fromQuery } from '../../documents/index.ts'
import { useChatPreferences } from '../settings/use-preferences.ts'
import { useDrafts } from './drafts.ts'
import { chatAbout } from './chat-about-document.ts'

/** Creates and opens a chat about a document specified in the URL, with the question as its draft. */
export function useReceivedAttachments(open: (chat: Conversation) => Promise<unknown>) {
  const client = useClient()
  const route = useRoute()
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
  return { failure }
}
