import { onScopeDispose, ref, watch } from 'vue'

/** Milliseconds without a length update after which no audio is received; a recording reports its length every second. */
export const stalledMs = 15_000

/** Whether a number that should grow has not changed for {@link stalledMs}; null when it need not grow. */
export function useStalled(grown: () => number | null) {
  const stalled = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(
    grown,
    (now) => {
      clearTimeout(timer)
      stalled.value = false
      if (now !== null) timer = setTimeout(() => (stalled.value = true), stalledMs)
    },
    { immediate: true },
  )
  onScopeDispose(() => clearTimeout(timer))
  return stalled
}
