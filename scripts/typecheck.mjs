import { join } from 'node:path'
import { isMain } from './lib/args.mjs'
import { runChecks } from './lib/checks.mjs'
import { stampFolder } from './lib/paths.mjs'
import { say, script } from './lib/say.mjs'

/**
 * A check of one project. Its results are cached until node_modules is deleted, so that a second run checks only changes.
 * @param {string} what
 * @param {string} project
 * @param {string} [compiler]
 */
const types = (what, project, compiler = 'typescript/bin/tsc') => ({
  what,
  args: [
    `node_modules/${compiler}`,
    '--project',
    `tsconfig.${project}.json`,
    '--pretty',
    'false',
    '--incremental',
    '--tsBuildInfoFile',
    join(stampFolder, `${project}.tsbuildinfo`),
  ],
})

/** The slowest first, so that two parallel queues end at about the same time. */
const checks = [
  types('Types of the page', 'web', 'vue-tsc/bin/vue-tsc.js'),
  types('Types of the tests', 'test'),
  types('Types of main and the local service', 'node'),
  types('Types of the browser tests, the stand-in for Electron and the benches', 'e2e'),
  types('Types of src/shared', 'shared'),
  types('Types of the scripts', 'scripts'),
]

/** Checks the types of everything, each part with only the globals that exist where it runs. */
export const typecheck = () => runChecks(checks)

if (isMain(import.meta.url)) {
  await script(async () => {
    const passed = await typecheck()
    if (passed) say('No type errors found.')
    return passed ? 0 : 1
  })
}
