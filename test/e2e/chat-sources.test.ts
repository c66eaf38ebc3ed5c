import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { openHarness, type BuiltHarness } from '../fixtures/built-harness.ts'
import { openBrowser, watch, type Browser, type Problem } from '../fixtures/chromium.ts'

/** A busy machine may be slow. */
const patient = { timeout: 60_000 }

let harness: BuiltHarness
let browser: Browser
let page: Page
let trouble: Problem

beforeAll(async () => {
  harness = await openHarness('test/renderer/domains/chats/sources-harness')
  browser = await openBrowser()
  page = await browser.page()
  trouble = await watch(page, harness.origin)
  page.setDefaultTimeout(20_000)
  await page.goto(harness.origin)
})
beforeEach(async () => {
  await page.evaluate(() => localStorage.clear())
  await page.goto('about:blank')
  await page.goto(harness.origin)
  await timeline().waitFor()
})
afterAll(async () => {
  await browser.close()
  await harness.close()
})

const timeline = () => page.getByTestId('answer-timeline')
const head = () => timeline().locator('button').first()
const step = (kind: string) =>
  timeline().locator(`[data-testid="answer-step"][data-kind="${kind}"]`)
const pane = () => page.getByTestId('source-pane')
/** Calls a function that the test page exposes. */
const ask = (name: string, value?: unknown): Promise<unknown> =>
  page.evaluate(
    ([way, given]) => {
      const call: unknown = Reflect.get(window, way)
      if (typeof call !== 'function') throw new Error(`There is no ${way}`)
      return Promise.resolve(call(given) as unknown).then(() => null)
    },
    [name, value] as const,
  )
const opened = async (kind: string) => {
  await head().click()
  await step(kind).locator('button.line').click()
  return step(kind).locator('.body')
}
const sourceStatus = () => page.getByTestId('source-status').textContent()
const lit = (on: number) => page.locator(`[data-page="${on}"] [data-testid="source-highlight"]`)

test('shows the timeline as one line, then a line for each step, then its details', async () => {
  expect(await head().getAttribute('aria-expanded')).toBe('false')
  expect(await head().textContent()).toContain('1 reasoning step · 7 tool calls · 1 failed')
  await head().click()
  expect(await head().getAttribute('aria-expanded')).toBe('true')
  expect(await timeline().getByTestId('answer-step').count()).toBe(9)
  const line = step('retrieval').locator('button.line')
  // A step of less than a second shows no duration.
  expect(await line.textContent()).toMatch(
    /Searched knowledge bases.*“lighthouse lamp lit” · 4 chunks\s*$/,
  )
  expect(await line.getAttribute('aria-expanded')).toBe('false')
  await line.focus()
  await page.keyboard.press('Enter')
  expect(await line.getAttribute('aria-expanded')).toBe('true')
  expect(await step('call').locator('button.line').textContent()).toContain('failed')
  expect(await step('unknown').textContent()).toContain('plan')
})

test('shows a rewritten question before and after', async () => {
  const body = await opened('rewrite')
  expect(await body.locator('.rewrite').textContent()).toMatch(
    /Before\s*And when is it lit\?\s*After\s*lighthouse lamp lit\s*lamp hours/,
  )
})

test('shows web pages as cards that confirm links, and renders invalid URLs without a link', async () => {
  const body = await opened('web')
  const cards = body.getByTestId('web-card')
  expect(await cards.count()).toBe(2)
  await cards.first().locator('button', { hasText: 'sea.example' }).click()
  expect(await page.getByTestId('link-address').textContent()).toBe('https://sea.example/lamps')
  await page.keyboard.press('Escape')
  expect(await cards.nth(1).locator('button', { hasText: 'javascript' }).count()).toBe(0)
  expect(trouble.strangers).toEqual([])
})

test('shows output and errors of code, JSON of functions, and URLs of unsaved images', async () => {
  await head().click()
  for (const kind of ['code', 'function', 'drawing'])
    await step(kind).locator('button.line').click()
  expect(await step('code').locator('.box').allTextContents()).toEqual(
    expect.arrayContaining(['print(18 * 3600)', '64800', 'ZeroDivisionError']),
  )
  expect(await step('code').locator('.box.error').textContent()).toBe('ZeroDivisionError')
  expect(await step('function').locator('.body').textContent()).toMatch(
    /port\s*Hull[^]*high\s*06:12/,
  )
  expect(await step('drawing').locator('img').count()).toBe(0)
  expect(await step('drawing').locator('.address').textContent()).toContain('sea.example/drawn.png')
})

test('shows the current step of a running answer, and keeps opened steps open in the next one', async () => {
  const thinking = (text: string) => ({
    id: `live-${text.length}`,
    state: 'running',
    text: '',
    endedAt: null,
    steps: [{ kind: 'thought', text, textAt: 0, startedAt: Date.now(), endedAt: null }],
  })
  await ask('show', thinking('One. I look for the lamp'))
  expect(await head().textContent()).toMatch(/Reasoning\s*One\. I look for the lamp/)
  expect(await timeline().getByTestId('answer-step').count()).toBe(0)
  await head().click()
  await step('thought').locator('button.line').click()
  expect(await step('thought').locator('.body').textContent()).toContain('I look for the lamp')
  await ask('show', thinking('Another thought that is longer'))
  expect(await step('thought').locator('.body').textContent()).toContain('Another thought')
  expect(await step('thought').locator('button.line').textContent()).toContain('running')
})

