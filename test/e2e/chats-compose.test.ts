import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCanvas } from '@napi-rs/canvas'
import {
  predefinedAssistants,
  type AssistantPurpose,
} from '../../src/shared/provider/assistants.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
const wait = { timeout: 30_000 }

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const question = () => lectern.page.getByRole('textbox', { name: 'Question' })
const chips = () => lectern.page.getByTestId('attachments').getByRole('listitem')
const value = () => question().inputValue()
const questions = () => lectern.page.getByTestId('thread-pane').getByText('goats')

/** Creates and opens a chat with an assistant. */
async function begin(purpose: AssistantPurpose): Promise<void> {
  const assistantId = predefinedAssistants.find((one) => one.purpose === purpose)?.id ?? ''
  const second = await secondPage(lectern.home)
  const { id } = await second.call('chats.create', {
    settings: { kind: 'assistant', assistantId, model: null, doSample: null, translate: null },
  })
  second.close()
  await lectern.page.evaluate((to) => (location.hash = to), `#/chats/${id}`)
  await lectern.page.getByTestId('thread-pane').waitFor(wait)
  await question().waitFor(wait)
}
const settled = () => lectern.page.waitForTimeout(700)

test('starts with the composer, and chooses an assistant in a searchable gallery', async () => {
  const { page } = lectern
  await page.evaluate(() => (location.hash = '#/chats?new'))
  await question().waitFor(wait)
  await settled()
  expect(await findings(page)).toEqual([])
  // Unsent input is saved with a chat of its own.
  await question().fill('A long thought')
  await page.evaluate(() => (location.hash = '#/library'))
  await page.getByRole('heading', { name: 'Library' }).waitFor(wait)
  // The Library lists it as a draft.
  const entry = page
    .getByRole('main')
    .getByRole('link', { name: /New chat.*Draft · A long thought/s })
  await entry.waitFor(wait)
  await page.evaluate(() => (location.hash = '#/chats?new'))
  await page.getByRole('link', { name: /New chat/ }).click()
  await expect.poll(value, wait).toBe('A long thought')
  await page.evaluate(() => (location.hash = '#/chats?new'))
  await expect.poll(value, wait).toBe('')
  await question().fill('Hello')
  await page.getByTestId('choose-assistant').click()
  const cards = page.getByTestId('assistant-card')
  // Drawing, the web, fiction and code need a provider.
  await expect.poll(() => cards.count(), wait).toBe(8)
  await page.getByText('Updated just now').waitFor(wait)
  await settled()
  expect(await findings(page)).toEqual([])
  await page.getByTestId('gallery').getByRole('searchbox').fill('mermaid map')
  await expect.poll(() => cards.count(), wait).toBe(1)
  await cards.getByRole('button', { name: 'Choose' }).click()
  await expect.poll(() => page.getByTestId('choose-assistant').innerText()).toBe('Mind maps')
  // The composer has the focus again.
  await page.keyboard.press('Enter')
  await page.getByTestId('thread-pane').getByText('Hello').first().waitFor(wait)
  await page.getByTestId('thread-pane').getByText('Mind maps').first().waitFor(wait)
})

test('does not send a question when Enter confirms an IME composition', async () => {
  const { page } = lectern
  await begin('drawing')
  await question().focus()
  const debuggers = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    debuggers.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  await compose('ni')
  await compose('nihao')
  await debuggers.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Process',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  })
  await debuggers.send('Input.insertText', { text: '你好' })
  expect(await value()).toBe('你好')
  // Like systems that report the key after the composition has ended.
  await question().evaluate((field) => {
    field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    const init = { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true }
    field.dispatchEvent(new KeyboardEvent('keydown', init))
    field.dispatchEvent(new KeyboardEvent('keyup', init))
  })
  expect(await value()).toBe('你好')
  await question().press('Shift+Enter')
  await question().pressSequentially('goats')
  expect(await value()).toBe('你好\ngoats')
  await question().press('ArrowUp')
  await question().press('Enter')
  await expect.poll(value, wait).toBe('')
  await questions().first().waitFor(wait)
})

