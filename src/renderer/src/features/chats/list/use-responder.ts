import { predefinedAssistants } from '../../../../../shared/service/assistants.ts'
import type { ChatSettings } from '../../../../../shared/model/chat.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useAssistants } from './assistants.ts'

/** Gives the name of who answers: the agent, an assistant as the reader's language or its list calls it, else its id. */
export function useResponder() {
  const { t } = useTranslation()
  const assistants = useAssistants()
  /** `who` as filters name it: `agent` or the id of an assistant. */
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
