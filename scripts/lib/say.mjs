/** Prints one sentence of progress. */
export const say = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`)

/** An error that the user must fix: printed without a stack trace. */
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

/** The text to print for a failure: the message of a {@link Problem}, the stack of any unexpected error. */
export const explain = (/** @type {unknown} */ error) => {
  if (error instanceof Problem) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A readable duration in seconds: `0.4 s`, `12 s`. */
export const seconds = (/** @type {number} */ ms) =>
  `${ms < 9950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`

/**
 * Runs a script: its number becomes the exit code; a failure is printed and becomes 1.
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
