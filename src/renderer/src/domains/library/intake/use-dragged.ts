import { computed, onScopeDispose, ref } from 'vue'

/**
 * Timeout of a drag in milliseconds: browsers send drag events at least every 350 ms while it is over the window, even at
 * rest.
 */
const silenceMs = 1500

/**
 * Whether something is being dragged over the window, from its events; a drag without an end event ends after a timeout.
 */
export function useDragged() {
  /** Elements entered and not left: enter and leave events occur for every element under the pointer. */
  const depth = ref(0)
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = (): void => {
    clearTimeout(timer)
    depth.value = 0
  }
  const over = (): void => {
    clearTimeout(timer)
    // An element removed under the pointer never gets a leave event.
    timer = setTimeout(end, silenceMs)
    depth.value = Math.max(1, depth.value)
  }
  onScopeDispose(() => clearTimeout(timer))
  return {
    dragged: computed(() => depth.value > 0),
    enter: () => {
      depth.value += 1
      over()
    },
    leave: () => (depth.value = Math.max(0, depth.value - 1)),
    over,
    end,
  }
}
