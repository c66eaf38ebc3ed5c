import { computed } from 'vue'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { chatCommands } from './slash.ts'

/** Returns the composer's commands in the user's language. */
export function useCommandLabels() {
  const { t } = useTranslation()
  return computed(() =>
    chatCommands.map((command) => ({ command, label: t(`compose.commands.${command}`) })),
  )
}
