import { computed, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChatSettings, Conversation } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { sameSettings, sendable } from '../../knowledge/index.ts'

/** Settings that were sent to the main process but may not be confirmed yet. */
interface PendingSettings {
  readonly settings: ChatSettings
  readonly accountId: string
}

/** Changes the settings of a chat: shown and saved immediately, restored when the change is rejected. */
export function useConfigure(conversation: () => Conversation) {
  const client = useClient()
  const wanted = shallowRef<PendingSettings | null>(null)
  const failure = shallowRef<Failure | null>(null)
  let flying = 0

  const reported = (): PendingSettings => {
    const { settings, accountId } = conversation()
    return { settings, accountId }
  }
  const shown = computed(() => wanted.value ?? reported())
  const isApplied = ({ settings, accountId }: PendingSettings): boolean =>
    accountId === reported().accountId && sameSettings(settings, reported().settings)

  const configure = async (change: Partial<PendingSettings>): Promise<void> => {
    const { id } = conversation()
    const next = { ...shown.value, ...change }
    wanted.value = next
    flying += 1
    const reply = await client.request('chats.configure', {
      id,
      settings: sendable(next.settings),
      accountId: next.accountId,
    })
    flying -= 1
    if (conversation().id !== id) return
    failure.value = reply.ok ? null : reply.error
    if (wanted.value === next && (!reply.ok || isApplied(next))) wanted.value = null
  }
  watch(
    () => conversation().id,
    () => {
      wanted.value = null
      failure.value = null
    },
  )
  watch(
    () => [conversation().settings, conversation().accountId],
    () => {
      if (flying === 0) wanted.value = null
    },
  )
  return { shown, failure, configure }
}
