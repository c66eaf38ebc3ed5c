/** A call that is made at once after `ms` in which nothing was asked, else when nothing was asked for so long, with what was asked last. */
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
