import { computed, shallowRef, watch } from 'vue'
import type { ChatSettings } from '../../../../../shared/model/chat.ts'
import { useShell } from '../../../lib/app-store.ts'
import { useBases } from '../../knowledge/index.ts'
import { plainChoice } from '../settings/chat-settings-preferences.ts'
import { useChatPreferences } from '../settings/use-preferences.ts'

/** Assistant and knowledge bases of a new chat: at first those used last with the active account, as far as it still has them. */
export function useNewChatChoice() {
  const shell = useShell()
  const own = useChatPreferences()
  const bases = useBases()
  const accountId = computed(() => shell.connection?.accountId ?? '')
  const choice = shallowRef(plainChoice)
  watch(
    accountId,
    (id) => {
      choice.value = own.preferences.lastChoices[id] ?? plainChoice
      // A knowledge base may have been deleted since.
      if (choice.value.knowledgeIds.length > 0) void bases.refresh(id)
    },
    { immediate: true },
  )
  const knowledgeIds = computed(() => {
    const { known } = bases.of(accountId.value)
    const isCurrent = known !== null && known.failure === null
    return choice.value.knowledgeIds.filter(
      (id) => !isCurrent || known.bases.some((base) => base.id === id),
    )
  })
  const settings = computed((): ChatSettings =>
    knowledgeIds.value.length > 0
      ? { ...own.preferences.agent, knowledgeIds: knowledgeIds.value }
      : {
          kind: 'assistant',
          assistantId: choice.value.assistantId,
          ...own.preferences.assistant,
        },
  )
  return {
    knowledgeIds,
    settings,
    chooseBases(ids: readonly string[]): void {
      choice.value = { ...choice.value, knowledgeIds: ids }
    },
    /** Only an assistant answers without knowledge bases, so that they are no longer sources. */
    chooseAssistant(assistantId: string): void {
      choice.value = { assistantId, knowledgeIds: [] }
    },
    /** Uses the current choice for the next chat with this account, too. */
    remember: (): void => own.rememberChoice(accountId.value, settings.value),
  }
}
