/** A call that is made at once, and then no sooner than `ms` after the one before, with what was asked last. */
export function atPace<Args extends readonly unknown[]>(
  ms: number,
  call: (...args: Args) => void,
): ((...args: Args) => void) & { stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let next: Args | null = null
  const run = (): void => {
    timer = undefined
    const args = next
    next = null
    if (!args) return
    timer = setTimeout(run, ms)
    call(...args)
  }
  const asked = (...args: Args): void => {
    next = args
    if (timer === undefined) run()
  }
  return Object.assign(asked, {
    stop() {
      clearTimeout(timer)
      timer = undefined
      next = null
    },
  })
}
