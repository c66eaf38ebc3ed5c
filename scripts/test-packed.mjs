import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain } from './lib/args.mjs'
import { run } from './lib/command.mjs'
import { at } from './lib/paths.mjs'
import { Problem, say, script } from './lib/say.mjs'

/**
 * Starts the app that `npm run package -- --dir` packed for this computer, on real Electron, with its self-test.
 *
 * `npm run test:packed -- [--report=FILE] [--without=CHECK,...]`: --without lists checks that may fail here because what they
 * need is missing (speakers, a desktop). Exits with 0 if the test was complete and no other check failed.
 *
 * @typedef {Pick<import('../src/shared/self-test/checks.ts').SelfTestReport, 'complete' | 'passed'> & { checks: readonly Pick<import('../src/shared/self-test/checks.ts').SelfTestReport['checks'][number], 'id' | 'title' | 'result' | 'detail'>[] }} Report
 */

/** Time limit, longer than the self-test may take (`maxSelfTestMs`) including start and end of the app. */
const limitMs = 7 * 60_000

/** Path of the program that electron-builder packed. */
export function packedProgram({ platform, arch } = process) {
  const suffix = arch === 'x64' ? '' : `-${arch}`
  if (platform === 'darwin') return at(`dist/mac${suffix}/Lectern.app/Contents/MacOS/Lectern`)
  if (platform === 'win32') return at(`dist/win${suffix}-unpacked/Lectern.exe`)
  return at(`dist/linux${suffix}-unpacked/lectern`)
}

/**
 * Runs a program with the self-test, and checks the report that it wrote.
 * @param {string} program
 * @param {{ args?: readonly string[], report: string, without?: readonly string[], timeoutMs?: number }} options
 * @returns {Promise<Report>}
 */
export async function selfTest(program, options) {
  const { args = [], report: file, without = [], timeoutMs = limitMs } = options
  mkdirSync(dirname(file), { recursive: true })
  // The report of an earlier run would be mistaken for this one's.
  rmSync(file, { force: true })
  const { code, timedOut } = await run(program, [...args, '--self-test', `--report=${file}`], {
    timeoutMs,
    env: { ELECTRON_RUN_AS_NODE: undefined },
  })
  if (timedOut) throw new Problem(`${program} did not exit within ${timeoutMs / 1000} seconds.`)
  if (!existsSync(file))
    throw new Problem(`${program} exited with code ${code} and wrote no report.`)
  /** @type {Report} */
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const failed = report.checks.filter(
    ({ id, result }) => result === 'fail' && !without.includes(id),
  )
  if (failed.length > 0)
    throw new Problem(
      `The self-test failed:\n${failed.map(({ title, detail }) => `- ${title}: ${detail}`).join('\n')}`,
    )
  // A failed check exits with 1, even if it may fail here.
  if (!report.complete || code > 1)
    throw new Problem(`The self-test is not complete (exit code ${code}).`)
  return report
}

if (isMain(import.meta.url))
  await script(async () => {
    const { values } = parseArgs({
      options: {
        report: { type: 'string', default: 'dist/self-test.json' },
        without: { type: 'string', default: '' },
      },
    })
    const program = packedProgram()
    if (!existsSync(program))
      throw new Problem(`${program} not found.`, 'Pack the app first: npm run package -- --dir')
    const report = resolve(values.report)
    const { passed } = await selfTest(program, { report, without: values.without.split(',') })
    say(`The packed app works: ${passed} checks passed. The report is ${report}.`)
  })
