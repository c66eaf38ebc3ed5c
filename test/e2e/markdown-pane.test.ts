import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHarness, type BuiltHarness } from '../fixtures/built-harness.ts'
import { tinyPng } from '../main/domains/documents/service/paper.ts'
import { openBrowser, watch, type Browser, type Problem } from '../fixtures/chromium.ts'

/** A busy machine may be slow. */
const patient = { timeout: 60_000 }

let harness: BuiltHarness
let browser: Browser
let page: Page
let trouble: Problem

beforeAll(async () => {
  harness = await openHarness('test/renderer/domains/documents/harness')
  browser = await openBrowser()
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: harness.origin,
  })
  page = await browser.page()
  trouble = await watch(page, harness.origin)
  page.setDefaultTimeout(20_000)
})
beforeEach(async () => {
  await page.goto(harness.origin)
  await page.locator('[data-b="1-1"] .katex').first().waitFor()
  await reportedEvents()
})
afterAll(async () => {
  await browser.close()
  await harness.close()
})

/** Calls a function that the test page exposes. */
const ask = (name: string, ...values: readonly unknown[]): Promise<unknown> =>
  page.evaluate(
    ([way, given]) => {
      const pane = (Reflect.get(window, 'pane') as () => Record<string, unknown>)()
      const direct: unknown = Reflect.get(window, way)
      const call = typeof direct === 'function' && way !== 'pane' ? direct : pane[way]
      if (typeof call !== 'function') throw new Error(`There is no ${way}`)
      return call(...given) as unknown
    },
    [name, values] as const,
  )
const reportedEvents = async (): Promise<unknown[][]> => (await ask('reported')) as unknown[][]
const eventsOf = async (what: string): Promise<unknown[][]> =>
  (await reportedEvents()).filter(([one]) => one === what)

test('mounts few of 600 pages, and goes to any of them, even if its blocks arrive later', async () => {
  expect(await page.locator('[data-b]').count()).toBeLessThan(60)
  await ask('goTo', 598, '598-3')
  await page.locator('[data-b="598-3"] .katex').first().waitFor()
  await expect
    .poll(
      () =>
        page.locator('[data-b="598-3"]').evaluate((row) => {
          const { top, bottom } = row.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        }),
      patient,
    )
    .toBe(true)
  expect(await page.locator('[data-b]').count()).toBeLessThan(60)
  expect((await eventsOf('range')).at(-1)?.[1]).toBeGreaterThan(590)
})

test('aligns a block by its scrolled-out fraction, and reports the same fraction', async () => {
  await ask('alignTo', 300, '300-1', 0.5)
  await expect
    .poll(async () => ask('firstVisible'), patient)
    .toMatchObject({ blockId: '300-1', page: 300 })
  const { fraction } = (await ask('firstVisible')) as { fraction: number }
  expect(Math.abs(fraction - 0.5)).toBeLessThan(0.05)
})

test('keeps the visible text in place when the rows above it load', async () => {
  await ask('goTo', 40)
  await page.locator('[data-b="40-1"] .katex').first().waitFor()
  await page.getByTestId('markdown-pane').hover()
  for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, -400)
  await expect.poll(async () => (await eventsOf('place')).length, patient).toBeGreaterThan(0)
  await page.waitForTimeout(300)
  const before = (await ask('firstVisible')) as { blockId: string }
  await page.waitForTimeout(500)
  expect(await ask('firstVisible')).toMatchObject({ blockId: before.blockId })
})

test('reports the block for pointer and keyboard events', async () => {
  await page.locator('[data-b="1-1"]').hover()
  expect((await eventsOf('hover')).at(-1)).toEqual(['hover', '1-1'])
  await page.locator('[data-b="1-0"]').click()
  expect(await eventsOf('choose')).toEqual([['choose', '1-0']])
  await page.getByTestId('markdown-pane').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('c')
  expect(
    (await reportedEvents()).filter(
      ([what]) => what !== 'place' && what !== 'hover' && what !== 'range',
    ),
  ).toEqual([
    ['choose', '1-1'],
    ['jump', '1-1'],
    ['copy', '1-1'],
  ])
  await ask('lightBlock', '1-3')
  expect(await page.locator('[data-b="1-3"]').getAttribute('class')).toContain('lit')
})

test('confirms a link, and opens nothing automatically', async () => {
  const link = page.locator('[data-b="1-5"] .md-link')
  await link.click()
  await link.click({ button: 'middle' })
  await link.focus()
  await page.keyboard.press('Enter')
  expect(await eventsOf('link')).toEqual([
    ['link', 'https://example.test/there'],
    ['link', 'https://example.test/there'],
  ])
  expect(browser.context.pages()).toHaveLength(2)
  expect(trouble.strangers).toEqual([])
})

