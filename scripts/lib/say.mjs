/** Prints one plain sentence about what is going on. */
export const say = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`)

/** Something the person at the keyboard has to mend: printed as it is, without a stack. */
export class Problem extends Error {
  /**
   * @param {string} what what is missing or wrong
   * @param {string} [suggestion] what to do about it
   */
  constructor(what, suggestion = '') {
    super(suggestion ? `${what}\n${suggestion}` : what)
    this.name = 'Problem'
  }
}

/** What to print for a failure: the plain words of a {@link Problem}, the stack of anything unexpected. */
export const explain = (/** @type {unknown} */ error) => {
  if (error instanceof Problem) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Seconds as a person reads them: `0.4 s`, `12 s`. */
export const seconds = (/** @type {number} */ ms) =>
  `${ms < 9950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`

/**
 * Runs a script: its number becomes the exit code, a failure is printed and becomes 1.
 * @param {() => Promise<number | void>} work
 */
export async function script(work) {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`)
    process.exitCode = 1
  }
}
