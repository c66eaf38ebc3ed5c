import { availableParallelism } from 'node:os'
import { runNode } from './runtime.mjs'
import { say } from './say.mjs'

/** @typedef {{ what: string, args: readonly string[] }} Check a program of node_modules that ends with 0 when all is well */

/** @param {Check} check */
async function passes({ what, args }) {
  const { code, output } = await runNode(args, {
    capture: true,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  if (code !== 0) say(`${what}:\n${output.trim()}\n`)
  return code === 0
}

/**
 * Runs every check, in parallel on the available cores, even after one has failed: one run shows all problems.
 * @param {readonly Check[]} checks
 * @returns {Promise<boolean>} true when all passed
 */
export async function runChecks(checks) {
  const waiting = [...checks]
  let passed = true
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift())
      passed = (await passes(check)) && passed
  }
  const lanes = Math.min(availableParallelism(), 4, checks.length)
  await Promise.all(Array.from({ length: lanes }, work))
  return passed
}
