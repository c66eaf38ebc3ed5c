import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { Problem, explain, say, script, seconds } from './lib/say.mjs'
import { countReport, failedFiles, linesOf, notRunnableAt, tallyOf } from './lib/test-report.mjs'
import { runVitest } from './lib/vitest-run.mjs'
import { lint } from './lint.mjs'
import { setup } from './setup.mjs'
import { typecheck } from './typecheck.mjs'

/** @typedef {{ passed: number, failed: number }} Tally */
/**
 * A step that is `extra` runs only if requested by name.
 * @typedef {{ name: string, what: string, isTest?: boolean, extra?: boolean, run: (filters: readonly string[]) => Promise<Tally> }} Step
 */

/** Projects of the unit tests: files with workers of their own, and files that share workers. */
const unit = 'unit*'
const browser = 'e2e*'

const none = { passed: 0, failed: 0 }

/** A step without tests of its own: nothing is counted unless it fails. */
const check = (/** @type {() => Promise<boolean>} */ passes) => async () =>
  (await passes()) ? none : { passed: 0, failed: 1 }

/**
 * Tests of browsers, programs and keyrings depend on scheduling. At most three failed files are run a second time, each complete;
 * tests that pass only then are listed with their first failure, so that they get fixed instead of
 * hidden. Files that a stopped run did not reach are run with them.
 * @type {(projects: readonly string[]) => Step['run']}
 */
const vitest = (projects) => async (filters) => {
  const list = await notRunnableAt(process.platform)
  // Tests of the built app import files of several gigabytes.
  const inMemory = projects.every((project) => project === unit || project === browser)
  const report = (/** @type {readonly string[]} */ files) =>
    runVitest(
      [
        ...projects.map((project) => `--project=${project}`),
        ...(files.length > 0 ? ['--passWithNoTests', ...files] : []),
      ],
      { inMemory },
    )
  const first = await report(filters)
  const { passed, failed, wrong } = tallyOf(first, first.code, list)
  if (projects.includes(unit) && list.length > 0)
    say(`Not runnable on ${process.platform}:\n${linesOf(list).join('\n')}`)
  if (wrong.length > 0)
    say(`Skipped, which counts as failed:\n${wrong.map((line) => `- ${line}`).join('\n')}`)
  const files = failedFiles(first)
  if (files.length === 0 || files.length > 3 || wrong.length > 0) return { passed, failed }

  const names = files.map(({ name }) => name)
  say(`\nRunning again:\n${names.map((name) => `- ${name}`).join('\n')}`)
  const second = await report([...names, ...first.notRun])
  const again = tallyOf(second, second.code, list)
  const passedFiles = first.testResults.filter(({ status }) => status === 'passed')
  const total = countReport({ testResults: passedFiles }, 0).passed + again.passed
  if (again.failed > 0) return { passed: total, failed: again.failed }
  const lines = files.flatMap(({ tests }) => tests).map((line) => `- ${line}`)
  say(`\nPassed only when run again:\n${lines.join('\n')}`)
  return { passed: total, failed: 0 }
}

/** Attacks (`test/security`), and the tests of keys, addresses and hosts. */
const attacked = [
  'security',
  'main/platform/secrets',
  'main/platform/security',
  'main/hosts/loopback',
].map((folder) => `test/${folder}/`)

/** @type {readonly Step[]} */
const steps = [
  {
    name: 'setup',
    what: 'set-up',
    run: async () => {
      Object.assign(process.env, await setup({ forTests: true }))
      return none
    },
  },
  {
    name: 'build',
    what: 'build',
    run: async () => {
      await build()
      process.env['LECTERN_BUILT_WORKERS'] = '1'
      return none
    },
  },
  { name: 'typecheck', what: 'types', run: check(typecheck) },
  { name: 'lint', what: 'lint and formatting', run: check(lint) },
  {
    name: 'tests',
    what: 'unit tests and tests in a real browser',
    isTest: true,
    run: vitest([unit, browser]),
  },
  { name: 'unit', what: 'unit tests', isTest: true, extra: true, run: vitest([unit]) },
  {
    name: 'e2e',
    what: 'tests in a real browser',
    isTest: true,
    extra: true,
    run: vitest([browser]),
  },
  {
    name: 'electron',
    what: 'tests of the built app on the stand-in for Electron',
    isTest: true,
    run: vitest(['electron*']),
  },
  {
    name: 'electron-pages',
    what: 'all browser tests on the stand-in for Electron',
    isTest: true,
    extra: true,
    run: vitest(['pages-over-electron']),
  },
  {
    name: 'security',
    what: 'security tests',
    isTest: true,
    extra: true,
    run: (filters) => vitest([unit])(filters.length > 0 ? filters : attacked),
  },
]

/** @param {Step} step @param {readonly string[]} filters */
async function timed(step, filters) {
  const start = Date.now()
  say(`\n== ${step.what}`)
  const tally = await step.run(filters).catch((error) => {
    say(explain(error))
    return { passed: 0, failed: 1 }
  })
  say(
    `== ${step.what}: ${tally.failed === 0 ? 'passed' : 'FAILED'} in ${seconds(Date.now() - start)}`,
  )
  return tally
}

/**
 * Returns the default steps, or one step with its requirements: every step needs the setup, and tests use the built app.
 * @param {string | undefined} only
 */
function chosen(only) {
  if (only === undefined) return steps.filter((step) => !step.extra)
  const found = steps.find((step) => step.name === only)
  if (!found) {
    const names = steps.map((step) => step.name).join(', ')
    throw new Problem(`Unknown step ${only}.`, `Steps: ${names}.`)
  }
  const needed = ['setup', ...(found.isTest ? ['build'] : []), only]
  return steps.filter((step) => needed.includes(step.name))
}

await script(async () => {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string' } },
    allowPositionals: true,
  })
  const start = Date.now()
  let { passed, failed } = none
  for (const step of chosen(values.only)) {
    const tally = await timed(step, positionals)
    passed += tally.passed
    failed += tally.failed
    if (tally.failed === 0) continue
    say(
      `\nStopped at the step "${step.name}". To run only this step: npm test -- --only ${step.name}`,
    )
    break
  }
  say(`\nAll in ${seconds(Date.now() - start)}.`)
  say(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
