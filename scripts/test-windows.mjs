import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain } from './lib/args.mjs'
import { runNode } from './lib/runtime.mjs'
import { Problem, say, script, seconds } from './lib/say.mjs'
import {
  countReport,
  disagreements,
  flakyTests,
  linesOf,
  notRunnableAt,
} from './lib/test-report.mjs'
import { ensureWine } from './lib/test-tools.mjs'
import { endWindows, ensureWindows } from './lib/windows.mjs'
import { setup } from './setup.mjs'

/**
 * The unit tests of main, shared, the system and the local service in Node for Windows, under Wine.
 *
 * `npm run test:windows -- [--short] [FILTER ...]`: --short selects the files about the file system; filters are parts of
 * paths, as in vitest. Exits with 0 if all passed, 1 if some failed, and {@link notHere} if Wine is unavailable.
 *
 * @typedef {import('./lib/test-report.mjs').FileReport} FileReport
 */

/** Exit code where the tests cannot be run at all: another system, or no Wine. */
const notHere = 3

/** Files about folders, open files, names, paths and killed processes: where Windows differs most. */
const short = [
  'test/system/',
  'test/main/domains/library/archive/core',
  'test/main/domains/library/archive/hostile',
  'test/main/domains/library/archive/storage',
  'test/main/domains/documents/worker/pdf/picture',
  'test/main/domains/documents/worker/pdf/split',
  'test/main/domains/documents/worker/pdf/tiff',
  'test/main/hosts/electron/',
  'test/main/hosts/support/',
  'test/main/platform/files/intake',
  'test/main/platform/files/respond',
  'test/main/platform/security/private-files',
  'test/main/platform/security/scheme',
  'test/main/platform/security/table-g',
  'test/main/domains/audio/service/recording/',
  'test/main/domains/audio/worker/repair',
  'test/main/domains/audio/worker/session-writer',
  'test/main/library-database/backup',
  'test/main/platform/database/closing',
  'test/main/platform/database/crash',
  'test/main/platform/database/disk',
  'test/main/platform/database/lost',
  'test/main/platform/database/open-file',
  'test/main/library-database/recovery',
  'test/main/updates/machine',
  'test/shared/documents/pdf-options',
]

/** @param {readonly string[]} filters @returns {Promise<{ files: readonly FileReport[], code: number, counts: import('./lib/test-report.mjs').Counts }>} */
async function runTests(filters) {
  const env = await ensureWindows()
  const folder = await mkdtemp(join(tmpdir(), 'lectern-report-'))
  const report = join(folder, 'report.json')
  try {
    const { code } = await runNode(
      [
        '--disable-warning=ExperimentalWarning',
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config=test/windows/vitest.config.ts',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...filters,
      ],
      { env },
    )
    const text = await readFile(report, 'utf8').catch(() => null)
    if (text === null) throw new Problem(`vitest exited with code ${code} and wrote no report.`)
    const found = JSON.parse(text)
    return { files: found.testResults, code, counts: countReport(found, code) }
  } finally {
    await endWindows()
    await rm(folder, { recursive: true, force: true })
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { short: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    say(
      'These tests run Node for Windows under Wine on x64 Linux. On Windows, run: npm test -- --only unit',
    )
    return notHere
  }
  await setup()
  try {
    await ensureWine()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    say(error.message)
    return notHere
  }
  const start = Date.now()
  const list = await notRunnableAt('wine')
  const filters = [...(values.short ? short : []), ...positionals]
  const { files, counts } = await runTests(filters)
  const wrong = disagreements(files, list)
  const failedFiles = files.filter((file) => file.status === 'failed').length
  const flaky = flakyTests(files)
  const whole = list.filter((entry) => !entry.tests)
  say(`\nCannot run under Wine:\n${linesOf(list).join('\n')}`)
  if (wrong.length > 0) say(`\nThe list is wrong:\n${wrong.map((line) => `- ${line}`).join('\n')}`)
  if (flaky.length > 0)
    say(`\nPassed only when repeated:\n${flaky.map((name) => `- ${name}`).join('\n')}`)
  say(
    `\nFiles: ${files.length - failedFiles} passed, ${failedFiles} failed, ${whole.length} not runnable`,
  )
  say(
    `Tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} not runnable in files that ran`,
  )
  say(`${values.short ? 'The short form' : 'All'} in ${seconds(Date.now() - start)}.`)
  return counts.failed + wrong.length === 0 ? 0 : 1
}

if (isMain(import.meta.url)) await script(main)
