import { isMain } from './lib/args.mjs'
import { runChecks } from './lib/checks.mjs'
import { say, script } from './lib/say.mjs'

const checks = [
  { what: 'vocabulary of the glossary', args: ['scripts/vocabulary.mjs'] },
  { what: 'oxlint', args: ['node_modules/oxlint/bin/oxlint', '--format=unix'] },
  {
    what: 'ESLint, for the templates',
    args: ['node_modules/eslint/bin/eslint.js', 'src', '--max-warnings=0'],
  },
  {
    what: 'oxfmt (`npm run format` fixes this)',
    args: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  },
]

/** Checks rules and formatting; layers and other rules for the whole tree are in test/architecture.test.ts. */
export const lint = () => runChecks(checks)

if (isMain(import.meta.url)) {
  await script(async () => {
    const passed = await lint()
    if (passed) say('No problems found.')
    return passed ? 0 : 1
  })
}
