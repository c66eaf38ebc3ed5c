import { app } from 'electron'
import type { HomeLock } from '../support/instance.ts'
import { runSelfTest, type SelfTestRequest } from '../support/self-test.ts'
import { stopLimits, within } from '../support/stopping.ts'
import type { ElectronCore } from './core.ts'
import type { ElectronDeps } from './deps.ts'
import type { AppWindows } from './windows.ts'

/** Maximum milliseconds for the page to load before its checks are requested. */
const loadMs = 15_000

/** Runs the self-test of `--self-test` in the open window, prints its report, and ends the program with its exit code. */
export async function testAndExit(
  lectern: ElectronCore,
  held: HomeLock,
  deps: ElectronDeps,
  windows: AppWindows,
  request: SelfTestRequest,
): Promise<void> {
  const end = async (code: number): Promise<void> => {
    // A core that did not stop may still write: the lock is then released with this process.
    if (await within(stopLimits.app, lectern.stop())) held.release()
    else lectern.kill()
    app.exit(code)
  }
  // Closing the window ends the test, which is then incomplete.
  app.on('window-all-closed', () => void end(2))
  const contents = windows.current()?.webContents
  const loaded = Promise.withResolvers<void>()
  contents?.once('did-finish-load', () => loaded.resolve())
  await within(loadMs, loaded.promise)
  // The page may capture the computer's audio only after a user gesture.
  await contents?.executeJavaScript('0', true).catch(() => {})
  const code = await runSelfTest({
    app: lectern,
    ids: deps.ids,
    request,
    pages: true,
    about: deps.services,
    print: (line) => void process.stderr.write(`${line}\n`),
    write: (json) => void process.stdout.write(`${json}\n`),
  }).catch((error: unknown) => {
    deps.log.error('self-test failed', { error })
    return 2
  })
  await end(code)
}
