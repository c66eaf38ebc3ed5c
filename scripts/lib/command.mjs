import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './paths.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} code exit code, 128 + n after signal n, 127 when the program could not be started
 * @property {boolean} timedOut
 * @property {string} output stdout and stderr, if captured
 *
 * @typedef {object} Options
 * @property {NodeJS.ProcessEnv} [env] added to our own environment
 * @property {string} [cwd]
 * @property {boolean} [capture] collect the output instead of showing it
 * @property {number} [timeoutMs] the program is stopped after this time
 * @property {AbortSignal} [signal] the program is stopped when it fires, with every process below it
 * @property {boolean} [shell]
 */

/** @type {readonly NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program to its end. Signals are forwarded, so stopping a script also stops the programs it started.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<Outcome>}
 */
export function run(command, args, options = {}) {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: options.capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      shell: options.shell ?? false,
    })
    /** @type {Buffer[]} */
    const chunks = []
    let timedOut = false
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (c) => chunks.push(c))
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      // A terminal sends Ctrl+C to the whole group: the child already has it, and a second one would force it to quit.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    }
    for (const signal of passedOn) process.on(signal, forward)
    const kill = () => child.kill('SIGKILL')
    const killTree = () => child.pid && endTree(child.pid)
    options.signal?.addEventListener('abort', killTree)
    const timer =
      options.timeoutMs &&
      setTimeout(() => {
        timedOut = true
        kill()
      }, options.timeoutMs)

    const finish = (/** @type {number} */ code, /** @type {string} */ extra) => {
      if (timer) clearTimeout(timer)
      options.signal?.removeEventListener('abort', killTree)
      for (const signal of passedOn) process.off(signal, forward)
      settle({ code, timedOut, output: Buffer.concat(chunks).toString('utf8') + extra })
    }
    child.on('error', (error) => finish(127, error.message))
    child.on('close', (code, signal) =>
      finish(code ?? 128 + (signal ? constants.signals[signal] : 0), ''),
    )
  })
}

/** Ends a process and its descendants, whatever process groups they are in. @param {number} first */
function endTree(first) {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/T', '/F', '/PID', String(first)])
    return
  }
  // Without `ps`, only the process itself is ended.
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = (stdout ?? '').split('\n').map((row) => row.trim().split(/\s+/).map(Number))
  const tree = [first]
  for (const parent of tree)
    tree.push(...rows.filter((row) => row[1] === parent).map(([child = 0]) => child))
  for (const pid of tree) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}
