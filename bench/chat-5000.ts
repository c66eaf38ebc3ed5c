import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openLectern } from '../test/e2e/lectern.ts'
import {
  longConversation,
  rareWord,
  type LongConversation,
} from '../test/fixtures/long-conversation.ts'
import { against, alone, measured, median, type Bench, type Row } from './row.ts'

const messages = 5000
const runs = 7
const budgetMs = 300

/**
 * Measures a chat of 5,000 messages in the built app: opening it at the end, opening it at a search result in the middle,
 * counting all matches.
 */
export const bench: Bench = {
  name: 'chat-5000',
  async run() {
    const home = mkdtempSync(join(tmpdir(), 'lectern-bench-chat-'))
    const long = await longConversation(home, messages)
    const lectern = await openLectern({ home, locale: 'en-US', width: 1200, height: 800 })
    try {
      const { page } = lectern
      await page.getByRole('button', { name: 'Skip' }).click()
      return measured([...(await openings(page, long)), ...(await findings(page, long))])
    } finally {
      await lectern.close()
    }
  },
}

/** Milliseconds from the URL change to the frame after which a message is in view. */
async function opened(page: Page, hash: string, messageId: string): Promise<number> {
  await page.evaluate(() => void (location.hash = '#/library'))
  await page.getByTestId('thread-pane').waitFor({ state: 'detached' })
  return page.evaluate(
    async ([address, id]) => {
      const from = performance.now()
      location.hash = address
      for (;;) {
        await new Promise((resolve) => requestAnimationFrame(() => resolve(null)))
        const row = document.querySelector(`[data-message="${id}"]`)
        const box = row?.closest('[data-testid="thread-box"]')?.getBoundingClientRect()
        const words = row?.querySelector('[data-words]')
        if (!row || !box || !words || words.textContent === '') continue
        const { top, bottom } = row.getBoundingClientRect()
        if (bottom > box.top && top < box.bottom) return performance.now() - from
      }
    },
    [hash, messageId] as const,
  )
}

async function openings(page: Page, { id, messages: ids, marked }: LongConversation) {
  const middle = marked[marked.length >> 1] ?? ''
  const end: number[] = []
  const hit: number[] = []
  for (let run = 0; run < runs; run++) {
    end.push(await opened(page, `#/chats/${id}`, ids.at(-1) ?? ''))
    hit.push(await opened(page, `#/chats/${id}?at=${middle}&q=${rareWord}`, middle))
  }
  const budget = 'budget'
  return [
    against(
      { name: 'open 5,000 messages at the end', figure: median(end.slice(1)), unit: 'ms' },
      budget,
      budgetMs,
    ),
    against(
      { name: 'open them at a hit in the middle', figure: median(hit.slice(1)), unit: 'ms' },
      budget,
      budgetMs,
    ),
  ]
}

async function findings(
  page: Page,
  { id, messages: ids, marked }: LongConversation,
): Promise<Row[]> {
  await opened(page, `#/chats/${id}`, ids.at(-1) ?? '')
  await page.keyboard.press('Control+f')
  await page.getByTestId('find-bar').waitFor()
  // Measured from the last keystroke, including the debounce delay.
  const durationMs = await page.evaluate(
    async ([word, wanted]) => {
      const field = document.querySelector<HTMLInputElement>('[data-testid="find-bar"] input')
      if (!field) throw new Error('The search has no field')
      const from = performance.now()
      field.value = word
      field.dispatchEvent(new Event('input'))
      for (;;) {
        await new Promise((resolve) => requestAnimationFrame(() => resolve(null)))
        const says = document.querySelector('[data-testid="find-bar"] [role=status]')?.textContent
        if (says?.endsWith(wanted)) return performance.now() - from
      }
    },
    [rareWord, `of ${marked.length}`] as const,
  )
  const drawn = await page.locator('[data-message]').count()
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  return [
    against(
      { name: `count ${marked.length} places of a word in them`, figure: durationMs, unit: 'ms' },
      'budget',
      budgetMs,
    ),
    alone({ name: 'messages in the page', figure: drawn, unit: 'rows' }),
    alone({ name: 'elements in the page', figure: nodes, unit: 'elements' }),
  ]
}
