import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rename, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CoreCheckId } from '../../shared/self-test/checks.ts'
import { discard } from '../../system/file-moves.ts'
import type { HostDeps } from '../host.ts'
import { broke, fail, pass, rounded, unavailable, type Check } from './check.ts'
import { scratchPrefix } from './temporary-folder.ts'

/** Dependencies of the system checks; the optional ones are replaced by tests. */
export interface SystemDeps extends Pick<
  HostDeps,
  'home' | 'keychain' | 'platform' | 'clock' | 'printPdf'
> {
  /** Returns the proxy for a URL, as used by requests to the provider. */
  proxyFor(url: string): Promise<string | null>
  readonly versions: Readonly<Record<string, string | undefined>>
  sqliteVersion(): string
  readonly tempFolder?: string
  /** Returns the number of free bytes on the disk of a folder. */
  freeBytes?(folder: string): Promise<number>
  /** Returns the mode of a folder. */
  modeOf?(folder: string): Promise<number>
}

type SystemCheckId = Extract<
  CoreCheckId,
  | 'versions'
  | 'clock'
  | 'temp-folder'
  | 'data-folder'
  | 'disk-space'
  | 'keychain'
  | 'proxy'
  | 'print'
>

const gigabyte = 1_000_000_000
/** Minimum number of free bytes: a one-hour meeting takes about 0.7 GB with two channels. */
const minFree = gigabyte
/** Minimum versions: the native packages are built for Node 24, the search index needs SQLite 3.45. */
const oldest = { node: [24, 0], sqlite: [3, 45] } as const
/** Earliest year of a correct clock: Lectern did not exist before. */
const earliestYear = 2025
/** Seconds by which clock and disk may differ: network drives and FAT round. */
const clockTolerance = 5

/** Checks of the computer: programs, clock, folders, keychain, network, printing. */
export function systemChecks(deps: SystemDeps): Readonly<Record<SystemCheckId, Check>> {
  const temp = deps.tempFolder ?? tmpdir()
  const modeOf = deps.modeOf ?? (async (path: string): Promise<number> => (await stat(path)).mode)
  const freeBytes =
    deps.freeBytes ??
    (async (folder: string): Promise<number> => {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    })

  return {
    async versions() {
      const { node = '0', electron, v8 = '' } = deps.versions
      const sqlite = deps.sqliteVersion()
      if (older(node, oldest.node)) return fail('outdated', { name: 'Node.js', version: node })
      if (older(sqlite, oldest.sqlite)) return fail('outdated', { name: 'SQLite', version: sqlite })
      const engine = electron === undefined ? `V8 ${v8}` : `Electron ${electron}`
      return pass('versions', { node, sqlite, engine })
    },

    async clock() {
      const year = new Date(deps.clock()).getFullYear()
      if (year < earliestYear || year > earliestYear + 75) return fail('wrongDate')
      return inFolder(temp, async (folder) => {
        const file = join(folder, 'clock')
        await writeFile(file, '')
        const seconds = Math.abs((await stat(file)).mtimeMs - deps.clock()) / 1000
        return seconds > clockTolerance
          ? fail('clockJumps', { seconds: Math.round(seconds) })
          : pass()
      })
    },

    'temp-folder': async () =>
      inFolder(temp, async (folder) => {
        const mode = await modeOf(folder)
        // On Windows the folder is protected by its location in the user's profile; its mode has no meaning.
        if (deps.platform !== 'win32' && (mode & 0o077) !== 0) return fail('openFolder')
        return writeAndRead(folder)
      }),

    'data-folder': () => writeAndRead(deps.home),

    async 'disk-space'() {
      const bytes = await freeBytes(deps.home)
      const free = rounded(bytes / gigabyte)
      return bytes < minFree ? fail('littleSpace', { free }) : pass('space', { free })
    },

    async keychain() {
      // A separate entry under a name that no data folder has: the keys of accounts are not touched.
      const entry = { service: 'Lectern self-test', account: randomBytes(8).toString('hex') }
      const secret = randomBytes(16).toString('hex')
      const { keychain } = deps
      const set = await keychain.set(entry, secret)
      if (!set.ok)
        return set.trouble === 'absent'
          ? unavailable('noKeychain')
          : set.trouble === 'locked'
            ? fail('locked')
            : fail('broke', { code: 'KEYCHAIN' })
      try {
        const read = await keychain.get(entry)
        if (!read.ok || read.value !== secret) return fail('wrongResult')
      } finally {
        await keychain.delete(entry)
      }
      const after = await keychain.get(entry)
      if (!after.ok || after.value !== null) return fail('wrongResult')
      return pass('storedIn', { store: keychain.store })
    },

    async proxy({ signal }) {
      const proxy = await deps.proxyFor('https://open.bigmodel.cn/')
      if (proxy === null) return pass('directNetwork')
      const { hostname, port, protocol } = new URL(proxy)
      const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
      return (await answers(hostname.replace(/^\[|\]$/g, ''), number, signal))
        ? pass('proxyReached')
        : fail('proxyDown')
    },

    async print() {
      const { printPdf } = deps
      if (!printPdf) return unavailable('needsWindow')
      return inFolder(temp, async (folder) => {
        const page = join(folder, 'page.html')
        await writeFile(page, '<!doctype html><meta charset="utf-8"><h1>Lectern</h1><p>检查</p>')
        const pdf = Buffer.from(await printPdf(page))
        const whole = pdf.subarray(0, 5).toString('latin1') === '%PDF-' && pdf.includes('%%EOF')
        return whole ? pass() : fail('wrongResult')
      })
    },
  }
}

/** Whether a version is below `major.minor`. */
function older(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return !(a > major || (a === major && b >= minor))
}

async function inFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(parent, scratchPrefix))
  try {
    return await work(folder)
  } finally {
    await discard(folder)
  }
}

/** Writes a file through to the disk, renames it, reads it back and deletes it. */
async function writeAndRead(folder: string) {
  const first = join(folder, `${scratchPrefix}${randomBytes(6).toString('hex')}`)
  const second = `${first}.renamed`
  const content = randomBytes(4096)
  try {
    const file = await open(first, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(first, second)
    return content.equals(await readFile(second)) ? pass() : fail('wrongResult')
  } catch (error) {
    return broke(error)
  } finally {
    for (const path of [first, second]) await unlink(path).catch(() => {})
  }
}

/** Whether a host accepts connections on a port within three seconds. */
async function answers(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host, port })
  const stop = new AbortController()
  try {
    return await Promise.race([
      new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true))
        socket.once('error', () => resolve(false))
      }),
      sleep(3000, false, { signal: AbortSignal.any([signal, stop.signal]) }).catch(() => false),
    ])
  } finally {
    stop.abort()
    socket.destroy()
  }
}
