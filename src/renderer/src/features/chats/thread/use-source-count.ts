import { ref, watch } from 'vue'
import { sourcesOf } from '../../../../../shared/chat/sources.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'

/** How far the sources of an answer are numbered; counted when a step brought something, not with every word. */
export function useSourceCount(message: () => ChatMessage) {
  const count = ref(0)
  const settled = (): string =>
    message()
      .steps.map((step) => (step.kind !== 'unknown' && step.endedAt === null ? 'runs' : 'over'))
      .join()
  watch(
    [settled, () => message().slices, () => message().state],
    () => {
      const sources = sourcesOf(message())
      // Some numbers may be left out: the service named only part of what it found.
      count.value = sources.reduce((most, { number }) => Math.max(most, number), sources.length)
    },
    { immediate: true },
  )
  return count
}
