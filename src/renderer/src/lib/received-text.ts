import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useRouter } from 'vue-router'
import { useTranslation } from '../i18n/use-translation.ts'

/** A text from elsewhere to be narrated, until the page for new texts accepts it. */
export const useReceivedText = defineStore('handed-text', () => {
  const handed = shallowRef<{ readonly text: string; readonly title: string } | null>(null)
  return {
    handed,
    /** Returns it to the first caller. */
    take() {
      const taken = handed.value
      handed.value = null
      return taken
    },
  }
})

/** Opens Speak with Markdown as speakable text; `title` is the name of its source. Nothing is sent before the user confirms. */
export function useReadAloud(): (markdown: string, title: string) => Promise<void> {
  const store = useReceivedText()
  const router = useRouter()
  const { t } = useTranslation()
  return async (markdown, title) => {
    const { speakable } = await import('./markdown/speakable.ts')
    const words = { code: t('speech.codeLeftOut'), formula: t('speech.formulaLeftOut') }
    store.handed = { text: speakable(markdown, words), title: title.slice(0, 300) }
    await router.push('/voices/speak')
  }
}
