import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
  }[]
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * Returns serious and critical findings of axe for the current view, once running transitions have ended: a button that has just
 * been enabled has, for a tenth of a second, a color that is in no theme.
 */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.catch(() => null))
    await Promise.all(ending)
  })
  // Through the debugger: the page's policy blocks injected scripts, and stays unchanged.
  await page.evaluate(await readFile(axe, 'utf8'))
  const result = await page.evaluate(async () => {
    const run: unknown = Reflect.get(Reflect.get(window, 'axe') as object, 'run')
    if (typeof run !== 'function') throw new Error('axe did not load')
    return (await run(document, { resultTypes: ['violations'] })) as AxeResult
  })
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`))
}