test('saves typed text with its chat when leaving it and when Lectern ends', async () => {
  await question().fill('Half a thought')
  const here = lectern.page.url()
  await begin('grammar')
  expect(await value()).toBe('')
  await question().fill('Another one')
  // Left immediately: it is saved nevertheless.
  await lectern.page.goBack()
  await expect.poll(value, wait).toBe('Half a thought')
  await question().fill('Half a thought, and more')
  await settled()
  const hash = new URL(here).hash
  lectern = await lectern.restart()
  await lectern.page.evaluate((to) => (location.hash = to), hash)
  await expect.poll(value, wait).toBe('Half a thought, and more')
  await question().fill('')
})

test('offers prompts and commands after a slash, and fills in prompt variables by keyboard', async () => {
  const { page } = lectern
  await question().focus()
  await page.keyboard.type('/prompt lib')
  await page.keyboard.press('Enter')
  const library = page.getByRole('dialog', { name: 'Prompt library' })
  await library.getByRole('button', { name: 'New prompt' }).click()
  await library.getByLabel('Name').fill('letter')
  await library.getByLabel('Text', { exact: true }).fill('Write to {{name}} about {{topic}}.')
  await settled()
  expect(await findings(page)).toEqual([])
  await library.getByRole('button', { name: 'Save' }).click()
  await library.getByRole('button', { name: 'Delete “letter”' }).click()
  await library.getByRole('button', { name: 'Undo' }).click()
  await library.getByText('Fields: name, topic').waitFor(wait)
  // The field has the focus again, with its caret.
  await page.keyboard.press('Escape')
  await library.waitFor({ ...wait, state: 'hidden' })
  await page.keyboard.type('/le')
  const option = page.getByRole('option', { name: /letter/ })
  await option.waitFor(wait)
  expect(await option.getAttribute('aria-selected')).toBe('true')
  expect(await question().getAttribute('aria-activedescendant')).toBe(
    await option.getAttribute('id'),
  )
  await settled()
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect([await option.count(), await value()]).toEqual([0, '/le'])
  await question().fill('')
  await page.keyboard.type('/le')
  await option.waitFor(wait)
  await page.keyboard.press('Tab')
  await page.getByTestId('prompt-variables').waitFor(wait)
  await page.keyboard.type('Ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type('goats')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(value, wait).toBe('Write to Ada about goats.')
  expect(await question().evaluate((field) => field === document.activeElement)).toBe(true)
  await question().fill('')
})

test('restores the focus of the field after an overlay is closed', async () => {
  const { page } = lectern
  await question().focus()
  await page.keyboard.type('abc')
  await page.keyboard.press('ControlOrMeta+k')
  await page.locator('#palette-results').waitFor(wait)
  await page.keyboard.type('zz')
  await page.keyboard.press('Escape')
  await page.locator('#palette-results').waitFor({ ...wait, state: 'hidden' })
  await page.keyboard.type('def')
  expect(await value()).toBe('abcdef')
  await question().fill('')
})

test('adds images and files by choice, paste and drop, and removes them by keyboard', async () => {
  const { page } = lectern
  const canvas = createCanvas(8, 8)
  canvas.getContext('2d').fillRect(0, 0, 8, 8)
  const webp = canvas.toBuffer('image/webp')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files…' }).click()
  await (
    await chooser
  ).setFiles([
    { name: 'goat.webp', mimeType: 'image/webp', buffer: webp },
    { name: 'herd.csv', mimeType: 'text/csv', buffer: Buffer.from('goat,age\nAda,3\n') },
    { name: 'none.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ])
  await expect
    .poll(() => chips().allInnerTexts(), wait)
    .toEqual([
      expect.stringContaining('goat.webp'),
      expect.stringContaining('herd.csv'),
      expect.stringMatching(/none\.txt\s+This file is empty/),
    ])
  const give = (type: 'paste' | 'drop') =>
    question().evaluate(
      (field, [kind, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], `${kind}ed.csv`, { type: 'text/csv' }))
        const init = { bubbles: true, cancelable: true }
        field.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent(kind, { ...init, clipboardData: data })
            : new DragEvent(kind, { ...init, dataTransfer: data }),
        )
      },
      [type, Buffer.from(`${type},1\n`).toString('base64')] as const,
    )
  await give('paste')
  await give('drop')
  await expect.poll(() => chips().count(), wait).toBe(5)
  // None of it was imported into the Library.
  expect(await page.getByTestId('drop-target').count()).toBe(0)
  await settled()
  expect(await findings(page)).toEqual([])
  for (let left = 5; left > 0; left -= 1) {
    await page
      .getByRole('button', { name: /^Remove “/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => chips().count(), wait).toBe(left - 1)
  }
  expect(await question().evaluate((field) => field === document.activeElement)).toBe(true)
})

test('keeps the attachments of an edited question, and allows adding more', async () => {
  const { page } = lectern
  await begin('grammar')
  const choose = async (name: string, within = page.getByTestId('composer')) => {
    const chooser = page.waitForEvent('filechooser')
    await within.getByRole('button', { name: 'Attach files…' }).click()
    const buffer = Buffer.from(`${name},1\n`)
    await (await chooser).setFiles([{ name, mimeType: 'text/csv', buffer }])
  }
  await choose('one.csv')
  await expect.poll(() => chips().count(), wait).toBe(1)
  await question().fill('What is in it?')
  // The file is being uploaded until then.
  const send = page.getByTestId('composer').getByRole('button', { name: 'Send' })
  await expect.poll(() => send.isEnabled(), wait).toBe(true)
  await question().press('Enter')
  const sentQuestion = page.getByTestId('question').first()
  await sentQuestion.getByText('one.csv').waitFor(wait)
  await page.locator('[data-testid="answer"][data-state="done"]').waitFor(wait)
  await sentQuestion.hover()
  await sentQuestion.getByRole('button', { name: 'Edit and resend' }).click()
  const editor = page.getByTestId('question-editor')
  await editor.getByText('one.csv').waitFor(wait)
  await choose('two.csv', editor)
  await editor.getByText('two.csv').waitFor(wait)
  expect(await findings(page)).toEqual([])
  await editor.getByRole('button', { name: 'Resend' }).click()
  await page.getByTestId('version').first().waitFor(wait)
  await sentQuestion.getByText('two.csv').waitFor(wait)
  expect(await sentQuestion.getByText('one.csv').count()).toBe(1)
})

test('shows failed imports next to the composer, never over it', async () => {
  const { page } = lectern
  await page.evaluate(() => (location.hash = '#/chats?new'))
  for (const name of ['one.json', 'two.json']) {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: /^Import chats/ }).click()
    const buffer = Buffer.from('{"a":1}')
    await (await chooser).setFiles([{ name, mimeType: 'application/json', buffer }])
    await page.getByText(name).first().waitFor(wait)
  }
  await page.goBack()
  const notice = page.getByRole('region', { name: 'Imports' })
  await notice.waitFor(wait)
  await question().waitFor(wait)
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const width of [size.width, 1000, 700]) {
    await page.setViewportSize({ ...size, width })
    const [noticeBox, writes] = await Promise.all([
      notice.boundingBox(),
      page.getByTestId('composer').boundingBox(),
    ])
    expect(noticeBox?.y ?? NaN).toBeGreaterThanOrEqual((writes?.y ?? NaN) + (writes?.height ?? NaN))
  }
  await page.setViewportSize(size)
  await notice.getByRole('button', { name: 'Dismiss all' }).click()
})

test('saves chat settings and resets them to the defaults', async () => {
  const { page } = lectern
  await question().focus()
  await page.keyboard.type('/settings')
  await page.keyboard.press('Enter')
  const panel = page.getByTestId('chat-settings')
  await panel.getByLabel('Model').selectOption('gen-4-alltools')
  await panel.getByLabel('Translate from').fill('zh')
  await panel.getByLabel('Translate to').fill('en')
  await panel.getByLabel('Translate to').blur()
  await settled()
  expect(await findings(page)).toEqual([])
  await page.reload()
  await question().waitFor(wait)
  await question().focus()
  await page.keyboard.type('/settings')
  await page.keyboard.press('Enter')
  await expect.poll(() => panel.getByLabel('Model').inputValue(), wait).toBe('gen-4-alltools')
  expect(await panel.getByLabel('Translate to').inputValue()).toBe('en')
  await panel.getByRole('button', { name: 'Reset to defaults' }).click()
  await expect.poll(() => panel.getByLabel('Model').inputValue(), wait).toBe('')
  expect(await panel.getByLabel('Translate from').inputValue()).toBe('')
})

test('sends requests only to its own host, without errors in the page', () => {
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})