test('loads a remote image only by a button that names its host, and shows it in place', async () => {
  await page.route('**/media/loaded', (route) =>
    route.fulfill({ contentType: 'image/png', body: tinyPng }),
  )
  const row = page.locator('[data-b="1-5"]')
  const button = row.getByRole('button', { name: 'Load image from example.test' })
  expect(await button.getAttribute('title')).toBe('https://example.test/p.png')
  await ask('failNextImage')
  await button.click()
  await row.getByRole('alert').waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
  await row.getByRole('img', { name: 'p' }).waitFor()
  expect(await row.locator('img').getAttribute('src')).toBe('/media/loaded')
  expect(await button.count()).toBe(0)
  expect(await eventsOf('load')).toEqual([
    ['load', 'https://example.test/p.png'],
    ['load', 'https://example.test/p.png'],
  ])
  // The next block that references it also shows it.
  await ask('goTo', 9)
  await page.locator('[data-b="9-5"] img').waitFor()
  expect(trouble.strangers).toEqual([])
})

test('shows the source with one click, and edits next to it that can be undone', async () => {
  const row = page.locator('[data-b="1-0"]')
  await row.hover()
  await row.getByTestId('block-source-toggle').click()
  expect(await row.getByTestId('block-source').textContent()).toBe('## Heading')
  await row.getByTestId('block-source-toggle').click()
  await row.getByTestId('block-edit').click()
  await row.getByTestId('block-editor').fill('## Mine')
  await row.getByTestId('block-save').click()
  await row.getByRole('heading', { name: 'Mine' }).waitFor()
  await row.hover()
  await row.getByRole('button', { name: 'Undo' }).click()
  await row.getByRole('heading', { name: 'Heading' }).waitFor()
  expect(await eventsOf('edit')).toEqual([
    ['edit', '1-0', '## Mine'],
    ['edit', '1-0', null],
  ])
})

test('shows a large block as source until requested', async () => {
  const row = page.locator('[data-b="1-6"]')
  await row.getByTestId('block-source').waitFor()
  await row.getByRole('button', { name: 'Show anyway' }).click()
  await row.locator('strong').first().waitFor()
  expect(await row.getByTestId('block-source').count()).toBe(0)
})

test('renders a long list completely, and again after it was out of view', async () => {
  const items = page.locator('[data-b="5-7"] li')
  await ask('goTo', 5, '5-7')
  await expect.poll(() => items.count(), patient).toBe(300)
  const tall = await page.locator('[data-b="5-7"]').evaluate(({ clientHeight }) => clientHeight)
  await ask('goTo', 300)
  await page.locator('[data-b="300-1"] .katex').first().waitFor()
  expect(await items.count()).toBe(0)
  await ask('goTo', 5, '5-7')
  await expect.poll(() => items.count(), patient).toBe(300)
  expect(await items.last().textContent()).toBe('item 299')
  // It kept its height: the blocks around it did not move.
  expect(await page.locator('[data-b="5-7"]').evaluate(({ clientHeight }) => clientHeight)).toBe(
    tall,
  )
})

test('copies a table as text and HTML, and a figure as an image', async () => {
  const table = page.locator('[data-b="1-2"]')
  await table.hover()
  await table.getByTestId('block-copy').click()
  await page.getByTestId('copy-table').click()
  const read = (): Promise<Record<string, string>> =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      const kinds: Record<string, string> = {}
      for (const type of item?.types ?? [])
        kinds[type] = (await (await item?.getType(type))?.text()) ?? ''
      return kinds
    })
  await expect.poll(async () => Object.keys(await read()).length, patient).toBe(2)
  const { 'text/plain': text, 'text/html': html } = await read()
  expect(text).toBe('Sum\t\n$a<b$\t=1+1')
  expect(html).toMatch(/<table border="1".*colspan="2".*\$a&lt;b\$/s)
  const figure = page.locator('[data-b="1-4"]')
  await figure.hover()
  await figure.getByTestId('block-copy').click()
  await page.getByTestId('copy-image').click()
  await expect.poll(async () => Object.keys(await read()), patient).toEqual(['image/png'])
})

test('causes no policy violations', () => {
  expect(trouble.violations).toEqual([])
  expect(trouble.errors).toEqual([])
  expect(trouble.strangers).toEqual([])
})
