import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sineWav } from '../fixtures/wav.ts'
import { speak } from '../local-service/fixtures/audio-samples.ts'
import { findings } from './axe.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

const screens = [
  '#/meetings',
  '#/meetings?record',
  '#/playground',
  '#/playground/new/rerank.create',
  '#/playground/new/agents.chat',
  '#/playground/tasks',
  '#/documents',
  '#/library',
  '#/activity',
  '#/settings/general',
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
    expect(await findings(lectern.page)).toEqual([])
    await lectern.page.getByRole('radio', { name: /Custom provider/ }).check()
    await settled()
    expect(await findings(lectern.page)).toEqual([])
    await lectern.page.getByRole('button', { name: 'Skip' }).click()
  })

  test('a meeting of a short file, and one that failed', async () => {
    const { page } = lectern
    await dropFiles(page, [
      {
        name: 'spoken.wav',
        type: 'audio/wav',
        bytes: speak('The old library keeps every letter that the country ever received.'),
      },
    ])
    await page
      .getByTestId('line-text')
      .filter({ hasText: /every letter that/i })
      .first()
      .waitFor({ timeout: 120_000 })
    await settled()
    expect(await findings(lectern.page)).toEqual([])
    await dropFiles(page, [
      {
        name: 'broken.wav',
        type: 'audio/wav',
        bytes: sineWav({ seconds: 1, hz: 300 }).slice(0, 40),
      },
    ])
    await page.getByRole('main').getByTestId('failure').first().waitFor()
    await settled()
    expect(await findings(lectern.page)).toEqual([])
  })

  test('a meeting: its transcript, a search in it, every dialog, a summary', async () => {
    const { page } = lectern
    const bytes = speak(Array(8).fill('Please write that down and send it to everybody.').join(' '))
    await dropFiles(page, [{ name: 'meeting.wav', type: 'audio/wav', bytes }])
    const main = page.getByRole('main')
    await main
      .getByTestId('line-text')
      .filter({ hasText: /everybody/i })
      .first()
      .waitFor()
    const expectNoFindings = async (): Promise<void> => {
      await settled()
      expect(await findings(lectern.page)).toEqual([])
    }
    await expectNoFindings()
    await main.getByTestId('line-text').first().click()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('down')
    await expectNoFindings()
    await page.keyboard.press('Escape')
    for (const [name, role] of [
      ['transcribe-again', 'dialog'],
      ['export', 'menu'],
      ['export-more', 'dialog'],
    ] as const) {
      if (name === 'export-more') await main.getByTestId('export').click()
      await main.getByTestId(name).click()
      await page.getByRole(role).waitFor()
      await expectNoFindings()
      await page.keyboard.press('Escape')
    }
    await main.getByText('Summary', { exact: true }).click()
    await page.getByTestId('summarize').click()
    await page.locator('[data-testid=summary][data-state=done]').waitFor()
    await expectNoFindings()
  })

  test('a finished run, a failed run, a task', async () => {
    const { page } = lectern
    const go = (hash: string) => page.evaluate((to) => void (location.hash = to), hash)
    const field = (path: string) => page.locator(`[data-field="${path}"]`)
    for (const [query, outcome] of [
      ['what do letters keep', 'done'],
      ['x'.repeat(5000), 'failed'],
    ] as const) {
      await go('#/playground/new/rerank.create')
      await page.getByRole('button', { name: 'Send' }).click()
      await settled()
      expect(await findings(lectern.page)).toEqual([])
      await field('query').getByRole('textbox').fill(query)
      await field('documents').getByRole('textbox').fill('Letters keep words.')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByTestId('run-state').filter({ hasText: outcome }).waitFor({ timeout: 120_000 })
      await page.getByText('Raw response').click()
      await settled()
      expect(await findings(lectern.page)).toEqual([])
    }
    await page.getByRole('button', { name: 'Delete run' }).click()
    await settled()
    expect(await findings(lectern.page)).toEqual([])
    await page.keyboard.press('Escape')
    await go('#/playground/tasks')
    await page.getByRole('textbox', { name: 'Task ID' }).fill('nobody-knows-this-one')
    await page.getByRole('button', { name: 'Track', exact: true }).click()
    await page.getByTestId('task-state').filter({ hasText: 'Needs attention' }).waitFor()
    await settled()
    expect(await findings(lectern.page)).toEqual([])
  })

  test.each(screens)('%s', async (hash) => {
    await lectern.page.evaluate((to) => void (location.hash = to), hash)
    await lectern.page.getByRole('main').waitFor()
    await settled()
    expect(await findings(lectern.page)).toEqual([])
  })

  test('the palette with results', async () => {
    const { page } = lectern
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Search commands/ }).fill('country')
    await page.getByRole('option').filter({ hasText: 'country' }).first().waitFor()
    await settled()
    expect(await findings(lectern.page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('no policy violations or errors on any of them', () => {
    const { violations, errors, strangers } = lectern.trouble
    expect({ violations, errors, strangers }).toEqual({ violations: [], errors: [], strangers: [] })
  })
})
