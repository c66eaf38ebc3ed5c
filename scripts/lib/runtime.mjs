import { existsSync } from 'node:fs'
import { run } from './command.mjs'
import { appNeeds, atLeast } from './node-version.mjs'
import { at } from './paths.mjs'
import { Problem, say } from './say.mjs'

/** The Node that is installed as a package, the same version line as in Electron. */
const packaged = at(
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/** The Node that runs everything except the scripts: the packaged one, or ours if it is new enough; null if neither is. */
export function runtime() {
  if (existsSync(packaged)) return packaged
  return atLeast(process.version, appNeeds) ? process.execPath : null
}

/** Like {@link runtime}, but throws a Problem if there is none. */
export function needRuntime() {
  const node = runtime()
  if (node) return node
  throw new Problem(
    `Lectern runs on Node ${appNeeds.join('.')} or later. This is ${process.version}, and node_modules/node contains no executable.`,
    'Run `npm run setup`.',
  )
}

/**
 * Runs a program of node_modules, or one of our scripts, on that Node.
 * @param {readonly string[]} args the script and its arguments
 * @param {import('./command.mjs').Options} [options]
 */
export const runNode = (args, options) => run(needRuntime(), args, options)

/** Fetches the packaged Node if npm did not run its install script (npm 12 asks for confirmation first). */
export async function ensureRuntime() {
  if (existsSync(packaged)) return
  say('Downloading Node 24, which Lectern runs on.')
  const { code, output } = await run(process.execPath, ['installArchSpecificPackage'], {
    cwd: at('node_modules', 'node'),
    capture: true,
  })
  if (existsSync(packaged)) return
  if (runtime()) {
    say(`The download failed, but this Node (${process.version}) is new enough.`)
    return
  }
  throw new Problem(
    `Node 24 could not be downloaded (code ${code}).\n${output.trim()}`,
    `Install Node ${appNeeds.join('.')} or later, or check the network, then try again.`,
  )
}
