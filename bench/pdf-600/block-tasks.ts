import type { CDPSession, Page } from 'playwright-core'
import { alone, against, type Row } from '../row.ts'
import type { WorstBlock } from './worst-blocks.ts'

const budgetMs = 50
/** Time from when a block is there until its formulas and layout are done, in milliseconds. */
const restMs = 2500

interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly ph: string
  readonly tid: number
  readonly pid: number
  /** Microseconds of wall-clock time; `tdur` is processor time. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Longest task of the page's main thread while `work` runs, in milliseconds of processor time: other processes do not count. */
export async function longestTaskMs(
  page: Page,
  session: CDPSession,
  work: () => Promise<void>,
): Promise<number> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }): void =>
    void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  })
  await work()
  const complete = new Promise<void>((resolve) =>
    session.once('Tracing.tracingComplete', () => resolve()),
  )
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events
    .filter(
      ({ ph, pid, tid, name }) =>
        ph === 'X' && name.endsWith('RunTask') && mains.has(`${pid} ${tid}`),
    )
    .map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000)
  if (tasks.length === 0) throw new Error('the browser traced no tasks of the page')
  return Math.max(...tasks)
}

/**
 * Brings each of the worst blocks into view by its URL, compared with a budget; a block that is not drawn automatically is drawn
 * on request.
 */
export async function worstBlockRows(
  page: Page,
  documentId: string,
  blocks: readonly { readonly id: string; readonly block: WorstBlock }[],
): Promise<readonly Row[]> {
  const session = await page.context().newCDPSession(page)
  const opened = await longestTaskMs(page, session, async () => {
    await page.evaluate((to) => (location.hash = to), `#/documents/${documentId}`)
    await page.waitForSelector('[data-b]')
    await page.waitForTimeout(restMs)
  })
  const rows: Row[] = [
    against(
      { name: 'longest task: opening a document', figure: opened, unit: 'ms' },
      'budget',
      budgetMs,
    ),
  ]
  for (const { id, block } of blocks) {
    const figure = await longestTaskMs(page, session, async () => {
      await page.evaluate((to) => (location.hash = to), `#/documents/${documentId}?block=${id}`)
      await page.waitForSelector(`[data-b="${id}"]`)
      await page.waitForTimeout(restMs)
    })
    rows.push(
      against({ name: `longest task: ${block.name}`, figure, unit: 'ms' }, 'budget', budgetMs),
    )
    const anyway = page.locator(`[data-b="${id}"] .why button`)
    if ((await anyway.count()) === 0) continue
    const requestedMs = await longestTaskMs(page, session, async () => {
      await anyway.first().click()
      await page.waitForTimeout(restMs)
    })
    rows.push(alone({ name: `  the same block on request`, figure: requestedMs, unit: 'ms' }))
  }
  return rows
}
