import { existsSync } from 'node:fs'
import { isMain } from './lib/args.mjs'
import { parseArgs } from 'node:util'
import { atLeast, scriptsNeed } from './lib/node-version.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { at } from './lib/paths.mjs'
import { ensureRuntime } from './lib/runtime.mjs'
import { Problem, explain, say, script } from './lib/say.mjs'

function checkNode() {
  if (atLeast(process.version, scriptsNeed)) return
  throw new Problem(
    `Lectern needs Node ${scriptsNeed[0]} or later. This is ${process.version}.`,
    'Install a newer version from nodejs.org or with the package manager of this system.',
  )
}

/** Missing models stop the tests but not the app, which reports that its own engine is unavailable. */
async function models(/** @type {boolean} */ forTests) {
  const { ensureModels } = await import('./models.mjs')
  try {
    await ensureModels()
  } catch (error) {
    if (forTests) throw error
    say(`The on-device models could not be downloaded: ${explain(error)}`)
    say(
      'Lectern opens without them. On-device recognition is not available until `npm run setup` succeeds.',
    )
  }
}

/**
 * Prepares a fresh clone: packages, Node 24, models and, for the tests, the programs they need. Quick if everything is there.
 * @param {{ forTests?: boolean }} [options]
 * @returns {Promise<NodeJS.ProcessEnv>} what to add to the environment of the next program
 */
export async function setup({ forTests = false } = {}) {
  checkNode()
  if (!existsSync(at('package.json')))
    throw new Problem('package.json is missing. This clone is incomplete.')
  await ensurePackages()
  await ensureRuntime()
  await models(forTests)
  if (!forTests) return {}
  const { ensureTestTools } = await import('./lib/test-tools.mjs')
  return ensureTestTools()
}

if (isMain(import.meta.url)) {
  await script(async () => {
    const { values } = parseArgs({ options: { 'for-tests': { type: 'boolean', default: false } } })
    await setup({ forTests: values['for-tests'] })
    say('Setup is complete. `npm start` opens Lectern, `npm test` runs the tests.')
  })
}
