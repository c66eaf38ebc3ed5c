/**
 * Debounces calls: runs immediately after `ms` without calls, otherwise once there were no calls for `ms`, with the
 * latest arguments.
 */
export function debounce<Args extends readonly unknown[]>(
  ms: number,
  call: (...args: Args) => void,
): ((...args: Args) => void) & { stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let next: Args | null = null
  const rested = (): void => {
    timer = undefined
    const args = next
    next = null
    if (args) call(...args)
  }
  const debounced = (...args: Args): void => {
    if (timer === undefined) call(...args)
    else next = args
    clearTimeout(timer)
    timer = setTimeout(rested, ms)
  }
  return Object.assign(debounced, {
    stop() {
      clearTimeout(timer)
      timer = undefined
      next = null
    },
  })
}
