import { onScopeDispose, ref, watch } from 'vue'

/** A recording tells its length every second: after this long without a new one no sound comes, in milliseconds. */
export const stalledMs = 15_000

/** Whether a number that should grow has stood still for {@link stalledMs}; null when it need not grow. */
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
