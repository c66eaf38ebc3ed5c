import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHarness, type BuiltHarness } from '../fixtures/built-harness.ts'
import { openBrowser, type Browser } from '../fixtures/chromium.ts'
import { longTexts } from '../renderer/lib/markdown/stream/long-texts.ts'

let harness: BuiltHarness
let browser: Browser
let page: Page

beforeAll(async () => {
  harness = await openHarness('test/renderer/lib/markdown/answer-harness')
  browser = await openBrowser()
  page = await browser.page()
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'takeouts'))
})
afterAll(async () => {
  await browser.close()
  await harness.close()
})

const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at + 1)).join('')

/** Long containers, each of several parts, with markup that may change its meaning later. */
const texts = [
  {
    name: 'an ordered list',
    text: `Before\n\n${many(420, (at) => `${at + 6}. item ${at} with *words* and [late] \`code\`\n${at % 90 === 0 ? '   - nested\n     1. deeper\n' : ''}`)}\nAfter it\n\n[late]: https://example.com/late\n`,
  },
  {
    name: 'a list that becomes loose at its end',
    text: `${many(300, (at) => `- 第 ${at} 项：数值<reference data-ref="${(at % 9) + 1}"></reference> 为 $x_${at}$\n`)}\n- the last one\n\n  with two paragraphs\n\nEnd\n`,
  },
  {
    name: 'a table',
    text: `| n | 说明 [x] | right |\n|---|:-:|--:|\n${many(900, (at) => `| ${at} | **第 ${at} 行** [x] | \`${at * 3}\` ${at % 7 === 0 ? '$a|b$' : ''}|\n`)}\nAfter\n\n[x]: https://example.com/x\n`,
  },
  {
    name: 'code',
    text: `Text\n\n\`\`\`\`text\n${many(900, (at) => `line ${at} of it \`\`\` a < b & 中文\n${at % 40 === 0 ? '\n' : ''}`)}\`\`\`\`\nafter\n`,
  },
  {
    name: 'blocks',
    text: many(
      70,
      (at) =>
        `## Part ${at}\n\nWords of [part ${at}][p${at % 3}] with $x^{${at}}$<reference data-ref="2"/>.\n\n> quoted ${at}\n> - in it\n\n- a\n- b\n\n| a | b |\n|---|---|\n| ${at} | 2 |\n\n\`\`\`js\nlet x = ${at}\n\`\`\`\n\n<div>raw *${at}*</div>\n\nSetext ${at}\n---\n\n`,
    ).concat('[p0]: https://example.com/0\n[p1]: https://example.com/1\n\nend [p][p2]\n'),
  },
  {
    name: 'all kinds of blocks',
    text: many(3, (at) =>
      [
        many(90, (item) => `${item}) point ${item} of ${at}\n`),
        `\n| a | b |\n|---|---|\n${many(120, (row) => `| ${row} | of ${at} |\n`)}\n`,
        `\`\`\`\n${many(150, (line) => `${line}\n`)}\`\`\`\n\n`,
        ...longTexts.slice(0, 3).map(({ text }) => `${text}\n\nBetween\n\n`),
      ].join(''),
    ),
  },
]

test.each(texts)(
  'matches the full parse when parts leave and re-enter a growing page, $name',
  async ({ text }) => {
    let taken = 0
    for (const seed of [1, 2, 3]) {
      const { differs, out } = await page.evaluate(
        async ([whole, chance]) => {
          const way: unknown = Reflect.get(window, 'takeouts')
          if (typeof way !== 'function') throw new Error('The page has no way in')
          return (await way(whole, chance, 3)) as { differs: string[]; out: number }
        },
        [text, seed] as const,
      )
      expect(differs).toEqual([])
      taken += out
    }
    expect(taken).toBeGreaterThan(0)
  },
)

test('draws only the end of text that is received too fast to follow, and all of it afterwards', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'stream'))
  const count = 1200
  const text = many(
    count,
    (at) => `## Part ${at}\n\nA paragraph with *some* words, and more of them: ${at}.\n\n`,
  )
  // The whole text is short enough to stay in the page.
  expect(text.length).toBeLessThan(150_000)
  const unmounted = await page.evaluate(async (source) => {
    const way: unknown = Reflect.get(window, 'stream')
    if (typeof way !== 'function') throw new Error('The page has no way in')
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, document.querySelectorAll('.md-away').length)
    }, 20)
    await way(source, 100_000)
    clearInterval(timer)
    return most
  }, text)
  expect(unmounted).toBeGreaterThan(0)
  await expect.poll(() => page.locator('.md-away').count(), { timeout: 60_000 }).toBe(0)
  const headings = await page.locator('.md-answer h2').allTextContents()
  expect(headings).toEqual(Array.from({ length: count }, (_, at) => `Part ${at + 1}`))
})

test('draws an answer correctly whenever the end of fast text arrives', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'stream'))
  const lines = 1500
  const text = `${many(60, (at) => `Paragraph ${at}.\n\n`)}\`\`\`text\n${many(lines, (at) => `line ${at} of a long listing\n`)}\`\`\`\n\n## After\n\n${many(400, (at) => `- point ${at} of the list\n`)}\nThe end\n`
  // The end comes at another moment of the pauses between drawing each time.
  for (const rate of [60_000, 75_000, 90_000, 110_000, 140_000, 180_000]) {
    await page.evaluate(
      async ([source, perSecond]) => {
        const way: unknown = Reflect.get(window, 'stream')
        if (typeof way !== 'function') throw new Error('The page has no way in')
        await way(source, perSecond)
      },
      [text, rate] as const,
    )
    await expect.poll(() => page.locator('.md-answer h2').allTextContents()).toEqual(['After'])
    await expect.poll(() => page.locator('.md-answer li').count()).toBe(400)
    const code = await page.locator('.md-answer pre').allTextContents()
    expect(code.map((one) => one.trimEnd().split('\n').length)).toEqual([lines])
    expect(await page.locator('.md-answer p').last().textContent()).toBe('The end')
  }
})

test('copies a whole selection, including parts outside of the page', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'show'))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = `${many(3000, (at) => `${at}. item number ${at} with some words, so that it is long<reference data-ref="1"/>\n`)}\nThe end\n`
  await page.evaluate(
    ([whole]) => {
      const way: unknown = Reflect.get(window, 'show')
      if (typeof way === 'function') way(whole, false, 20_000)
    },
    [text] as const,
  )
  await page.waitForFunction(() => document.querySelectorAll('.md-away').length > 10)
  await page.locator('main').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const missing = Array.from({ length: 3000 }, (_, at) => `item number ${at + 1} with`).filter(
    (one) => !copied.includes(one),
  )
  expect(missing).toEqual([])
  expect(copied).toContain('The end')
  expect(copied).not.toMatch(/reference|\u{FDD2}/u)
  await page.waitForFunction(() => document.querySelectorAll('.md-away .md-source').length === 0)
})
