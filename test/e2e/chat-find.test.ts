import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChats, patient, assistantAnswerRule, type ChatSetup } from './chat-service.ts'

let chats: ChatSetup

beforeAll(async () => {
  chats = await openChats()
})
afterAll(() => chats.close())

const page = () => chats.lectern.page
const every = 40
/** Text, lists and tables: 360 KB, of which only the visible parts stay in the page. Each numbered part occurs once. */
const parts = Array.from({ length: 300 }, (_, at) => {
  const word = at % every === 7 ? `needle in part ${at}.` : `nothing in part ${at}.`
  const rest = 'A sentence that says little, and says it again. '.repeat(22)
  if (at % 3 === 0) return `${rest} And ${word}\n\n`
  if (at % 3 === 1) return `- ${rest}\n- There is ${word}\n\n`
  return `| a | b |\n|---|---|\n| ${rest} | ${word} |\n\n`
})
const marked = parts.flatMap((_, at) => (at % every === 7 ? [at] : []))

/** Returns the part that is marked as the current match, and whether it is visible. */
const here = () =>
  page().evaluate(() => {
    const [range] = CSS.highlights.get('lectern-find-here') ?? []
    if (!(range instanceof Range)) return null
    const box = document.querySelector('[data-testid="thread-box"]')?.getBoundingClientRect()
    const { top, bottom } = range.getBoundingClientRect()
    const isInView = box !== undefined && top >= box.top && bottom <= box.bottom
    const blockText = range.startContainer.parentElement?.closest('p, li, td')?.textContent ?? ''
    return `${/needle in part \d+/.exec(blockText)?.[0]} ${isInView}`
  })

test('finds each match of a long answer in both directions, even outside of the page', async () => {
  await chats.begin()
  await chats.misbehave(assistantAnswerRule(parts, 0))
  const field = page().getByTestId('composer').getByRole('textbox')
  await field.fill('Tell me much')
  await field.press('Enter')
  await page().locator('[data-testid="answer"][data-state="done"]').last().waitFor()
  await page().keyboard.press('Control+f')
  const bar = page().getByTestId('find-bar')
  await bar.getByRole('searchbox').fill('needle')
  const status = bar.getByRole('status')
  await expect.poll(() => status.innerText(), patient).toMatch(new RegExp(`of ${marked.length}$`))
  const at = async () => Number((await status.innerText()).split(' ')[0]) - 1
  for (const key of ['F3', 'Shift+F3'])
    for (let step = 0; step < marked.length; step++) {
      await expect.poll(here, patient).toBe(`needle in part ${marked[await at()]} true`)
      await page().keyboard.press(key)
    }
  expect(await page().locator('.md-away').count()).toBeGreaterThan(0)
  // Rules of highlights cost memory with every element.
  const rules = (): Promise<number> =>
    page().evaluate(
      () =>
        [...document.styleSheets, ...document.adoptedStyleSheets]
          .flatMap((sheet) => [...sheet.cssRules])
          .filter(({ cssText }) => cssText.startsWith('::highlight')).length,
    )
  expect(await rules()).toBeGreaterThan(0)
  await page().keyboard.press('Escape')
  await expect.poll(rules, patient).toBe(0)
})
