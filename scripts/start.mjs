import { build } from './build.mjs'
import { ensureElectron, noWindowReason, runWindow, sandboxRepairHere } from './lib/electron.mjs'
import { at } from './lib/paths.mjs'
import { runNode } from './lib/runtime.mjs'
import { say, script } from './lib/say.mjs'
import { setup } from './setup.mjs'

/** Whether the arguments contain flags that only the loopback host has, and therefore request that host. */
const wantsLoopback = (/** @type {readonly string[]} */ args) =>
  args.some((arg) => /^--(no-open|port|loopback)(=|$)/.test(arg))

/** Opens the other host: the same app, served on 127.0.0.1 and opened in the browser. */
async function openLoopback(/** @type {readonly string[]} */ args) {
  const own = args.filter((arg) => arg !== '--loopback')
  const { code } = await runNode([at('out', 'loopback', 'index.js'), ...own])
  return code
}

/** Opens the window; returns a reason if it cannot be opened here. */
async function openWindow(/** @type {readonly string[]} */ args) {
  const cannot = noWindowReason()
  if (cannot) return { reason: cannot }
  const electron = await ensureElectron()
  if (!('program' in electron)) return electron
  const { code, failed } = await runWindow(electron.program, [at(), ...args])
  if (!failed) return { code }
  const repair = sandboxRepairHere(electron.program)
  if (!repair)
    return {
      reason:
        code === 0 ? 'Electron quit immediately' : `Electron quit immediately with code ${code}`,
    }
  say(
    `This system does not allow Electron’s sandbox. To fix this, run these two commands once:\n  ${repair.join('\n  ')}`,
  )
  return { reason: 'the system does not allow Electron’s sandbox' }
}

await script(async () => {
  const args = process.argv.slice(2)
  await setup()
  await build()
  if (wantsLoopback(args)) return openLoopback(args)
  const window = await openWindow(args)
  if ('code' in window) return window.code
  say(`Opening Lectern in your browser instead of a window: ${window.reason}.`)
  return openLoopback(args)
})
