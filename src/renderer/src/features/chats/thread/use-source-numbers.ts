import { shallowRef, watch } from 'vue'
import { sourcesOf } from '../../../../../shared/chat/sources.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'

/** The numbers that sources of an answer have; looked for when a step brought something, not with every word. */
export function useSourceNumbers(message: () => ChatMessage) {
  const numbers = shallowRef<ReadonlySet<number>>(new Set())
  const settled = (): string =>
    message()
      .steps.map((step) => (step.kind !== 'unknown' && step.endedAt === null ? 'runs' : 'over'))
      .join()
  watch(
    [settled, () => message().slices, () => message().state],
    () => void (numbers.value = new Set(sourcesOf(message()).map(({ number }) => number))),
    { immediate: true },
  )
  return numbers
}
