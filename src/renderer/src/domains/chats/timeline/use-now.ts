import { onScopeDispose, ref, watch } from 'vue'

/** Current time (Unix milliseconds), updated once a second while something is running. */
export function useNow(running: () => boolean) {
  const now = ref(Date.now())
  let timer: ReturnType<typeof setInterval> | undefined
  const stop = (): void => clearInterval(timer)
  watch(
    running,
    (runs) => {
      stop()
      now.value = Date.now()
      if (runs) timer = setInterval(() => (now.value = Date.now()), 1000)
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return now
}
