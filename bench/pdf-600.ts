import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { enter, type BridgeClient } from '../test/fixtures/bridge-client.ts'
import { openBrowser } from '../test/fixtures/chromium.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { worstBlockRows } from './pdf-600/block-tasks.ts'
import { watched } from './host-pauses.ts'
import { barePage, cookieOf } from './pdf-600/bare-page.ts'
import { fillLibrary, layoutService, type Library } from './pdf-600/documents.ts'
import { plainDrawing } from './pdf-600/plain.ts'
import {
  canvasesOf,
  fling,
  jumpTo,
  openReader,
  awaitReady,
  type Fling,
  type Opened,
} from './pdf-600/reader.ts'
import { rendererMegabytes } from './pdf-600/renderer-memory.ts'
import { scanRows } from './pdf-600/scan-rows.ts'
import { hoverTimes, openText, textRows } from './pdf-600/text-rows.ts'
import { against, alone, measured, median, quantile, type Bench, type Row } from './row.ts'

const pages = 600
const jumpBudgetMs = 300
const memoryBudgetMb = 350
const canvasBudget = 7
const frameBudgetMs = 1000 / 60
/** Time from a fling until the browser has garbage-collected, in milliseconds. */
const restMs = 25_000

/** Pages far from each other, so that none is already drawn as the neighbor of another. */
const jumps = [600, 5, 300, 450, 100, 550, 200, 350, 50, 500, 599] as const

/**
 * Measures a PDF of 600 full pages in the built app: main's pauses while it is imported, parsed, indexed and read; opening, jumps
 * to distant pages compared with plain drawing of the same pages, a fling through all pages, canvases and memory; text and blocks
 * side by side; the worst blocks; scans.
 */
export async function measurePages(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-pages-'))
  const service = await layoutService()
  const host = await startHost(join(folder, 'home'), watched)
  try {
    const client = await enter(host.launchUrl)
    const library = await fillLibrary(client, { host, service, pages })
    const pageRows = await readerRows(join(folder, 'reader'), client, library)
    const worst = await blockRows(client, library)
    const scans = measured(await scanRows(join(folder, 'scans'), client, library.scans))
    client.close()
    return [...library.rows, ...pageRows, ...worst, ...scans]
  } finally {
    await host.stop()
    await service.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Opens the long document, jumps, hovers over blocks and flings; then draws its pages plainly and opens its text again. */
async function readerRows(
  profile: string,
  client: BridgeClient,
  { long }: Library,
): Promise<readonly Row[]> {
  const page = await barePage(profile, client)
  try {
    const opened = await openReader(page, client.origin, long.id)
    const times: number[] = []
    for (const number of jumps) {
      times.push(await jumpTo(page, number, pages))
      await sleep(400)
    }
    const hovers = await hoverTimes(page)
    const width = await page.evaluate(
      () => document.querySelector<HTMLCanvasElement>('.host canvas')?.width ?? 0,
    )
    const flung = await fling(page)
    await sleep(2000)
    const flungMemory = rendererMegabytes(profile)
    await sleep(restMs)
    const memory = rendererMegabytes(profile)
    const canvases = await canvasesOf(page)
    await page.goto(`${client.origin}/`)
    const plain = await plainDrawing(page, {
      programs: programs(),
      url: `/media/${encodeURIComponent(long.mediaId)}`,
      pages: jumps,
      width,
    })
    await page.goto(`${client.origin}/`)
    await awaitReady(page)
    const text = await openText(page, long.id)
    const results = { opened, times, plain, flung, flungMemory, memory, canvases }
    return measured([...longRows(results), ...textRows(text, hovers)])
  } finally {
    await page.close()
  }
}

interface Measurements {
  readonly opened: Opened
  readonly times: readonly number[]
  readonly plain: readonly number[]
  readonly flung: Fling
  /** Memory two seconds after the fling, before garbage collection; `memory` is measured at rest. */
  readonly flungMemory: number
  readonly memory: number
  readonly canvases: number
}

function longRows({ opened, times, plain, flung, ...after }: Measurements): readonly Row[] {
  const last = { name: `jump to the last of ${pages} pages, rendered`, figure: times[0] ?? 0 }
  const jump = { name: 'jump to a distant page, median', figure: median(times), unit: 'ms' }
  const blank = { name: `blank frames of ${flung.frames} in a fling`, figure: flung.blank }
  const frame = { name: 'frame of a fling, p95', figure: quantile(flung.frameMs, 0.95), unit: 'ms' }
  const memoryAfter = {
    name: 'renderer memory, idle after the fling',
    figure: after.memory,
    unit: 'MB',
  }
  const full = {
    name: 'renderer memory two seconds after the fling, before garbage collection',
    figure: after.flungMemory,
    unit: 'MB',
  }
  const alive = { name: 'canvases alive', figure: after.canvases, unit: 'canvases' }
  const first = {
    name: `opening ${pages} pages to a preview of the first one`,
    figure: opened.shown,
  }
  return [
    against({ ...first, unit: 'ms' }, 'budget', jumpBudgetMs),
    alone({ name: 'opening to the rendered first page', figure: opened.drawn, unit: 'ms' }),
    against({ ...last, unit: 'ms' }, 'budget', jumpBudgetMs),
    against(jump, 'plain pdf.js rendering the same pages', median(plain)),
    alone({ name: 'jump, p90', figure: quantile(times, 0.9), unit: 'ms' }),
    alone({ ...blank, unit: 'frames' }),
    against(frame, 'budget', frameBudgetMs),
    against(memoryAfter, 'budget', memoryBudgetMb),
    alone(full),
    against(alive, 'budget', canvasBudget),
  ]
}

/** Measures the worst blocks in a browser with task tracing. */
async function blockRows(client: BridgeClient, library: Library): Promise<readonly Row[]> {
  const browser = await openBrowser()
  try {
    await browser.context.addCookies([cookieOf(client)])
    await browser.context.addInitScript(
      (key) => sessionStorage.setItem('lectern-key', key),
      client.key,
    )
    const page = await browser.page()
    await page.goto(`${client.origin}/`)
    await page.getByRole('navigation').first().waitFor()
    return measured(await worstBlockRows(page, library.worst.id, library.worstBlocks))
  } finally {
    await browser.close()
  }
}

/** The built page's pdf.js files. */
function programs(): { readonly pdfjs: readonly string[]; readonly worker: string } {
  const names = readdirSync(fileURLToPath(new URL('../out/renderer/assets', import.meta.url)))
  const worker = names.find((name) => /^pdf\.worker-.*\.js$/.test(name))
  if (!worker) throw new Error('the built page holds no worker of pdf.js')
  return {
    pdfjs: names.filter((name) => /^pdf-.*\.js$/.test(name)).map((name) => `/assets/${name}`),
    worker: `/assets/${worker}`,
  }
}

export const bench: Bench = { name: 'pdf-600', run: measurePages }
