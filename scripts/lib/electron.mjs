import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { run } from './command.mjs'
import { at } from './paths.mjs'
import { runNode } from './runtime.mjs'
import { say } from './say.mjs'
import { readStamp } from './stamps.mjs'

/** Folder of Electron's package. */
export const electronFolder = at('node_modules', 'electron')

/** Time (ms) during which a failed download is not retried, so that the app opens in the browser at once. */
const failureHolds = 5 * 60_000

/** Returns the Electron program if its package has fetched it, or null. */
export function electronProgram() {
  try {
    const name = readFileSync(join(electronFolder, 'path.txt'), 'utf8')
    const program = join(
      process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(electronFolder, 'dist'),
      name,
    )
    return existsSync(program) ? program : null
  } catch {
    return null
  }
}

/**
 * Returns why a window cannot be opened here, whatever is installed, or null if it can.
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv, uid: number | undefined }} [machine]
 */
export function noWindowReason(
  machine = { platform: process.platform, env: process.env, uid: process.getuid?.() },
) {
  if (machine.platform !== 'linux') return null
  if (!machine.env['DISPLAY'] && !machine.env['WAYLAND_DISPLAY']) return 'no display was found'
  if (machine.uid === 0) return 'Electron does not run as root with its sandbox on'
  return null
}

