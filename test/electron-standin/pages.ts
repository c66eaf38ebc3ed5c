import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright-core'
import type { RunningApp } from './launch.ts'

/** A window of the app as reported by the stand-in. */
export interface ShownWindow {
  /** ID of its web contents. */
  readonly id: number
  readonly targetId: string
  readonly url: string
  readonly title: string
  readonly bounds: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
  readonly visible: boolean
  readonly focused: boolean
  readonly maximized: boolean
  readonly fullScreen: boolean
  readonly crashed: boolean
  readonly zoom: number
}

/**
 * Connects Playwright to the app's browser. Files are chosen by their paths, since both run on the same computer.
 */
export async function connect(app: RunningApp): Promise<Browser> {
  return chromium.connectOverCDP(await app.endpoint, { isLocal: true })
}

/** Returns Playwright's page of a window (by default the first one); waits until both know it. */
export async function pageOf(app: RunningApp, browser: Browser, targetId?: string): Promise<Page> {
  const wanted = targetId ?? (await app.event<{ targetId: string }>('window')).targetId
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(20)) {
    for (const context of browser.contexts()) {
      for (const page of context.pages()) {
        if ((await idOf(page)) !== wanted) continue
        page.setDefaultTimeout(120_000)
        // The app, not the driver, answers dialogs that a page opens before it unloads.
        page.on('dialog', () => {})
        return page
      }
    }
  }
  throw new Error(`The browser shows no page ${wanted}`)
}

const ids = new WeakMap<Page, Promise<string>>()

function idOf(page: Page): Promise<string> {
  let known = ids.get(page)
  if (!known) {
    known = (async () => {
      const session = await page.context().newCDPSession(page)
      const { targetInfo } = await session.send('Target.getTargetInfo')
      await session.detach()
      return targetInfo.targetId
    })().catch(() => '')
    ids.set(page, known)
  }
  return known
}
