import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openBrowser, type Browser } from '../../test/fixtures/chromium.ts'
import type { BridgeClient } from '../../test/fixtures/bridge-client.ts'
import { against, alone, median, type Row } from '../row.ts'

const heapBudgetMb = 60
const drawBudgetMs = 150
const openings = 11
/** From the page's first sight to the choice, in ms: what it reads ahead while nothing happens is there. */
const restMs = 700
/** From the drawn waveform to the look at the heap, in ms. */
const settleMs = 2000

/** The two meetings that are opened. */
export interface Opened {
  readonly emptyId: string
  readonly longId: string
}

/** A long meeting in a browser: heap of the page over that of an empty one, and how soon its waveform is drawn. */
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
        // Every line of it is there by then.
        await sleep(settleMs)
        heaps[name].push(await heapMb(page))
        await page.close()
      }
    }
    // The first of each found nothing compiled.
    const [emptyHeap, longHeap] = [heaps.empty, heaps.long].map((each) => median(each.slice(1)))
    const grown = (longHeap ?? 0) - (emptyHeap ?? 0)
    return [
      alone({ name: 'heap with a meeting of a second open', figure: emptyHeap ?? 0, unit: 'MB' }),
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
        'the meeting of a second',
        median(draws.empty.slice(1)),
      ),
    ]
  } finally {
    await browser.close()
  }
}

/** Lets pages of the browser in where the client already is. */
async function enterBrowser(
  browser: Browser,
  { origin, cookie, key }: BridgeClient,
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await browser.context.addCookies([{ name, value, url: origin }])
  await browser.context.addInitScript((k) => sessionStorage.setItem('lectern-key', k), key)
}

/** Opens the meeting in a page that shows the list, as at rest as when somebody chooses from it; milliseconds between the page's own two marks. */
async function drawTime(page: Page, origin: string, id: string): Promise<number> {
  await page.goto(`${origin}/`)
  // The page has gone to where it begins: what is asked for earlier would be overtaken by that.
  await page.waitForURL(/#\/recordings$/)
  await page.getByRole('navigation').first().waitFor()
  await sleep(restMs)
  // Nothing of the bench runs in the page between the two marks: looking every frame would cost a tenth of the figure.
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
        location.hash = `#/recordings/${to}`
      }),
    id,
  )
}

/** Megabytes in use after a collection. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}