test('opens a source on its pages with every rectangle highlighted, and steps through them', async () => {
  const body = await opened('retrieval')
  await body.getByTestId('passage').first().click()
  expect(await pane().getByTestId('source-passage').locator('mark').textContent()).toBe(
    'Two keepers share the watch',
  )
  await expect.poll(sourceStatus, patient).toBe('1 of 2, page 1')
  await expect.poll(() => lit(1).count(), patient).toBe(1)
  expect(await lit(2).count()).toBe(1)
  const [width, height] = [600, 800]
  const place = await lit(1).boundingBox()
  const sheet = await page.locator('[data-page="1"]').boundingBox()
  if (!place || !sheet) throw new Error('Nothing is drawn')
  expect((place.x - sheet.x) / sheet.width).toBeCloseTo(60 / width, 2)
  expect((place.y - sheet.y) / sheet.height).toBeCloseTo(380 / height, 2)
  expect(place.width / sheet.width).toBeCloseTo(480 / width, 2)
  expect(place.height / sheet.height).toBeCloseTo(80 / height, 2)
  // They are the same blocks as in the Library.
  expect(await page.locator('[data-testid="source-block"]').count()).toBe(2)
  await pane().getByRole('button', { name: 'Next match' }).click()
  expect(await sourceStatus()).toBe('2 of 2, page 2')
  await expect
    .poll(async () => {
      const [one, view] = [await lit(2).boundingBox(), await page.locator('.view').boundingBox()]
      return one && view && one.y >= view.y && one.y + one.height <= view.y + view.height
    }, patient)
    .toBe(true)
  await page.getByTestId('source-open-document').click()
  await expect.poll(() => page.url(), patient).toContain('#/documents/doc1?block=b2')
})

test('shows the page as wide as the pane, scrolled to a passage that stays readable', async () => {
  await ask('openSource', 3)
  await expect.poll(sourceStatus, patient).toBe('1 of 1, page 2')
  const panel = await page.getByTestId('source-pages').boundingBox()
  const sheet = () => page.locator('[data-page="2"]').boundingBox()
  await expect
    .poll(async () => ((await sheet())?.width ?? 0) / (panel?.width ?? 1), patient)
    .toBeGreaterThan(0.9)
  await lit(2).waitFor()
  const view = await page.locator('.view').boundingBox()
  const place = await lit(2).boundingBox()
  expect(place && view && place.y >= view.y && place.y < view.y + view.height).toBe(true)
  // The words below show through.
  const look = await lit(2).evaluate((at) => {
    const { backgroundColor, mixBlendMode } = getComputedStyle(at)
    return { backgroundColor, mixBlendMode }
  })
  expect(look.mixBlendMode).toBe('multiply')
  expect(look.backgroundColor).toMatch(/^rgba\(.*0\.[1-4]\d*\)$/)
})

test('finds the text on the pages without positions', async () => {
  await ask('openSource', 3)
  await expect.poll(sourceStatus, patient).toBe('1 of 1, page 2')
  await expect.poll(() => lit(2).count(), patient).toBe(1)
})

test('shows a row of a sheet as a table, and reports a source that is not in the Library', async () => {
  await ask('openSource', 4)
  expect(await pane().getByTestId('sheet-row').textContent()).toMatch(
    /Keepers · row 7\s*Keeper\s*Ada\s*Year\s*1862/,
  )
  await expect.poll(() => pane().textContent(), patient).toContain('Not in your Library')
  await pane().getByRole('button', { name: 'Link document…' }).click()
  await page.getByRole('dialog').getByRole('button').first().click()
  await expect.poll(() => pane().textContent(), patient).toContain('Linked by you')
})

test('has no axe findings in an opened timeline and an opened source', async () => {
  await head().click()
  for (const line of await timeline().locator('button.line').all()) await line.click()
  await ask('openSource', 1)
  await expect.poll(sourceStatus, patient).toBe('1 of 2, page 1')
  expect(await findings(page)).toEqual([])
  await ask('openSource', null)
  await pane().getByTestId('source-ids').locator('summary').first().click()
  expect(await findings(page)).toEqual([])
})

test('reports a citation number without a source, with the available sources', async () => {
  await page.getByTestId('answer-sources').click()
  expect(await pane().getByTestId('passage').count()).toBe(6)
  await ask('openSource', 77)
  expect(await pane().textContent()).toContain('didn’t return source 77')
  await pane().getByTestId('passage').nth(1).click()
  expect(await pane().locator('h2').textContent()).toBe('Source 2 of 3')
  await pane().getByRole('button', { name: 'Next source' }).click()
  expect(await pane().locator('h2').textContent()).toBe('Source 3 of 3')
  await pane().getByRole('button', { name: 'Close sources' }).click()
  expect(await pane().count()).toBe(0)
})

test('fetches positions by two IDs, shows failures, and keeps hidden positions hidden', async () => {
  await ask('openSource', null)
  const form = pane().getByTestId('source-ids')
  await form.locator('summary').first().click()
  await form.getByLabel('Request ID').fill('r')
  await form.getByLabel('Node ID').fill('n')
  await form.getByRole('button', { name: 'Fetch' }).click()
  await form.getByTestId('failure').waitFor()
  await ask('answerSlices', {
    document_slices: [
      {
        document: { id: 'd1', name: 'Lighthouse.pdf', url: '', dtype: 1 },
        slice_info: [{ document_id: 'd1', text: 'A hidden passage', position: { page: 1 } }],
        hide_positions: true,
        images: [{ text: 'Plan', cos_url: 'https://sea.example/plan.png' }],
      },
    ],
  })
  await form.getByRole('button', { name: 'Fetch' }).click()
  await expect.poll(() => pane().locator('h2').textContent(), patient).toBe('Source 7 of 7')
  expect(await pane().textContent()).toContain('The provider hides this source’s location.')
  expect(await page.getByTestId('source-pages').count()).toBe(0)
  expect(await pane().locator('.images').textContent()).toContain('Plan')
  expect(trouble.strangers).toEqual([])
  expect(trouble.errors).toEqual([])
})
