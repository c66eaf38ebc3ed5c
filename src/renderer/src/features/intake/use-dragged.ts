import { computed, onScopeDispose, ref } from 'vue'

/** Browsers tell of a drag at least every 350 ms while it is over the window, also when it rests; in milliseconds. */
const silenceMs = 1500

/** Whether something is being dragged over the window, from its events; a drag that ends without a word is over when it is silent. */
export function useDragged() {
  /** Elements entered and not left: enter and leave come once for every element under the pointer. */
  const depth = ref(0)
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = (): void => {
    clearTimeout(timer)
    depth.value = 0
  }
  const over = (): void => {
    clearTimeout(timer)
    // An element that is taken away under the pointer is never left.
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
