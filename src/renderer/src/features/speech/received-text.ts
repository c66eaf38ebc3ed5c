import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useRouter } from 'vue-router'
import { useTranslation } from '../../i18n/use-translation.ts'

/** A text from elsewhere that is to be spoken, until the page for new texts takes it. */
export const useReceivedText = defineStore('handed-text', () => {
  const handed = shallowRef<{ readonly text: string; readonly title: string } | null>(null)
  return {
    handed,
    /** Gives it to whoever asks first. */
    take() {
      const taken = handed.value
      handed.value = null
      return taken
    },
  }
})

/** Opens Speak with Markdown in it as a voice reads it; `title` is what it comes from. Nothing is sent before the reader says so. */
export function useReadAloud(): (markdown: string, title: string) => Promise<void> {
  const store = useReceivedText()
  const router = useRouter()
  const { t } = useTranslation()
  return async (markdown, title) => {
    const { speakable } = await import('../../markdown/speakable.ts')
    const words = { code: t('speech.codeLeftOut'), formula: t('speech.formulaLeftOut') }
    store.handed = { text: speakable(markdown, words), title: title.slice(0, 300) }
    await router.push('/voices/speak')
  }
}
