import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromiumPath, quietFlags } from '../fixtures/chromium-program.ts'
import { CdpConnection } from './cdp.ts'
import { reportEvent } from './control.ts'

/** Chromium instance that shows the windows. */
export interface RunningBrowser {
  readonly connection: CdpConnection
  readonly process: ChildProcess
  /** Endpoint through which another program can drive the same browser. */
  readonly endpoint: string
}

/** Flags of the stand-in: those of the driver are in STANDIN_CHROMIUM_FLAGS, one per line. */
const flags = (proxyPort: number, profile: string): readonly string[] => [
  ...quietFlags,
  '--headless=new',
  '--remote-debugging-port=0',
  // Chromium ends when this pipe closes: when our process ends, even by SIGKILL.
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  // Every request goes through the session, including loopback; nothing goes anywhere else.
  `--proxy-server=http://127.0.0.1:${proxyPort}`,
  '--proxy-bypass-list=<-loopback>',
  '--autoplay-policy=no-user-gesture-required',
  // Permissions are decided by the app's handlers before Chromium is asked.
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--disable-popup-blocking',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-features=LocalNetworkAccessChecks,Translate,HttpsUpgrades',
  // Electron enables the close event of ports (`shell/renderer/renderer_client_base.cc`).
  '--enable-blink-features=MessagePortCloseEvent',
  '--no-startup-window',
  // Pages use the app's language (`ElectronBrowserContext`, `shell/browser/electron_browser_context.cc`).
  `--accept-lang=${process.env['STANDIN_LOCALE'] ?? 'en-US'}`,
  ...(process.env['STANDIN_CHROMIUM_FLAGS'] ?? '').split('\n').filter((flag) => flag !== ''),
]

/** Starts Chromium with the profile of this session data folder; resolves when it can be driven. */
export async function startBrowser(
  sessionData: string,
  proxyPort: number,
): Promise<RunningBrowser> {
  const profile = join(sessionData, 'standin-profile')
  mkdirSync(profile, { recursive: true })
  // Left by a process that was killed.
  for (const name of ['SingletonLock', 'SingletonCookie', 'SingletonSocket', 'DevToolsActivePort'])
    rmSync(join(profile, name), { force: true })
  const child = spawn(chromiumPath(), flags(proxyPort, profile), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  // Electron's windows end with its process, however that ends.
  process.on('exit', () => void child.kill('SIGKILL'))
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-20_000)
      const found = /DevTools listening on (ws:\/\/\S+)/.exec(output)
      if (found?.[1]) resolve(found[1])
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}:\n${output}`)))
  })
  const connection = await CdpConnection.open(endpoint)
  await connection.browser.send('Target.setDiscoverTargets', { discover: true })
  reportEvent('browser', { endpoint, pid: child.pid })
  return { connection, process: child, endpoint }
}

let running: Promise<RunningBrowser> | null = null

/** Returns the running browser, which `app` starts when it gets ready. */
export function theBrowser(): Promise<RunningBrowser> {
  if (!running) throw new Error('Windows can be made only after the app is ready')
  return running
}

/** Starts the only browser of this process. */
export function useBrowser(sessionData: string, proxyPort: number): Promise<RunningBrowser> {
  running ??= startBrowser(sessionData, proxyPort)
  return running
}
