import { onBeforeUnmount, ref, watch } from 'vue'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { useWords } from '../../../i18n/use-words.ts'
import { createSpeaker } from './spoken.ts'

/** The sentence of the status region: what happens in the conversation, for who listens. */
export function useSpoken(id: () => string | null, messages: () => readonly ChatMessage[]) {
  const { t, number, failure } = useWords()
  const sentence = ref('')
  const make = () =>
    createSpeaker(({ key, words, message }) => {
      const what = message.error ? failure(message.error).what : ''
      sentence.value = t(`chatSpoken.${key}`, { n: number(words), what }, words)
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
