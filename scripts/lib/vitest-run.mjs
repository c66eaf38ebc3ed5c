import {
  accessSync,
  appendFileSync,
  chmodSync,
  constants,
  mkdirSync,
  readFileSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './paths.mjs'
import { runNode } from './runtime.mjs'
import { explain, say } from './say.mjs'

/** @typedef {import('./test-report.mjs').FileReport} FileReport */
/** @typedef {import('vitest/node').Reporter} Reporter */

/** No test may take more than 9 minutes: a run without any result for this long never ends. */
const stallMs = 10 * 60_000
/** Vitest waits forever for a process that a test left behind and that still holds the output of its worker. */
const exitMs = 60_000

const logVariable = 'LECTERN_TEST_PROGRESS'

/**
 * Vitest reporter that appends each event of a run to a file as a line of JSON. A run that must be stopped leaves its results
 * there, which Vitest's own JSON report, written at the end, does not.
 * @implements {Reporter}
 */
export default class ProgressReporter {
  /** @param {object} event */
  #log(event) {
    appendFileSync(process.env[logVariable] ?? '', `${JSON.stringify(event)}\n`)
  }

  /** @param {readonly import('vitest/node').TestSpecification[]} specifications */
  onTestRunStart(specifications) {
    this.#log({ planned: specifications.map(({ moduleId }) => moduleId) })
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleQueued({ moduleId }) {
    this.#log({ begun: moduleId })
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult({ fullName }) {
    this.#log({ test: fullName })
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    const assertionResults = [...module.children.allTests()].map((test) => {
      const { state, errors } = test.result()
      const titles = test.fullName.split(' > ')
      return {
        status: state,
        fullName: titles.join(' '),
        ancestorTitles: titles.slice(0, -1),
        title: titles.at(-1),
        failureMessages: errors?.map((error) => error.stack ?? error.message) ?? [],
        meta: test.meta(),
      }
    })
    const status = module.ok() ? 'passed' : 'failed'
    this.#log({ ended: { name: module.moduleId, status, assertionResults } })
  }

  onTestRunEnd() {
    this.#log({ over: true })
  }
}

const shm = '/dev/shm'
/** Memory that must be free, in bytes: for the files of the tests and for their processes. */
const minFreeBytes = 12 * 1024 ** 3

/**
 * Whether temporary files can be in memory: databases and exports of the tests wait for a disk thousands of times. Only Linux has
 * such a folder; containers may restrict its size or forbid to run programs there.
 */
function hasMemoryFolder() {
  try {
    accessSync(shm, constants.W_OK)
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
    // A later mount hides an earlier one in the same place.
    const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === shm)?.[3]
    const { bavail, bsize } = statfsSync(shm)
    // Unlike freemem, it respects the limit of a container; early versions of Node 20 lack it.
    const freeBytes = Math.min(freemem(), process.availableMemory?.() ?? Infinity)
    return (
      options !== undefined &&
      !options.split(',').includes('noexec') &&
      Math.min(freeBytes, bavail * bsize) >= minFreeBytes
    )
  } catch {
    return false
  }
}

/**
 * Runs Vitest and returns its results. The run is stopped with all of its processes if it does not exit within a minute after its
 * last test, or if nothing happens for longer than any test may take: then files that did not end count as failed.
 * @param {readonly string[]} args
 * @param {{ stallMs?: number, capture?: boolean, inMemory?: boolean }} [options] `inMemory`: temporary files of the tests are in
 *   memory if it has room for them, and deleted at the end
 * @returns {Promise<{ code: number, testResults: FileReport[], notRun: string[] }>} `notRun`: files that did not begin
 */
export async function runVitest(
  args,
  { stallMs: limitMs = stallMs, inMemory = false, ...options } = {},
) {
  const isInMemory = inMemory && hasMemoryFolder()
  const folder = await mkdtemp(join(isInMemory ? shm : tmpdir(), 'lectern-tests-'))
  const temporary = join(folder, 'tmp')
  if (isInMemory) {
    mkdirSync(temporary)
    // As for every system's temporary folder: some tests act as another user.
    chmodSync(folder, 0o755)
    chmodSync(temporary, 0o1777)
  }
  const file = join(folder, 'progress')
  writeFileSync(file, '')
  const stop = new AbortController()
  // Only time that passed here counts: a computer may sleep during a run.
  let [seenBytes, idleMs] = [-1, 0]
  const watch = setInterval(() => {
    const { size } = statSync(file)
    idleMs = size === seenBytes ? idleMs + 1000 : 0
    seenBytes = size
    if (idleMs < Math.min(limitMs, exitMs)) return
    const { over } = eventsIn(file)
    if (idleMs < (over ? exitMs : limitMs)) return
    clearInterval(watch)
    say(
      over
        ? 'Vitest did not exit because a test left a process running. It was stopped.'
        : `No test had a result for ${Math.round(idleMs / 1000)} s. The run was stopped.`,
    )
    stop.abort()
  }, 1000)
  try {
    const { code } = await runNode(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--reporter=default',
        `--reporter=${fileURLToPath(import.meta.url)}`,
        ...args,
      ],
      {
        signal: stop.signal,
        env: { [logVariable]: file, ...(isInMemory && { TMPDIR: temporary }) },
        ...options,
      },
    )
    const { planned, begun, ended, over } = eventsIn(file)
    const names = new Set(ended.map(({ name }) => name))
    const unfinished = begun.filter((name) => !names.has(name))
    if (unfinished.length > 0)
      say(`Did not finish:\n${unfinished.map((name) => `- ${relative(root, name)}`).join('\n')}`)
    return {
      code,
      testResults: [
        ...ended,
        ...unfinished.map((name) => ({ name, status: 'failed', assertionResults: [] })),
      ],
      notRun: over ? [] : planned.filter((name) => !begun.includes(name)),
    }
  } finally {
    clearInterval(watch)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch((error) =>
      say(`Temporary files remain in ${folder}: ${explain(error)}`),
    )
  }
}

/** @param {string} file */
function eventsIn(file) {
  // What follows the last line end is not complete.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const events = lines.map((line) => JSON.parse(line))
  const each = (/** @type {string} */ kind) =>
    events.filter((event) => kind in event).map((event) => event[kind])
  return {
    /** @type {string[]} */ planned: each('planned').flat(),
    /** @type {string[]} */ begun: each('begun'),
    /** @type {FileReport[]} */ ended: each('ended'),
    over: each('over').length > 0,
  }
}
