import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import {
  openBrowser,
  watch,
  type Browser,
  type BrowserOptions,
  type Trouble,
} from '../fixtures/chromium.ts'
import { startHost, type HostProcess } from '../fixtures/host-process.ts'

/** The built app in a real browser, with a data folder of its own. */
export interface Lectern {
  readonly home: string
  readonly host: HostProcess
  readonly browser: Browser
  readonly page: Page
  readonly trouble: Trouble
  /** Ends the host and starts it again on the same data; gives a new page. */
  restart(): Promise<Lectern>
  /** Ends the host at once (SIGKILL) and starts it again on the same data; gives a new page. */
  killed(): Promise<Lectern>
  /** Closes everything and removes the data. */
  close(): Promise<void>
}

/** How the app is opened. */
export interface LecternOptions extends BrowserOptions {
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts host and browser and enters by the launch address; resolves when the frame is drawn. */
export async function openLectern(options: LecternOptions = {}): Promise<Lectern> {
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
