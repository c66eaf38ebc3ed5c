import { predefinedAssistants } from '../../../../../shared/provider/assistants.ts'
import type { ChatSettings } from '../../../../../shared/model/chat.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useAssistants } from './assistants.ts'

/** Returns names of responders: the agent, an assistant as named by the user's language or its list, or else its ID. */
export function useResponder() {
  const { t } = useTranslation()
  const assistants = useAssistants()
  /** Returns the name of `who` as in filters: `agent` or the ID of an assistant. */
  const nameOf = (who: string): string => {
    if (who === 'agent') return t('chatList.agent')
    const known = predefinedAssistants.find(({ id }) => id === who)
    if (known) return t(`chatList.assistants.${known.purpose}`)
    return assistants.listed.find(({ id }) => id === who)?.name ?? t('chatList.assistant')
  }
  const whoIs = (settings: ChatSettings): string =>
    nameOf(settings.kind === 'agent' ? 'agent' : settings.assistantId)
  return { nameOf, whoIs }
}
