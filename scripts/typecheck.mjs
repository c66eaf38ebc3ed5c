import { isMain } from './lib/args.mjs'
import { runChecks } from './lib/checks.mjs'
import { say, script } from './lib/say.mjs'

const tsc = 'node_modules/typescript/bin/tsc'
const vueTsc = 'node_modules/vue-tsc/bin/vue-tsc.js'

const checks = [
  { what: 'Types of src/shared', args: [tsc, '-p', 'tsconfig.shared.json'] },
  {
    what: 'Types of main, the local service and the tests',
    args: [tsc, '-p', 'tsconfig.node.json'],
  },
  { what: 'Types of the page', args: [vueTsc, '-p', 'tsconfig.web.json'] },
  { what: 'Types of the scripts', args: [tsc, '-p', 'tsconfig.scripts.json'] },
]

/** Checks the types of everything, each part with only the globals that exist where it runs. */
export const typecheck = () => runChecks(checks)

if (isMain(import.meta.url)) {
  await script(async () => {
    const passed = await typecheck()
    if (passed) say('The types agree.')
    return passed ? 0 : 1
  })
}
