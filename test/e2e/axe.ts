import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly {
      readonly html: string
      /** Selectors: one for each frame, then that of the element. */
      readonly target: readonly unknown[]
      readonly failureSummary: string
    }[]
  }[]
}

type Node = AxeResult['violations'][number]['nodes'][number]

/** Returns whether a finding is no obstacle. */
function isAccepted(id: string, { html, target }: Node): boolean {
  // Chromium includes scrollable boxes without controls in the tab order.
  if (id === 'scrollable-region-focusable') return html.startsWith('<div class="md-table"')
  // The preview before printing shows a page of its own in a frame.
  return id === 'landmark-main-is-top-level' && (target.length > 1 || html === '<main>')
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * Returns serious and critical findings of axe for the current view, or those of any impact, of all rules or of these, once running
 * transitions have ended: a button that has just been enabled has, for a tenth of a second, a color that is in no theme.
 */
export async function findings(
  page: Page,
  { anyImpact = false, rules }: { anyImpact?: boolean; rules?: readonly string[] } = {},
): Promise<string[]> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.catch(() => null))
    await Promise.all(ending)
  })
  // Through the debugger: the page's policy blocks injected scripts, and stays unchanged.
  await page.evaluate(await readFile(axe, 'utf8'))
  const result = await page.evaluate(async (runOnly) => {
    const run: unknown = Reflect.get(Reflect.get(window, 'axe') as object, 'run')
    if (typeof run !== 'function') throw new Error('axe did not load')
    const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) }
    return (await run(document, options)) as AxeResult
  }, rules)
  const counted = result.violations.filter(
    ({ impact }) => anyImpact || impact === 'serious' || impact === 'critical',
  )
  return counted.flatMap(({ id, nodes }) =>
    nodes
      .filter((node) => !isAccepted(id, node))
      .map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
  )
}
