import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sineWav } from '../fixtures/wav.ts'
import { speak } from '../local-service/fixtures/sounds.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
  }[]
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Serious and critical findings of axe on what is shown now. */
async function findings(lectern: Lectern): Promise<string[]> {
  const { page } = lectern
  // Through the debugger: the page's own policy lets no script in, and stays as it is.
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

const screens = [
  '#/recordings',
  '#/library',
  '#/activity',
  '#/settings/appearance',
  '#/settings/accounts',
  '#/settings/network',
  '#/settings/storage',
  '#/settings/shortcuts',
  '#/settings/about',
] as const

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  let lectern: Lectern
  beforeAll(async () => {
    lectern = await openLectern({ colorScheme })
  })
  afterAll(() => lectern.close())

  const settled = () => lectern.page.waitForTimeout(500)

  test('the first-run card', async () => {
    await lectern.page.getByRole('dialog').waitFor()
    await settled()
    expect(await findings(lectern)).toEqual([])
    await lectern.page.getByRole('radio', { name: /Custom base URL/ }).check()
    await settled()
    expect(await findings(lectern)).toEqual([])
    await lectern.page.getByRole('button', { name: 'Skip' }).click()
  })

  test('a recording with its words, and one that failed', async () => {
    const { page } = lectern
    await dropFiles(page, [
      {
        name: 'spoken.wav',
        type: 'audio/wav',
        bytes: speak('The old library keeps every letter that the country ever received.'),
      },
    ])
    await page
      .getByTestId('transcript')
      .filter({ hasText: /every letter that/i })
      .waitFor({ timeout: 45_000 })
    await settled()
    expect(await findings(lectern)).toEqual([])
    await dropFiles(page, [
      { name: 'long.wav', type: 'audio/wav', bytes: sineWav({ seconds: 31, hz: 300 }) },
    ])
    await page
      .getByRole('main')
      .getByText(/at most 30/)
      .first()
      .waitFor()
    await settled()
    expect(await findings(lectern)).toEqual([])
  })

  test.each(screens)('%s', async (hash) => {
    await lectern.page.evaluate((to) => void (location.hash = to), hash)
    await lectern.page.getByRole('main').waitFor()
    await settled()
    expect(await findings(lectern)).toEqual([])
  })

  test('the palette with hits', async () => {
    const { page } = lectern
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Search commands/ }).fill('country')
    await page.getByRole('option').filter({ hasText: 'country' }).first().waitFor()
    await settled()
    expect(await findings(lectern)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('no policy was violated and nothing threw on any of them', () => {
    const { violations, errors, strangers } = lectern.trouble
    expect({ violations, errors, strangers }).toEqual({ violations: [], errors: [], strangers: [] })
  })
})
