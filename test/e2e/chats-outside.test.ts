import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { Parser } from 'htmlparser2'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agent, headOf, messageOf } from '../main/domains/chats/exports/made.ts'
import { beginChat } from '../../src/main/domains/chats/exports/chat-export-worker.ts'
import { openBrowser } from '../fixtures/chromium.ts'
import { findings } from './axe.ts'
import { openChats, type ChatSetup } from './chat-service.ts'
import { askPalette, dropFiles } from './gestures.ts'
import { overElectron } from './lectern.ts'

let setup: ChatSetup
const wait = { timeout: 90_000 }
const page = (): Page => setup.lectern.page
const count = 80

/** Returns a file of a chat that is longer than a thread keeps mounted. */
async function talkFile(): Promise<Uint8Array> {
  const messages = Array.from({ length: count }, (_, at) =>
    messageOf({
      id: `m${at}`,
      parentId: at === 0 ? null : `m${at - 1}`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      text:
        at % 2 === 0
          ? `Question ${at}: <script>alert(1)</script>`
          : `Answer ${at} with $a^2$ and ![far](https://tracker.example/p.png)`,
      usage:
        at % 2 === 0
          ? null
          : { prompt: 10, completion: 5, total: 15, reasoning: null, cached: null },
      createdAt: Date.UTC(2026, 0, 2) + at * 1000,
    }),
  )
  const parts: string[] = []
  const file = { write: async (chunk: string | Uint8Array) => void parts.push(String(chunk)) }
  const head = headOf({ title: 'Lamps and oil', settings: agent, leafId: `m${count - 1}` })
  const writer = await beginChat('json', file, head, { language: 'en', steps: true })
  for (const message of messages) await writer.message({ message, hashes: {} })
  await writer.end()
  return Buffer.from(parts.join(''))
}

async function menu(entry: string): Promise<void> {
  await page().getByRole('button', { name: 'More', exact: true }).last().click()
  await page().getByTestId(entry).click()
}
/** Returns the path of the file saved in a format. */
async function saved(format: string): Promise<string> {
  await page().getByTestId('chat-export-open').click()
  const { path } = await setup.lectern.saved(() =>
    page().getByRole('menuitem', { name: format }).click(),
  )
  return path
}
async function openDialog(): Promise<void> {
  await page().getByTestId('chat-export-open').click()
  await page().getByTestId('export-more').click()
  await page().getByTestId('chat-export').waitFor()
}

beforeAll(async () => {
  setup = await openChats()
  page().setDefaultTimeout(60_000)
})
afterAll(() => setup.close())

test('opens a dropped chat, and rejects a damaged one with its line number', async () => {
  const bytes = await talkFile()
  await dropFiles(page(), [{ name: 'talk.json', type: 'application/json', bytes }])
  const thread = page().getByTestId('thread-pane')
  await thread.getByText(`Answer ${count - 1} with`).waitFor(wait)
  const cut = bytes.subarray(0, bytes.length - 40)
  await dropFiles(page(), [{ name: 'cut.json', type: 'application/json', bytes: cut }])
  const refusal = page().getByText('damaged or cut off at line')
  await refusal.waitFor(wait)
  expect(await refusal.innerText()).toContain(
    `line ${Buffer.from(cut).toString().split('\n').length}`,
  )
})

test('imports a chat by a button as well', async () => {
  await page().evaluate(() => void (location.hash = '#/chats?new'))
  const chooser = page().waitForEvent('filechooser')
  await page().getByRole('button', { name: 'Import chats…' }).click()
  const buffer = Buffer.from(await talkFile())
  const before = new URL(page().url()).hash
  await (await chooser).setFiles([{ name: 'again.json', mimeType: 'application/json', buffer }])
  await expect.poll(() => new URL(page().url()).hash, wait).not.toBe(before)
  await page()
    .getByTestId('thread-pane')
    .getByText(`Answer ${count - 1} with`)
    .waitFor(wait)
})

