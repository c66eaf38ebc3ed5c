import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultRule } from '../../src/local-service/fault-injection/rules.ts'
import { en } from '../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../src/renderer/src/i18n/zh/index.ts'
import { startKeyringSession, type KeyringSession } from '../fixtures/keyring-session.ts'
import { makePdf } from '../local-service/fixtures/papers.ts'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'
import { findings } from './axe.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { lockedPaper } from './papers.ts'
import { secondPage } from './second-page.ts'

const layout = '/paas/v4/layout_parsing'
let keyring: KeyringSession
let service: TestService

beforeAll(async () => {
  keyring = await startKeyringSession()
  service = await startTestService({ faults: true })
})
afterAll(async () => {
  await service.stop()
  await keyring.stop()
})

/** Replaces the fault injection rules; without rules the server behaves normally. */
async function misbehave(...rules: readonly FaultRule[]): Promise<void> {
  await service.call('/__faults', { method: 'DELETE' })
  if (rules.length > 0)
    await service.call('/__faults', { method: 'POST', body: JSON.stringify(rules) })
}

/** Creates three pages: headings, paragraphs, a table, a list. */
const paper = (): Promise<Uint8Array> =>
  makePdf([
    ({ write, flow, line }) => {
      write('The harbour in winter', 72, 720, 20, true)
      flow(
        'Ships wait for the ice to break, and their crews count the days. '.repeat(4),
        72,
        690,
        440,
      )
      for (const [row, cells] of [
        ['Ship', 'Days'],
        ['Heron', '12'],
        ['Swan', '31'],
      ].entries())
        for (const [column, cell] of cells.entries())
          write(cell, 80 + column * 160, 580 - row * 24, 11, row === 0)
      for (const y of [596, 572, 548, 524]) line(72, y, 392, y)
      for (const x of [72, 232, 392]) line(x, 524, x, 596)
    },
    ({ write, flow }) => {
      write('What the keeper wrote', 72, 720, 16, true)
      flow('The lamp was lit at four and burned until the morning came. '.repeat(5), 72, 690, 440)
    },
    ({ write }) => {
      for (const at of [1, 2, 3]) write(`${at}. A thing to mend before spring`, 72, 740 - at * 20)
    },
  ])