/** Text of a kernel file; empty if there is none. */
function textOf(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Facts that determine whether Electron's sandbox can start on Linux.
 * @typedef {object} SandboxFacts
 * @property {NodeJS.Platform} platform
 * @property {string} program the Electron program
 * @property {string} apparmorRestricts text of /proc/sys/kernel/apparmor_restrict_unprivileged_userns
 * @property {string} unprivilegedClone text of /proc/sys/kernel/unprivileged_userns_clone (Debian)
 * @property {string} mostNamespaces text of /proc/sys/user/max_user_namespaces
 * @property {{ uid: number, mode: number } | undefined} helper owner and mode of `chrome-sandbox` next to the program
 */

/** Reads the {@link SandboxFacts} of this computer. @returns {SandboxFacts} */
const sandboxFacts = (/** @type {string} */ program) => ({
  platform: process.platform,
  program,
  apparmorRestricts: textOf('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
  unprivilegedClone: textOf('/proc/sys/kernel/unprivileged_userns_clone'),
  mostNamespaces: textOf('/proc/sys/user/max_user_namespaces'),
  helper: statSync(join(dirname(program), 'chrome-sandbox'), { throwIfNoEntry: false }),
})

/**
 * Where the system does not let ordinary programs create the namespaces that Chromium's sandbox needs (Ubuntu 23.10 and
 * later), its helper must belong to root and be setuid. Returns the two commands that fix this, or null if nothing is wrong.
 * @param {SandboxFacts} facts
 * @returns {readonly [string, string] | null}
 */
export function sandboxRepair(facts) {
  const { platform, program, helper } = facts
  if (platform !== 'linux') return null
  const restricted =
    facts.apparmorRestricts === '1' ||
    facts.unprivilegedClone === '0' ||
    facts.mostNamespaces === '0'
  if (!restricted || (helper?.uid === 0 && (helper.mode & 0o4755) === 0o4755)) return null
  const file = `'${join(dirname(program), 'chrome-sandbox').replaceAll("'", "'\\''")}'`
  return [`sudo chown root:root ${file}`, `sudo chmod 4755 ${file}`]
}

/** {@link sandboxRepair} for this computer. */
export const sandboxRepairHere = (/** @type {string} */ program) =>
  sandboxRepair(sandboxFacts(program))

/** @typedef {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv }} Machine */

/** An argument that is valid in every folder: file names are made absolute. */
const settled = (/** @type {string} */ arg) => {
  const report = '--report='
  if (arg.startsWith(report)) return report + resolve(arg.slice(report.length))
  return /^-|^\w+:\/\//.test(arg) ? arg : resolve(arg)
}

/**
 * Returns the command that starts the window. On macOS through `open`: if it were started from a terminal, the terminal's
 * permissions would apply to the microphone and the computer's audio, and a recording would be silent. `open` forwards neither
 * the program's output nor its exit code, which self-tests need.
 * @param {string} program the Electron program
 * @param {readonly string[]} args its arguments, the app's folder first
 * @param {Machine} [machine]
 */
export function windowCommand(program, args, machine = process) {
  // Set by terminals of other Electron apps; it would make the program run as plain Node.
  const env = { ELECTRON_RUN_AS_NODE: undefined }
  const given = args.map(settled)
  if (machine.platform !== 'darwin' || args.includes('--self-test'))
    return { command: program, args: given, env }
  const bundle = program.slice(0, program.indexOf('.app/') + '.app'.length)
  // When the system opens it, it does not start in this folder.
  const settings = Object.entries({ ...machine.env, LECTERN_HOME: homeSetting(machine) })
    .filter(([name, value]) => name.startsWith('LECTERN_') && value)
    .flatMap(([name, value]) => ['--env', `${name}=${value}`])
  return { command: 'open', args: ['-W', '-n', '-a', bundle, ...settings, '--args', ...given], env }
}

const homeSetting = (/** @type {Machine} */ { env }) =>
  env['LECTERN_HOME'] ? resolve(env['LECTERN_HOME']) : undefined

/** Path of the instance file of a running Lectern on macOS (src/main/hosts/support/home.ts and instance.ts). */
export const instanceCard = (/** @type {Machine} */ machine, userHome = homedir()) =>
  join(
    homeSetting(machine) ?? join(userHome, 'Library', 'Application Support', 'Lectern'),
    'instance.json',
  )

/** The process in an instance file; null if there is no file or its process has ended. */
function livingHolder(/** @type {string} */ card) {
  try {
    const { pid } = JSON.parse(readFileSync(card, 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    return null
  }
}

/** A window that closes with an error within this time (ms) has never shown anything. */
const tooSoon = 15_000

/**
 * Runs the window to its end. `failed`: it never showed anything. `open` always exits with 0, so if it started the window, the
 * instance file in the data folder decides: a file whose process has ended means a crash; no file means that nothing started.
 * @param {string} program the Electron program
 * @param {readonly string[]} args
 * @param {{ machine?: Machine, runs?: typeof run }} [parts]
 */
export async function runWindow(program, args, { machine = process, runs = run } = {}) {
  const { command, args: given, env } = windowCommand(program, args, machine)
  const card = command === 'open' ? instanceCard(machine) : null
  let began = card === null
  const watch = setInterval(() => {
    began ||= card !== null && livingHolder(card) !== null
  }, 100)
  const start = Date.now()
  const { code } = await runs(command, given, { env })
  clearInterval(watch)
  const isLeft = card !== null && existsSync(card) && livingHolder(card) === null
  const failed =
    Date.now() - start <= tooSoon && !wasStopped(code) && (code !== 0 || !began || isLeft)
  return { code, failed }
}

/** Everything a download depends on: a failure with other settings does not apply to these. */
export function downloadStamp(/** @type {NodeJS.ProcessEnv} */ env = process.env) {
  const { version } = JSON.parse(readFileSync(join(electronFolder, 'package.json'), 'utf8'))
  const settings = Object.entries(env)
    .filter(
      ([name, value]) =>
        value && /^(npm_config_)?(electron_.*|https?_?proxy|no_?proxy|proxy)$/i.test(name),
    )
    .map(([name, value]) => `${name}=${value}`)
  // Hashed: a proxy URL can contain a password.
  const hash = createHash('sha256').update(settings.toSorted().join('\n'))
  return { version, settings: hash.digest('hex') }
}

/**
 * Whether a download failed recently with the same settings.
 * @param {any} failure the saved failure
 * @param {ReturnType<typeof downloadStamp>} stamp
 * @param {number} now
 */
export const failedJustNow = (failure, stamp, now) =>
  failure?.version === stamp.version &&
  failure?.settings === stamp.settings &&
  now - failure.at >= 0 &&
  now - failure.at < failureHolds

/**
 * Returns the Electron program, fetched if missing. A failure is remembered for five minutes.
 * @returns {Promise<{ program: string } | { reason: string } | { code: number }>} the code of a download that was stopped
 */
export async function ensureElectron() {
  const there = electronProgram()
  if (there) return { program: there }
  const stamp = downloadStamp()
  const why = (/** @type {any} */ failure) =>
    `Electron could not be downloaded: ${failure?.reason ?? 'no reason given'}. On a slow or restricted network, set ELECTRON_MIRROR or https_proxy. npm start tries again after 5 minutes, or immediately if these settings change`
  const failure = readStamp('electron-download')
  if (failedJustNow(failure, stamp, Date.now())) return { reason: why(failure) }
  say(`Downloading Electron ${stamp.version} (about 110 MB, only once).`)
  const { code } = await runNode([at('scripts', 'fetch-electron.mjs')], {
    env: { ELECTRON_RUN_AS_NODE: undefined },
  })
  const program = electronProgram()
  if (code === 0 && program) return { program }
  if (wasStopped(code)) return { code }
  return { reason: why(readStamp('electron-download')) }
}

/** Whether a program was stopped by a signal: SIGHUP, SIGINT, SIGTERM. */
export const wasStopped = (/** @type {number} */ code) => [129, 130, 143].includes(code)
