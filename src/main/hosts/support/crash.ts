/** Milliseconds within which a second crash counts as the same problem. */
const sameProblem = 60_000

/** Reaction to the end of the page's process. */
type AfterCrash = 'nothing' | 'reload' | 'error-page'

/** Creates the crash policy of one window: reload once, then show the error page without script. */
export function createCrashPolicy(clock: () => number): (reason: string) => AfterCrash {
  let last = -Infinity
  return (reason) => {
    if (reason === 'clean-exit') return 'nothing'
    const again = clock() - last < sameProblem
    last = clock()
    return again ? 'error-page' : 'reload'
  }
}
