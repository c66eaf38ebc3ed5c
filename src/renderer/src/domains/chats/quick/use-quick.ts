import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChatAttachment, ChatSettings } from '../../../../../shared/model/chat.ts'
import { defaultAssistantId } from '../../../../../shared/provider/assistants.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { sendable } from '../../knowledge/index.ts'
import { useChatPreferences } from '../settings/use-preferences.ts'
import { useThread } from '../thread/thread-store.ts'

/** A question from the composer. */
export interface QuickQuestion {
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
  readonly waits: boolean
}

/**
 * The single chat of the quick window: created with its first question and continued until a new one is started.
 */
export function useQuick() {
  const client = useClient()
  const thread = useThread()
  const own = useChatPreferences()
  const failure = shallowRef<Failure | null>(null)
  const sending = ref(false)
  /** Question that was sent but not confirmed yet. */
  const pending = ref('')
  /** Whether the agent is available, which requires selected knowledge bases. */
  const mayAgent = computed(() => own.preferences.agent.knowledgeIds.length > 0)
  const asksAgent = ref(false)
  const settings = computed<ChatSettings>(() => {
    if (asksAgent.value && mayAgent.value) return own.preferences.agent
    return { kind: 'assistant', assistantId: defaultAssistantId, ...own.preferences.assistant }
  })
  const answer = computed(
    () => thread.messages.findLast(({ role }) => role === 'assistant') ?? null,
  )
  const question = computed(() => thread.messages.findLast(({ role }) => role === 'user') ?? null)

  const begin = (): void => {
    failure.value = null
    thread.close()
  }
  /** Sends a question; returns false when it was rejected: its text must then remain in the field. */
  const ask = async ({ text, attachments, waits }: QuickQuestion): Promise<boolean> => {
    if (sending.value) return false
    sending.value = true
    pending.value = text
    failure.value = null
    try {
      if (thread.id === null) {
        const made = await client.request('chats.create', { settings: sendable(settings.value) })
        if (!made.ok) {
          failure.value = made.error
          return false
        }
        await thread.open(made.data.id)
      }
      return (await thread.ask(text, attachments, waits)) !== null
    } finally {
      sending.value = false
      pending.value = ''
    }
  }
  return { thread, failure, settings, mayAgent, asksAgent, question, answer, pending, begin, ask }
}
