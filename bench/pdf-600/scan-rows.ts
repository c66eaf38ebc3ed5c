import { setTimeout as sleep } from 'node:timers/promises'
import type { BridgeClient } from '../../test/fixtures/bridge-client.ts'
import { against, median, type Row } from '../row.ts'
import { barePage } from './bare-page.ts'
import { jumpTo, openReader } from './reader.ts'
import { rendererMegabytes } from './renderer-memory.ts'

const jumps = 20
const jumpBudgetMs = 300
const memoryBudgetMb = 350

/** Renderer memory over jumps through scans: after ten and after twenty, which must not keep growing. */
export async function scanRows(
  profile: string,
  client: BridgeClient,
  scans: { readonly id: string; readonly pages: number },
): Promise<readonly Row[]> {
  const page = await barePage(profile, client)
  try {
    await openReader(page, client.origin, scans.id)
    await sleep(1000)
    const before = rendererMegabytes(profile)
    const times: number[] = []
    const memory: number[] = []
    for (let jump = 0; jump < jumps; jump++) {
      times.push(await jumpTo(page, 1 + ((jump * 17 + 20) % scans.pages), scans.pages))
      await sleep(400)
      memory.push(rendererMegabytes(profile))
    }
    const ten = memory[jumps / 2 - 1] ?? 0
    const all = memory.at(-1) ?? 0
    return [
      against(
        { name: 'jump to a scanned page of 200 dpi, median', figure: median(times), unit: 'ms' },
        'budget',
        jumpBudgetMs,
      ),
      against(
        { name: 'renderer memory after ten jumps through scans', figure: ten, unit: 'MB' },
        'its first page',
        before,
      ),
      against(
        { name: 'renderer memory after twenty jumps', figure: all, unit: 'MB' },
        'budget',
        memoryBudgetMb,
      ),
    ]
  } finally {
    await page.close()
  }
}
