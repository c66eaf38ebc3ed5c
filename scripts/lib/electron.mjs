import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.mjs'
import { at } from './paths.mjs'
import { needRuntime } from './runtime.mjs'
import { say } from './say.mjs'
import { clearStamp, readStamp, writeStamp } from './stamps.mjs'

const electronFolder = at('node_modules', 'electron')
const patience = 5 * 60_000
const aDay = 24 * 60 * 60_000

/** The Electron program when its package has fetched it; null when not. */
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
 * Why a window cannot be opened here, whatever is installed; null when it can.
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv, uid: number | undefined }} [machine]
 */
export function noWindowReason(
  machine = { platform: process.platform, env: process.env, uid: process.getuid?.() },
) {
  if (machine.platform !== 'linux') return null
  if (!machine.env['DISPLAY'] && !machine.env['WAYLAND_DISPLAY']) return 'there is no display here'
  if (machine.uid === 0) return 'Electron keeps its sandbox on and so does not run as root'
  return null
}

/** The last telling line of what a download said. */
function reasonOf(/** @type {string} */ output) {
  const line = output.split('\n').find((text) => /error|failed|not found|refused/i.test(text))
  return line?.trim().replace(/^\w*Error: /, '') ?? 'no reason given'
}

/**
 * The Electron program, fetched when it is not there. A failed download is remembered for a day, so that later starts are quick.
 * @returns {Promise<{ program: string } | { reason: string }>}
 */
export async function ensureElectron() {
  const there = electronProgram()
  if (there) return { program: there }
  const { version } = JSON.parse(readFileSync(join(electronFolder, 'package.json'), 'utf8'))
  const failure = readStamp('electron-download')
  if (failure?.version === version && Date.now() - failure.at < aDay)
    return { reason: failure.reason }
  say(`Fetching Electron ${version}, once (about 110 MB).`)
  const { code, timedOut, output } = await run(
    needRuntime(),
    [join(electronFolder, 'install.js')],
    {
      capture: true,
      timeoutMs: patience,
    },
  )
  const program = electronProgram()
  if (code === 0 && program) {
    clearStamp('electron-download')
    return { program }
  }
  const why = timedOut ? `no end after ${patience / 60_000} minutes` : reasonOf(output)
  const reason = `its program could not be downloaded: ${why}; npx install-electron tries again`
  writeStamp('electron-download', { version, reason, at: Date.now() })
  return { reason }
}
