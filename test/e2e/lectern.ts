import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import {
  openBrowser,
  watch,
  type Browser,
  type BrowserOptions,
  type Problem,
} from '../fixtures/chromium.ts'
import { startHost, type HostProcess } from '../fixtures/host-process.ts'

/** Built app in a real browser, with its own data folder. */
export interface Lectern {
  readonly home: string
  readonly host: HostProcess
  readonly browser: Browser
  readonly page: Page
  readonly trouble: Problem
  /** Base URL of the page's media. */
  readonly mediaBase: string
  /** Runs an action that saves a file, and returns the file: a download, or the choice in the system's dialog. */
  saved(act: () => Promise<unknown>): Promise<SavedFile>
  /** Runs an action that opens an external link, declines the confirmation, and returns its text. */
  leaving(act: () => Promise<unknown>): Promise<string>
  /** Runs an action that opens another page of the app, and returns the page. */
  opened(act: () => Promise<unknown>): Promise<Page>
  /** Ends the host and restarts it with the same data; returns a new page. */
  restart(): Promise<Lectern>
  /** Kills the host (SIGKILL) and restarts it with the same data; returns a new page. */
  killed(): Promise<Lectern>
  /** Closes everything and deletes the data. */
  close(): Promise<void>
}

/** File saved by the app. */
export interface SavedFile {
  /** File name suggested by the app. */
  readonly name: string
  readonly path: string
}

/** Options for opening the app. */
export interface LecternOptions extends BrowserOptions {
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Whether the browser tests run on the built Electron app (`test/electron`) instead of the loopback host. */
export const overElectron = process.env['LECTERN_E2E_HOST'] === 'electron'

/**
 * Starts host and browser and opens the launch URL; resolves when the frame is rendered. With Electron: starts the app on the
 * stand-in and drives its window.
 */
export async function openLectern(options: LecternOptions = {}): Promise<Lectern> {
  if (overElectron) return (await import('../electron/lectern.ts')).openElectronLectern(options)
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'lectern-e2e-')))
  const host = await startHost(home, options.env)
  const browser = await openBrowser(options)
  const page = await browser.page()
  const trouble = await watch(page, new URL(host.launchUrl).origin)
  await page.goto(host.launchUrl)
  await page.getByRole('navigation').first().waitFor()
  const shut = async (): Promise<void> => {
    await browser.close()
    await host.stop()
  }
  return {
    home,
    host,
    browser,
    page,
    trouble,
    mediaBase: new URL('/media/', host.launchUrl).href,
    async saved(act) {
      const [download] = await Promise.all([page.waitForEvent('download'), act()])
      const name = download.suggestedFilename()
      const path = join(home, 'saved', name)
      await download.saveAs(path)
      return { name, path }
    },
    async leaving(act) {
      await act()
      const question = await page.getByTestId('link-address').innerText()
      await page.keyboard.press('Escape')
      return question
    },
    async opened(act) {
      return (await Promise.all([browser.context.waitForEvent('page'), act()]))[0]
    },
    async restart() {
      await shut()
      return openLectern({ ...options, home })
    },
    async killed() {
      await host.kill()
      await browser.close()
      return openLectern({ ...options, home })
    },
    async close() {
      await shut()
      await rm(home, { recursive: true, force: true })
    },
  }
}
