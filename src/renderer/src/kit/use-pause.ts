import { onScopeDispose, ref, watch } from 'vue'
import type { Failure } from '../../../shared/contract/reply.ts'

/** Returns the seconds the provider asked to wait before the next request (Retry-After); 0 if it did not. */
function pauseOf({ service, params }: Failure): number {
  const seconds = service === undefined ? undefined : params?.['seconds']
  return typeof seconds === 'number' ? seconds : 0
}

/** Countdown of the seconds until a failed request may be sent again; 0 when it may. */
export function usePause(failure: () => Failure | null | undefined) {
  const left = ref(0)
  let timer: ReturnType<typeof setTimeout> | undefined
  const count = (): void => {
    const one = failure()
    const pause = one ? pauseOf(one) : 0
    // A clock that was set back must not extend the delay beyond the provider's value.
    const passed = Math.max(0, Date.now() - (one?.at ?? 0))
    left.value = Math.max(0, Math.ceil(pause - passed / 1000))
    if (left.value > 0) timer = setTimeout(count, 1000 - (passed % 1000))
  }
  watch(
    failure,
    () => {
      clearTimeout(timer)
      count()
    },
    { immediate: true },
  )
  onScopeDispose(() => clearTimeout(timer))
  return left
}
