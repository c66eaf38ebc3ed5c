import { shallowRef } from 'vue'
import type { ChatPrompt } from '../../../../../shared/model/chat.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { filled, openNames } from '../prompts/variables.ts'

/** Inserts a prompt: immediately if it has no variables, otherwise once they are filled in. */
export function usePromptUse(put: (text: string) => Promise<void>) {
  const { language } = useTranslation()
  /** Prompt whose variables are being filled in. */
  const filling = shallowRef<ChatPrompt | null>(null)
  const today = (): string =>
    new Date().toLocaleDateString(language.value, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
    })

  const use = async (prompt: ChatPrompt): Promise<void> => {
    if (openNames(prompt.text).length > 0) filling.value = prompt
    else await put(filled(prompt.text, new Map(), today()))
  }
  const fillIn = async (values: ReadonlyMap<string, string>): Promise<void> => {
    if (filling.value) await put(filled(filling.value.text, values, today()))
  }
  return { filling, use, fillIn }
}
