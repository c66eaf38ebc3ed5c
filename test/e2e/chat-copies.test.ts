import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChats, patient, assistantAnswerRule, type ChatSetup } from './chat-service.ts'

let chats: ChatSetup
const page = () => chats.lectern.page
const answers = () => page().getByTestId('answer')
const text = `# A heading

An [address](https://example.org/a) and <reference data-ref="1"></reference> a formula $\\frac{a}{b}$.

| Ship | Days |
| --- | --- |
| Swan | 31 |

\`\`\`js
const lamp = 'lit'
\`\`\`
`

beforeAll(async () => {
  chats = await openChats()
  page().setDefaultTimeout(30_000)
  await page().context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await chats.begin()
  await ask(text)
})
afterAll(() => chats.close())

async function ask(answer: string): Promise<void> {
  const before = await answers().count()
  await chats.misbehave(assistantAnswerRule([answer], 5))
  const field = page().getByTestId('composer').getByRole('textbox')
  await field.fill('Go on')
  await field.press('Enter')
  await answers().nth(before).and(page().locator('[data-state="done"]')).waitFor()
}
/** Returns the clipboard content by type, in base64. */
const clipboard = (): Promise<Record<string, string>> =>
  page().evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const all: Record<string, string> = {}
    for (const type of item?.types ?? []) {
      const bytes = new Uint8Array(
        (await (await item?.getType(type))?.arrayBuffer()) ?? new ArrayBuffer(),
      )
      let letters = ''
      for (const byte of bytes) letters += String.fromCharCode(byte)
      all[type] = btoa(letters)
    }
    return all
  })
async function copied(name: string, kind: string): Promise<Buffer> {
  await page().evaluate(() => navigator.clipboard.writeText(''))
  await answers().last().hover()
  await answers().last().getByRole('button', { name }).click()
  await expect.poll(async () => (await clipboard())[kind] ?? '', patient).not.toBe('')
  return Buffer.from((await clipboard())[kind] ?? '', 'base64')
}

test('copies the whole answer as rich text: links, a table, a formula, code; nothing of the page', async () => {
  const html = (await copied('Copy as rich text', 'text/html')).toString('utf8')
  expect(html).toContain('<a href="https://example.org/a">address</a>')
  expect(html).toContain('<td>Swan</td>')
  expect(html).toMatch(/<math[^>]*>.*<mfrac>/s)
  expect(html).toMatch(/<pre><code class="language-js">const lamp = .lit.\n?<\/code><\/pre>/)
  expect(html).not.toMatch(/<button|toolbar|katex-html|data-|reference/)
})

test('renders formulas and colored code in the image of an answer, in the theme of the page', async () => {
  for (const [colorScheme, ground, violet] of [
    ['light', [255, 255, 255], [123, 47, 165]],
    ['dark', [28, 29, 31], [210, 155, 234]],
  ] as const) {
    await page().emulateMedia({ colorScheme })
    const png = await loadImage(await copied('Copy as image', 'image/png'))
    const canvas = createCanvas(png.width, png.height)
    const pen = canvas.getContext('2d')
    pen.drawImage(png, 0, 0)
    const { data } = pen.getImageData(0, 0, png.width, png.height)
    expect(Array.from(data.slice(0, 3))).toEqual(ground)
    let colored = 0
    for (let at = 0; at < data.length; at += 4) {
      const far = violet.reduce((sum, want, n) => sum + Math.abs(want - (data[at + n] ?? 0)), 0)
      if (far < 12) colored += 1
    }
    expect(colored).toBeGreaterThan(20)
    expect(png.width).toBe(1520)
  }
  await page().emulateMedia({ colorScheme: 'light' })
})

test('reports an answer that is too long for an image, with the alternatives', async () => {
  await ask('A line of many words that goes on.\n\n'.repeat(3500))
  await answers().last().focus()
  await page().keyboard.press('p')
  await page().getByText('Too long for one image.').waitFor()
  expect(chats.lectern.trouble).toEqual({ violations: [], errors: [], strangers: [] })
})
