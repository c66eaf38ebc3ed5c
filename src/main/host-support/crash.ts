/** Milliseconds within which a second crash is the same trouble again. */
const sameProblem = 60_000

/** What happens when the page's process is gone. */
export type AfterCrash = 'nothing' | 'reload' | 'error-page'

/** Judges crashes of one window: reloads once, and shows the page without script when that did not help. */
export function createCrashPolicy(clock: () => number): (reason: string) => AfterCrash {
  let last = -Infinity
  return (reason) => {
    if (reason === 'clean-exit') return 'nothing'
    const again = clock() - last < sameProblem
    last = clock()
    return again ? 'error-page' : 'reload'
  }
}
