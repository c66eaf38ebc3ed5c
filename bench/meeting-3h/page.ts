import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openBrowser, type Browser } from '../../test/fixtures/chromium.ts'
import type { BridgeClient } from '../../test/fixtures/bridge-client.ts'
import { against, alone, median, type Row } from '../row.ts'

const heapBudgetMb = 60
const drawBudgetMs = 150
const openings = 11
/** Time from the page's first display to the click, in ms: by then it has preloaded what it loads while idle. */
const restMs = 700
/** Time from the drawn waveform to the heap measurement, in ms. */
const settleMs = 2000

export interface Opened {
  readonly emptyId: string
  readonly longId: string
}

/**
 * Opens a long meeting in a browser: heap of the page compared with that of an empty meeting, and time until its waveform is
 * drawn.
 */
export async function pageRows(client: BridgeClient, { emptyId, longId }: Opened): Promise<Row[]> {
  const browser = await openBrowser()
  try {
    await enterBrowser(browser, client)
    const heaps = { empty: [] as number[], long: [] as number[] }
    const draws = { empty: [] as number[], long: [] as number[] }
    for (let opening = 0; opening < openings; opening++) {
      for (const [name, id] of [
        ['empty', emptyId],
        ['long', longId],
      ] as const) {
        const page = await browser.page()
        draws[name].push(await drawTime(page, client.origin, id))
        // By then all its lines are there.
        await sleep(settleMs)
        heaps[name].push(await heapMb(page))
        await page.close()
      }
    }
    // The first measurement of each had nothing compiled yet.
    const [emptyHeap, longHeap] = [heaps.empty, heaps.long].map((each) => median(each.slice(1)))
    const grown = (longHeap ?? 0) - (emptyHeap ?? 0)
    return [
      alone({ name: 'heap with a one-second meeting open', figure: emptyHeap ?? 0, unit: 'MB' }),
      against(
        { name: 'heap added by the long meeting', figure: grown, unit: 'MB' },
        'budget',
        heapBudgetMb,
      ),
      against(
        {
          name: 'opening to drawn waveform',
          figure: median(draws.long.slice(1)),
          unit: 'ms',
        },
        'budget',
        drawBudgetMs,
      ),
      against(
        {
          name: 'opening to drawn waveform',
          figure: median(draws.long.slice(1)),
          unit: 'ms',
        },
        'a one-second meeting',
        median(draws.empty.slice(1)),
      ),
    ]
  } finally {
    await browser.close()
  }
}

/** Authenticates the browser's pages as the client. */
async function enterBrowser(
  browser: Browser,
  { origin, cookie, key }: BridgeClient,
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await browser.context.addCookies([{ name, value, url: origin }])
  await browser.context.addInitScript((k) => sessionStorage.setItem('lectern-key', k), key)
}

/**
 * Opens the meeting in an idle page that shows the list, as when a user selects it; milliseconds between the page's own two
 * marks.
 */
async function drawTime(page: Page, origin: string, id: string): Promise<number> {
  await page.goto(`${origin}/`)
  // The page has navigated to its start route, which would override an earlier navigation.
  await page.waitForURL(/#\/meetings$/)
  await page.getByRole('navigation').first().waitFor()
  await sleep(restMs)
  // No benchmark code runs in the page between the two marks: checking every frame would cost a tenth of the figure.
  return page.evaluate(
    (to) =>
      new Promise<number>((resolve) => {
        const at = (mark: string): number =>
          performance.getEntriesByName(mark).at(-1)?.startTime ?? Number.NaN
        new PerformanceObserver((_, observer) => {
          if (Number.isNaN(at('lectern:waveform'))) return
          observer.disconnect()
          resolve(at('lectern:waveform') - at('lectern:meeting-open'))
        }).observe({ type: 'mark' })
        location.hash = `#/meetings/${to}`
      }),
    id,
  )
}

/** Megabytes in use after a garbage collection. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}