describe('export', () => {
  let webPage = ''

  test('saves Markdown, a page and JSON that can be imported again', async () => {
    await openDialog()
    expect(await findings(page())).toEqual([])
    await page().keyboard.press('Escape')
    await page().getByTestId('chat-export').waitFor({ state: 'detached' })
    const markdown = await readFile(await saved('Markdown'), 'utf8')
    expect(markdown.match(/^## /gm)).toHaveLength(count)
    expect(markdown).toContain('&lt;script>')
    const json = await readFile(await saved('JSON'), 'utf8')
    expect(JSON.parse(json)).toMatchObject({ format: 'lectern.chat', title: 'Lamps and oil' })
    // The menu begins with the format used last, whether it was chosen there or in the dialog.
    await page().getByTestId('chat-export-open').press('Enter')
    const focused = page().locator(':focus')
    expect(await focused.innerText()).toMatch(/^JSON/)
    expect(await findings(page())).toEqual([])
    await page().keyboard.press('Escape')
    await openDialog()
    await page().getByRole('radio', { name: 'Web page' }).check()
    const dialogFile = await setup.lectern.saved(() =>
      page().getByTestId('chat-export-save').click(),
    )
    await page().getByTestId('chat-export').waitFor({ state: 'detached' })
    webPage = dialogFile.path
    await page().getByTestId('chat-export-open').press('Enter')
    expect(await focused.innerText()).toMatch(/^Web page/)
    await page().keyboard.press('Escape')
    const tags: string[] = []
    const parser = new Parser({ onopentag: (name) => void tags.push(name) })
    parser.end(await readFile(webPage, 'utf8'))
    expect(tags.filter((name) => name === 'article')).toHaveLength(count)
    expect(tags).not.toContain('script')
    expect(tags).not.toContain('img')
  })

  test('saves a page that sends no requests and runs no scripts', async () => {
    const browser = await openBrowser()
    const other = await browser.page()
    const requests: string[] = []
    other.on('request', (request) => void requests.push(request.url()))
    other.on('dialog', (dialog) => {
      requests.push('dialog')
      void dialog.dismiss()
    })
    const { href } = pathToFileURL(webPage)
    await other.goto(href)
    await other.getByText(`Answer ${count - 1} with`).waitFor(wait)
    expect(requests).toEqual([href])
    expect(await findings(other)).toEqual([])
    await browser.close()
  })
})

test('prints the whole chat, not only the mounted part, and offers a way back', async () => {
  await menu('chat-print-open')
  await page().getByTestId('print').and(page().locator(':enabled')).waitFor(wait)
  expect(await findings(page())).toEqual([])
  const articles = await page()
    .locator('.paper')
    .evaluate((paper) => paper.shadowRoot?.querySelectorAll('article').length)
  expect(articles).toBe(count)
  await page().emulateMedia({ media: 'print' })
  expect(await page().locator('#app').isVisible()).toBe(false)
  expect(await page().getByTestId('print-back').isVisible()).toBe(false)
  await page().emulateMedia({ media: 'screen' })
  await page().getByTestId('print-back').click()
  await page().getByTestId('print-view').waitFor({ state: 'detached' })
  await page().getByTestId('composer').getByRole('textbox').fill('Back again')
  await page().getByTestId('composer').getByRole('textbox').fill('')
})

test('sums the tokens of all answers, and shows unreported ones as unknown', async () => {
  await menu('chat-usage-open')
  const sums = page().getByTestId('chat-usage').locator('tfoot')
  await expect.poll(() => sums.innerText(), wait).toContain('600')
  expect(await sums.innerText()).toContain('unknown')
  expect(await page().getByTestId('chat-usage').locator('tbody tr').count()).toBe(count / 2)
  expect(await findings(page())).toEqual([])
  await page().keyboard.press('Escape')
})

test('opens a quick question in a separate page, answers it, and continues it in Lectern', async () => {
  await askPalette(page(), 'quick')
  await page().getByRole('option', { name: 'Quick question' }).waitFor(wait)
  const quick = await setup.lectern.opened(() => page().keyboard.press('Enter'))
  await quick.getByTestId('quick-window').waitFor(wait)
  expect(await findings(quick)).toEqual([])
  await quick.getByRole('textbox').fill('When is the lamp lit?')
  await quick.getByRole('textbox').press('Enter')
  await quick.getByText('Answer ready').waitFor({ state: 'attached', ...wait })
  await quick.getByTestId('quick-open-in-chat').click()
  // A tab continues in itself, a window in the main one.
  const thread = (overElectron ? page() : quick).getByTestId('thread-pane')
  await thread.getByText('When is the lamp lit?').first().waitFor(wait)
  await quick.close()
  expect(setup.lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})
