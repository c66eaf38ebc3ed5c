import { runNode } from './runtime.mjs'
import { say } from './say.mjs'

/** @typedef {{ what: string, args: readonly string[] }} Check a program of node_modules that ends with 0 when all is well */

/**
 * Runs every check, also after one has failed, so that one run shows everything there is to mend.
 * @param {readonly Check[]} checks
 * @returns {Promise<boolean>} true when all passed
 */
export async function runChecks(checks) {
  let passed = true
  for (const { what, args } of checks) {
    const { code, output } = await runNode(args, {
      capture: true,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    })
    if (code === 0) continue
    passed = false
    say(`${what}:\n${output.trim()}\n`)
  }
  return passed
}
