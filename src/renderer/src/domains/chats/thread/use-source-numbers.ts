import { shallowRef, watch } from 'vue'
import { sourcesOf } from '../../../../../shared/chats/sources.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'

/** Numbers of an answer's sources; computed when a step has a result, not with every word. */
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
