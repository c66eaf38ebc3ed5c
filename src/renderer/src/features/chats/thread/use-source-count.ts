import { ref, watch } from 'vue'
import { sourcesOf } from '../../../../../shared/chat/sources.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'

/** How many sources an answer has; counted when a step brought something, not with every word. */
export function useSourceCount(message: () => ChatMessage) {
  const count = ref(0)
  const settled = (): string =>
    message()
      .steps.map((step) => (step.kind !== 'unknown' && step.endedAt === null ? 'runs' : 'over'))
      .join()
  watch(
    [settled, () => message().slices, () => message().state],
    () => (count.value = sourcesOf(message()).length),
    { immediate: true },
  )
  return count
}
