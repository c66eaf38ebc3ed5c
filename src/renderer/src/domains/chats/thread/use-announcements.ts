import { onBeforeUnmount, ref, watch } from 'vue'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { createSpeaker } from './announcements.ts'

/** Text of the status region: announces events of the chat for screen readers. */
export function useAnnouncements(id: () => string | null, messages: () => readonly ChatMessage[]) {
  const { t, number, failure } = useTranslation()
  const sentence = ref('')
  const make = () =>
    createSpeaker(({ key, words, message }) => {
      const what = message.error ? failure(message.error).what : ''
      sentence.value = t(`chatAnnouncements.${key}`, { n: number(words), what }, words)
    })
  let speaker = make()

  watch(id, () => {
    speaker.stop()
    speaker = make()
    sentence.value = ''
  })
  watch(messages, (now) => now.length > 0 && speaker.see(now), { immediate: true })
  onBeforeUnmount(() => speaker.stop())
  return { sentence }
}
