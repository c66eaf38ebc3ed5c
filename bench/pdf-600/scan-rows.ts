import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { against, median, type Row } from '../row.ts'
import { jumpTo, openReader } from './reader.ts'
import { rendererMegabytes } from './renderer-memory.ts'

/** What is jumped through. */
export interface ScanOrder {
  readonly origin: string
  readonly id: string
  readonly pages: number
  /** Folder of the browser's profile. */
  readonly profile: string
}

const jumps = 20

/** Memory of the renderer over jumps through scans: after ten, and after twenty, which must not be more without end. */
export async function scanRows(page: Page, order: ScanOrder): Promise<readonly Row[]> {
  await openReader(page, order.origin, order.id)
  await sleep(1000)
  const before = rendererMegabytes(order.profile)
  const times: number[] = []
  const memory: number[] = []
  for (let jump = 0; jump < jumps; jump++) {
    times.push(await jumpTo(page, 1 + ((jump * 17 + 20) % order.pages), order.pages))
    await sleep(400)
    memory.push(rendererMegabytes(order.profile))
  }
  const ten = memory[jumps / 2 - 1] ?? 0
  const all = memory.at(-1) ?? 0
  return [
    against(
      { name: 'jump to a scanned page of 200 dpi, median', figure: median(times), unit: 'ms' },
      'budget',
      300,
    ),
    against(
      { name: 'renderer after ten jumps through scans', figure: ten, unit: 'MB' },
      'its first page',
      before,
    ),
    against({ name: 'renderer after twenty', figure: all, unit: 'MB' }, 'after ten', ten),
  ]
}
