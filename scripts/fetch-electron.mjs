import { copyFile, mkdir, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { downloadArtifact } from '@electron/get'
import { isMain } from './lib/args.mjs'
import { run } from './lib/command.mjs'
import { download, reasonOf } from './lib/download.mjs'
import { downloadStamp, electronFolder } from './lib/electron.mjs'
import { stampFolder } from './lib/paths.mjs'
import { Problem, say } from './lib/say.mjs'
import { clearStamp, writeStamp } from './lib/stamps.mjs'

/**
 * Downloads Electron's program and unpacks it where its package expects it. A separate program, run by `npm start` on the
 * packaged Node: the libraries it uses require a newer Node than the scripts do.
 */

const mb = (/** @type {number} */ bytes) => Math.round(bytes / 1e6)

/**
 * Prints progress: in a terminal one line that is overwritten, elsewhere one line per 10%.
 * @param {{ isTTY?: boolean, write(text: string): unknown }} out
 * @param {() => number} [now] milliseconds
 */
export function progressPrinter(out, now = () => performance.now()) {
  let last = -Infinity
  let tenth = -1
  return (/** @type {{ bytes: number, total: number | null }} */ { bytes, total }) => {
    const share = total ? Math.floor((bytes / total) * 100) : null
    const text = total ? `${mb(bytes)} of ${mb(total)} MB, ${share}%` : `${mb(bytes)} MB`
    if (out.isTTY) {
      if (now() - last < 200 && bytes !== total) return
      last = now()
      out.write(`\r  ${text}   ${bytes === total ? '\n' : ''}`)
    } else if (share !== null && Math.floor(share / 10) > tenth) {
      tenth = Math.floor(share / 10)
      out.write(`  ${text}\n`)
    }
  }
}

/** The processor architecture to fetch for: an Intel Node under Rosetta gets the program for the actual Mac. */
async function processor() {
  if (process.platform !== 'darwin' || process.arch !== 'x64') return process.arch
  const { output } = await run('sysctl', ['-in', 'sysctl.proc_translated'], { capture: true })
  return output.trim() === '1' ? 'arm64' : 'x64'
}

/**
 * Downloads the archive into the cache of @electron/get, which supports mirrors (ELECTRON_MIRROR) and verifies it against the
 * checksums of the package; the package's own installer then unpacks it from there. An archive that fails verification is
 * downloaded once more from the beginning.
 * @param {object} [options]
 * @param {string} [options.folder] Electron's package
 * @param {string} [options.partFolder] where a partial download is stored
 * @param {import('./lib/download.mjs').DownloadOptions} [options.transfer]
 */
export async function fetchElectron({
  folder = electronFolder,
  partFolder = stampFolder,
  transfer = {},
} = {}) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const arch = await processor()
  const downloader = {
    download: async (/** @type {string} */ url, /** @type {string} */ target) => {
      say(`  from ${new URL(url).host}`)
      const file = join(partFolder, basename(target))
      await mkdir(partFolder, { recursive: true })
      await download(url, file, { onProgress: progressPrinter(process.stdout), ...transfer })
      await copyFile(file, target)
      await rm(file)
    },
  }
  const fetchOnce = () =>
    downloadArtifact({
      version: read('package.json').version,
      artifactName: 'electron',
      platform: process.platform,
      arch,
      checksums: read('checksums.json'),
      ...(process.env['electron_config_cache'] && {
        cacheRoot: process.env['electron_config_cache'],
      }),
      downloader,
    })
  const isWrong = (/** @type {unknown} */ error) =>
    error instanceof Error && error.constructor.name.startsWith('Checksum')
  try {
    await fetchOnce().catch((error) => {
      if (!isWrong(error)) throw error
      say('  The checksum does not match. Downloading again.')
      return fetchOnce()
    })
  } catch (error) {
    throw isWrong(error) ? new Problem('the download does not match its checksum') : error
  }
  const { code, output } = await run(process.execPath, [join(folder, 'install.js')], {
    capture: true,
    env: { ELECTRON_INSTALL_PLATFORM: process.platform, ELECTRON_INSTALL_ARCH: arch },
  })
  if (code !== 0)
    throw new Problem(`the archive could not be unpacked: ${output.trim().split('\n')[0]}`)
}

if (isMain(import.meta.url)) {
  try {
    await fetchElectron()
    clearStamp('electron-download')
  } catch (error) {
    writeStamp('electron-download', { ...downloadStamp(), reason: reasonOf(error), at: Date.now() })
    process.exitCode = 1
  }
}
