import { build } from './build.mjs'
import { run } from './lib/command.mjs'
import { ensureElectron, noWindowReason } from './lib/electron.mjs'
import { at } from './lib/paths.mjs'
import { runNode } from './lib/runtime.mjs'
import { say, script } from './lib/say.mjs'
import { setup } from './setup.mjs'

/** A window that closes with an error this soon (ms) never showed anything. */
const tooSoon = 15_000

/** Codes of a program that was told to stop: SIGHUP, SIGINT, SIGTERM. */
const wasStopped = [129, 130, 143]

/** Flags that only the loopback host knows: who gives one wants that host. */
const wantsLoopback = (/** @type {readonly string[]} */ args) =>
  args.some((arg) => /^--(no-open|port|loopback)(=|$)/.test(arg))

/** The other host: the same app, served on 127.0.0.1 and opened in the browser. */
async function openLoopback(/** @type {readonly string[]} */ args) {
  const own = args.filter((arg) => arg !== '--loopback')
  const { code } = await runNode([at('out', 'loopback', 'index.js'), ...own])
  return code
}

/** Opens the window; a reason when it cannot be opened here. */
async function openWindow(/** @type {readonly string[]} */ args) {
  const cannot = noWindowReason()
  if (cannot) return { reason: cannot }
  const electron = await ensureElectron()
  if ('reason' in electron) return electron
  const start = Date.now()
  const { code } = await run(electron.program, [at(), ...args])
  if (code === 0 || wasStopped.includes(code) || Date.now() - start > tooSoon) return { code }
  return { reason: `it ended at once with code ${code}` }
}

await script(async () => {
  const args = process.argv.slice(2)
  await setup()
  await build()
  if (wantsLoopback(args)) return openLoopback(args)
  const window = await openWindow(args)
  if ('code' in window) return window.code
  say(`No Electron window (${window.reason}): opening Lectern in your browser instead.`)
  return openLoopback(args)
})
