import { computed } from 'vue'
import { useWords } from '../../../i18n/use-words.ts'
import { chatCommands } from './slash.ts'

/** The composer's commands in the reader's language. */
export function useCommandWords() {
  const { t } = useWords()
  return computed(() =>
    chatCommands.map((command) => ({ command, label: t(`compose.commands.${command}`) })),
  )
}
