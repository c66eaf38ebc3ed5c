import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { enter, type BridgeClient } from '../test/fixtures/bridge-client.ts'
import { openBrowser } from '../test/fixtures/chromium.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { longPdf } from './pdf-600/long-pdf.ts'
import { plainDrawing } from './pdf-600/plain.ts'
import { canvasesOf, fling, jumpTo, openReader } from './pdf-600/reader.ts'
import { rendererMegabytes } from './pdf-600/renderer-memory.ts'
import { against, alone, median, quantile, type Bench, type Row } from './row.ts'

const pages = 600
const jumpBudgetMs = 300
const memoryBudgetMb = 350
const canvasBudget = 7
const frameBudgetMs = 1000 / 60

/** Far from each other, so that none is drawn already as the neighbour of another. */
const jumps = [600, 5, 300, 450, 100, 550, 200, 350, 50, 500, 599] as const

/**
 * A PDF of 600 pages in the built app: opening, jumps to pages far away beside plain drawing of the same pages, a fling
 * through all of it with the small pictures stored, canvases and memory.
 */
export async function measurePages(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-pages-'))
  const profile = join(folder, 'browser')
  const host = await startHost(join(folder, 'home'))
  const browser = await openBrowser({ profile })
  try {
    const client = await enter(host.launchUrl)
    const { id, mediaId } = await longDocument(client)
    const [name = '', value = ''] = client.cookie.split('=')
    await browser.context.addCookies([{ name, value, url: client.origin }])
    await browser.context.addInitScript(
      (key) => sessionStorage.setItem('lectern-key', key),
      client.key,
    )
    const page = await browser.page()
    const opening = await openReader(page, client.origin, id)
    const times: number[] = []
    for (const number of jumps) {
      times.push(await jumpTo(page, number, pages))
      await sleep(400)
    }
    const width = await page.evaluate(
      () => document.querySelector<HTMLCanvasElement>('.host canvas')?.width ?? 0,
    )
    const flung = await fling(page)
    await sleep(2000)
    const memory = rendererMegabytes(profile)
    const canvases = await canvasesOf(page)
    const plainPage = await browser.page()
    await plainPage.goto(`${client.origin}/`)
    const plain = await plainDrawing(plainPage, {
      programs: programs(),
      url: `/media/${encodeURIComponent(mediaId)}`,
      pages: jumps,
      width,
    })
    client.close()
    const last = {
      name: `jump to the last of ${pages} pages, drawn`,
      figure: times[0] ?? 0,
      unit: 'ms',
    }
    const jump = { name: 'jump to a page far away, median', figure: median(times), unit: 'ms' }
    return [
      alone({ name: `opening ${pages} pages to the first one drawn`, figure: opening, unit: 'ms' }),
      against(last, 'budget', jumpBudgetMs),
      against(jump, 'plain pdf.js drawing the same pages', median(plain)),
      alone({ name: 'jump, slowest of ten', figure: quantile(times, 0.9), unit: 'ms' }),
      alone({
        name: `blank frames of ${flung.frames} in a fling`,
        figure: flung.blank,
        unit: 'frames',
      }),
      against(
        { name: 'frame of a fling, p95', figure: quantile(flung.frameMs, 0.95), unit: 'ms' },
        'budget',
        frameBudgetMs,
      ),
      against(
        { name: 'renderer in memory after it', figure: memory, unit: 'MB' },
        'budget',
        memoryBudgetMb,
      ),
      against(
        { name: 'canvases alive', figure: canvases, unit: 'canvases' },
        'budget',
        canvasBudget,
      ),
    ]
  } finally {
    await browser.close()
    await host.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Takes the file in, waits until it was looked at, and has all its small pictures stored. */
async function longDocument(
  client: BridgeClient,
): Promise<{ readonly id: string; readonly mediaId: string }> {
  const media = await client.intake('long.pdf', await longPdf(pages))
  const { document } = await client.call('documents.create', { mediaId: media.id })
  for (;;) {
    const { document: now } = await client.call('documents.get', { id: document.id })
    if (now.facts) break
    await sleep(100)
  }
  for (let page = 1; page <= pages; page++)
    await client.call('documents.picture', { id: document.id, page, width: 160 })
  return { id: document.id, mediaId: media.id }
}

/** pdf.js as the built page has it. */
function programs(): { readonly pdfjs: readonly string[]; readonly worker: string } {
  const names = readdirSync(fileURLToPath(new URL('../out/renderer/assets', import.meta.url)))
  const worker = names.find((name) => /^pdf\.worker.*\.mjs$/.test(name))
  if (!worker) throw new Error('the built page holds no worker of pdf.js')
  return {
    pdfjs: names.filter((name) => /^pdf-.*\.js$/.test(name)).map((name) => `/assets/${name}`),
    worker: `/assets/${worker}`,
  }
}

/** See {@link measurePages}. */
export const bench: Bench = { name: 'pdf-600', run: measurePages }
