import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longConversation, rareWord, type LongConversation } from '../fixtures/long-conversation.ts'
import { patient } from './chat-service.ts'
import { openLectern, type Lectern } from './lectern.ts'

const count = 600
let lectern: Lectern
let long: LongConversation

beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'lectern-e2e-'))
  long = await longConversation(home, count)
  lectern = await openLectern({ home, locale: 'en-US', width: 1200, height: 800 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  lectern.page.setDefaultTimeout(60_000)
})
afterAll(() => lectern.close())

const page = () => lectern.page
const go = (hash: string) => page().evaluate((to) => void (location.hash = to), hash)
const open = async (query = ''): Promise<void> => {
  await go('#/library')
  await page().getByTestId('thread-pane').waitFor({ state: 'detached' })
  await go(`#/chats/${long.id}${query}`)
  await page().locator('[data-message]').first().waitFor()
}
const row = (id: string) => page().locator(`[data-message="${id}"]`)
/** Whether a message is visible, once scrolling and layout have settled. */
const isShown = (id: string) =>
  row(id).evaluate((element) => {
    const box = element.closest('[data-testid="thread-box"]')?.getBoundingClientRect()
    const { top, bottom } = element.getBoundingClientRect()
    return box !== undefined && bottom > box.top && top < box.bottom
  })
const last = () => long.messages.at(-1) ?? ''

test('opens at its end, with a small part rendered', async () => {
  await open()
  await row(last()).waitFor()
  await expect.poll(() => isShown(last()), patient).toBe(true)
  expect(await page().locator('[data-message]').count()).toBeLessThan(100)
  expect(await page().getByTestId('scroll-to-end').count()).toBe(0)
})

test('scrolls up through many pages without jumps: each row moves as far as the scroll', async () => {
  await open()
  await row(last()).waitFor()
  const walked = await page().evaluate(async () => {
    const box = document.querySelector<HTMLElement>('[data-testid="thread-box"]')
    if (!box) throw new Error('no box')
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(null)))
    const middle = () => {
      const { left, width, top, height } = box.getBoundingClientRect()
      return document
        .elementFromPoint(left + width / 2, top + height / 2)
        ?.closest<HTMLElement>('[data-message]')
    }
    await frame()
    const jumps: number[] = []
    const seen = new Set<string>()
    for (let step = 0; step < 300; step++) {
      const element = middle()
      const before = element?.getBoundingClientRect().top ?? 0
      const from = box.scrollTop
      box.scrollTop -= 90
      const hand = from - box.scrollTop
      await frame()
      await frame()
      for (const one of box.querySelectorAll<HTMLElement>('[data-message]'))
        seen.add(one.dataset['message'] ?? '')
      if (!element?.isConnected) continue
      jumps.push(Math.abs(element.getBoundingClientRect().top - before - hand))
    }
    const drawn = box.querySelectorAll('[data-message]').length
    return {
      worst: Math.max(...jumps),
      thrown: jumps.filter((by) => by > 1).length,
      seen: seen.size,
      drawn,
    }
  })
  expect(walked.seen).toBeGreaterThan(72)
  expect(walked).toMatchObject({ thrown: 0 })
  expect(walked.drawn).toBeLessThanOrEqual(96)
})

test('scrolls to the beginning and the end with Home and End, whatever the length', async () => {
  await open()
  await row(last()).focus()
  await page().keyboard.press('Home')
  await row(long.messages[0] ?? '').waitFor()
  await expect
    .poll(
      () => page().evaluate(() => document.activeElement?.getAttribute('data-message')),
      patient,
    )
    .toBe(long.messages[0])
  expect(await isShown(long.messages[0] ?? '')).toBe(true)
  await page().keyboard.press('End')
  await row(last()).waitFor()
  await expect.poll(() => isShown(last()), patient).toBe(true)
})

test('counts every match and goes to unloaded ones, each marked and visible', async () => {
  await open()
  await page().keyboard.press('Control+f')
  const bar = page().getByTestId('find-bar')
  await bar.getByRole('searchbox').fill(rareWord)
  const total = long.marked.length
  await expect
    .poll(() => bar.getByRole('status').innerText(), patient)
    .toMatch(new RegExp(`of ${total}$`))
  const here = () =>
    page().evaluate(() => {
      const [range] = CSS.highlights.get('lectern-find-here') ?? []
      if (!(range instanceof Range)) return null
      const box = document.querySelector('[data-testid="thread-box"]')?.getBoundingClientRect()
      const { top, bottom } = range.getBoundingClientRect()
      const isInView = box !== undefined && top >= box.top && bottom <= box.bottom
      const message = range.startContainer.parentElement?.closest('[data-message]')
      return `${message?.getAttribute('data-message')} ${String(range)} ${isInView}`
    })
  const from = Number((await bar.getByRole('status').innerText()).split(' ')[0]) - 1
  for (let step = 0; step < 4; step++) {
    const id = long.marked[(from - step + total) % total]
    await expect.poll(here, patient).toBe(`${id} ${rareWord} true`)
    await page().keyboard.press('Shift+F3')
  }
  await page().keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
})

test('opens at a message found elsewhere, with the words marked', async () => {
  const id = long.marked[3] ?? ''
  await open(`?at=${id}&q=${rareWord}`)
  await row(id).waitFor()
  await expect.poll(() => isShown(id), patient).toBe(true)
  await expect
    .poll(
      () =>
        page().evaluate(() => {
          const [range] = CSS.highlights.get('lectern-find-here') ?? []
          if (!(range instanceof Range)) return null
          return range.startContainer.parentElement
            ?.closest('[data-message]')
            ?.getAttribute('data-message')
        }),
      patient,
    )
    .toBe(id)
  await page().getByTestId('scroll-to-end').click()
  await row(last()).waitFor()
  await expect.poll(() => isShown(last()), patient).toBe(true)
})

test('causes no errors on the page', () => {
  expect(lectern.trouble).toEqual({ violations: [], errors: [], strangers: [] })
})