describe.each([
  ['en-US', en],
  ['zh-CN', zh],
] as const)('%s', (locale, words) => {
  let lectern: Lectern
  beforeAll(async () => {
    lectern = await openLectern({ locale, env: keyring.env, width: 1400, height: 900 })
    await lectern.page.getByRole('button', { name: words.welcome.skip }).click()
    const second = await secondPage(lectern.home, keyring.env)
    const made = await second.call('accounts.create', {
      preset: 'custom',
      name: 'Beside',
      baseUrl: service.url,
    })
    await second.call('accounts.setKey', { id: made.id, key: service.key })
    await second.call('accounts.activate', { id: made.id })
    second.close()
  })
  afterAll(() => lectern.close())

  /** Returns the findings for the current view, in the light and in the dark theme. */
  const axeFindings = async (): Promise<string[]> => {
    const { page } = lectern
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(400)
      found.push(...(await findings(page)).map((one) => `${colorScheme} ${one}`))
    }
    return found
  }
  const drop = (name: string, bytes: Uint8Array): Promise<void> =>
    dropFiles(lectern.page, [{ name, type: 'application/pdf', bytes }])
  const button = (name: string) => lectern.page.getByRole('button', { name, exact: true })
  const progress = (state: string) =>
    lectern.page.locator(`[data-testid=parse-progress][data-state=${state}]`).first()

  test('the empty list, then a plan before anything is sent', async () => {
    const { page } = lectern
    await page.evaluate(() => void (location.hash = '#/documents'))
    await button(words.intake.import).first().waitFor()
    expect(await axeFindings()).toEqual([])
    await drop('harbour.pdf', await paper())
    await page.getByTestId('parse-offer').filter({ hasText: '3' }).waitFor()
    // Said once, not on each page.
    await page.getByText(words.documentText.untouched).waitFor()
    expect(await page.getByText(words.documentText.empty.none).count()).toBe(0)
    expect(await axeFindings()).toEqual([])
  })

  test('keeps the offer to parse above the pages with large text in a small window', async () => {
    const { page } = lectern
    await page.setViewportSize({ width: 900, height: 900 })
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
    const reader = page.getByTestId('document-reader')
    const bottom = (): Promise<number> =>
      reader.evaluate(
        (one) =>
          one.getBoundingClientRect().bottom -
          (one.parentElement?.getBoundingClientRect().bottom ?? 0),
      )
    await expect.poll(bottom).toBeLessThanOrEqual(1)
    expect(await reader.evaluate((one) => one.clientHeight)).toBeGreaterThan(200)
    // It may be clipped by the edge, and scrolls into view.
    await button(words.document.parse).scrollIntoViewIfNeeded()
    const [parse, pages] = [
      await button(words.document.parse).boundingBox(),
      await reader.boundingBox(),
    ]
    expect((parse?.y ?? 0) + (parse?.height ?? 0)).toBeLessThanOrEqual(pages?.y ?? 0)
    await page.evaluate(() => void (document.documentElement.style.fontSize = ''))
    await page.setViewportSize({ width: 1400, height: 900 })
  })

  test('shows the parsing account with its host, and allows changing it before sending', async () => {
    const { page } = lectern
    await button(words.document.options).click()
    const who = page.getByTestId('parse-engine')
    await who.filter({ hasText: new URL(service.url).host }).waitFor()
    const choice = who.getByRole('combobox')
    const previousChoice = await choice.inputValue()
    await choice.selectOption({ label: words.accounts.local })
    await who.filter({ hasText: words.documentParse.here }).waitFor()
    expect(await who.innerText()).not.toContain(new URL(service.url).host)
    await choice.selectOption(previousChoice)
    await who.filter({ hasText: new URL(service.url).host }).waitFor()
    expect(await axeFindings()).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a running parse and its results: boxes, thumbnails, a search, copying, the page menu', async () => {
    const { page } = lectern
    await misbehave({ path: layout, delayMs: 6000, times: 1 })
    await button(words.document.parse).click()
    await progress('running').waitFor()
    expect(await axeFindings()).toEqual([])
    await progress('done').waitFor()
    await page.locator('[data-testid=markdown-pane] [data-b]').first().waitFor()
    expect(await axeFindings()).toEqual([])
    for (const name of [words.documentPages.boxes, words.documentPages.numbers]) {
      await page.getByTestId('reader-more').click()
      await page.getByRole('menuitemcheckbox', { name }).click()
    }
    await button(words.documentPages.thumbnails).click()
    expect(await axeFindings()).toEqual([])
    await page.locator('[data-testid=markdown-pane] [data-b]').first().hover()
    await page.getByTestId('block-copy').first().click()
    await page.getByRole('menu').waitFor()
    expect(await axeFindings()).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+f')
    await page.keyboard.type('lamp')
    expect(await axeFindings()).toEqual([])
    // The search stays in the row of the other tools.
    const before = page.viewportSize() ?? { width: 1280, height: 800 }
    for (const width of [1280, 1000]) {
      await page.setViewportSize({ ...before, width })
      const topOf = async (testId: string): Promise<number> =>
        (await page.getByTestId(testId).boundingBox())?.y ?? -100
      await expect
        .poll(async () => Math.abs((await topOf('find-bar')) - (await topOf('reader-more'))))
        .toBeLessThan(4)
    }
    await page.setViewportSize(before)
    await page.keyboard.press('Escape')
    await page.getByTestId('reader-more').click()
    await page.locator('[data-act=page]').click()
    await page.locator('[data-act=again]').waitFor()
    expect(await axeFindings()).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('the export menu and dialog', async () => {
    const { page } = lectern
    await page.getByTestId('document-export-open').click()
    await page.getByRole('menu').waitFor()
    expect(await axeFindings()).toEqual([])
    await page.getByTestId('export-more').click()
    await page.getByTestId('document-export').waitFor()
    expect(await axeFindings()).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('pages that fail, and two versions side by side', async () => {
    const { page } = lectern
    await page.getByTestId('document-more').click()
    await page.getByTestId('parse-again').click()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').getByLabel(words.document.fresh).check()
    expect(await axeFindings()).toEqual([])
    await misbehave({ path: layout, answer: 'content' })
    await page.getByRole('dialog').getByRole('button', { name: words.document.parse }).click()
    await progress('failed').waitFor()
    expect(await axeFindings()).toEqual([])
    await misbehave({ path: layout, answer: '500', times: 1 })
    await progress('failed').getByRole('button', { name: words.app.retry }).click()
    await page.getByTestId('parse-waiting').waitFor()
    expect(await axeFindings()).toEqual([])
    await progress('done').waitFor()
    await page.getByTestId('versions-compare').click()
    await page
      .getByTestId('compare-change')
      .or(page.getByTestId('unchanged-blocks'))
      .first()
      .waitFor()
    expect(await axeFindings()).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a locked document, and the list with all of them', async () => {
    const { page } = lectern
    const { file } = await lockedPaper()
    await drop('locked.pdf', file.bytes)
    await page.getByTestId('password-card').waitFor()
    await page.getByTestId('password-card').getByLabel(words.document.password).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText(words.document.wrongPassword).waitFor()
    expect(await axeFindings()).toEqual([])
  })

  test('a document in Trash', async () => {
    const { page } = lectern
    const address = page.url()
    await page.getByTestId('document-more').click()
    await button(words.document.remove).click()
    await page.waitForURL((url) => url.href !== address)
    await page.goto(address)
    await button(words.document.restore).waitFor()
    expect(await axeFindings()).toEqual([])
  })

  test('no policy violations or errors on any of them', () => {
    const { violations, errors, strangers } = lectern.trouble
    expect({ violations, errors, strangers }).toEqual({ violations: [], errors: [], strangers: [] })
  })
})
