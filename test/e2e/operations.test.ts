import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { askPalette } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let second: BridgeClient

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  second = await secondPage(lectern.home)
})
afterAll(async () => {
  second.close()
  await lectern.close()
})

const go = (hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), `#/playground${hash}`)
const field = (path: string) => lectern.page.locator(`[data-field="${path}"]`)

/** Submits the form of an operation with these texts and choices; resolves with the result when it is done. */
async function run(
  operation: string,
  texts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { page } = lectern
  await go(`/new/${operation}`)
  await page.getByRole('heading', { level: 1, name: operation }).waitFor()
  for (const [path, text] of Object.entries(texts)) {
    const choice = field(path).locator('select')
    if (await choice.count()) await choice.selectOption(text)
    else await field(path).locator('input, textarea').fill(text)
  }
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByTestId('run-state').filter({ hasText: 'done' }).waitFor({ timeout: 60_000 })
  return value()
}
/** Returns the result of the open run, as JSON. */
async function value(): Promise<string> {
  const id = lectern.page.url().split('/').at(-1) ?? ''
  return JSON.stringify((await second.call('runs.get', { id })).value)
}
const idIn = (json: string): string => /"id":"([^"]+)"/.exec(json)?.[1] ?? ''

test('reaches a form for every operation from the developer tools, found by its name', async () => {
  const { page } = lectern
  const operations = await second.call('runs.operations', {})
  expect(operations).toHaveLength(43)
  await askPalette(page, 'developer')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Playground' }).click()
  for (const { name } of operations)
    await page.locator(`a[href="#/playground/new/${name}"]`).waitFor({ state: 'attached' })
  for (const { name, fields } of operations) {
    await go(`/new/${name}`)
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    const required = fields.filter((one) => one.required).map((one) => one.name)
    for (const path of required)
      expect(await page.locator(`[data-field^="${path}"]`).count(), path).toBeGreaterThan(0)
  }
})

test('runs responses.inputItems, responses.delete and connection.check in the Playground', async () => {
  const made = await run('responses.create', { model: 'gen-5', input: 'Where is the hive?' })
  const id = idIn(made)
  expect(await run('responses.inputItems', { id })).toContain('Where is the hive?')
  expect(await run('responses.delete', { id })).toContain('true')
  expect(await run('connection.check')).toContain('ms')
})

test('runs files.upload, files.list, files.content, files.delete and assistants.conversations', async () => {
  const { page } = lectern
  await go('/new/files.upload')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose file…' }).click()
  await chooser
  // Chosen and sent at once: the upload cannot be finished.
  await page.getByTestId('playground-file').evaluate((element) => {
    const input = element as HTMLInputElement
    const line = '{"custom_id":"a","method":"POST","url":"/v4/chat/completions","body":{}}\n'
    const transfer = new DataTransfer()
    transfer.items.add(new File([line], 'asked.jsonl', { type: 'application/json' }))
    input.files = transfer.files
    input.dispatchEvent(new Event('change'))
    document.querySelector('form')?.requestSubmit()
  })
  await field('file').getByRole('button', { name: 'Remove asked.jsonl' }).waitFor()
  // The notice about the running upload disappeared with its end.
  expect(await field('file').innerText()).not.toContain('still uploading')
  await field('purpose').getByRole('combobox').selectOption('batch')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByTestId('run-state').filter({ hasText: 'done' }).waitFor({ timeout: 60_000 })
  const id = idIn(await value())
  expect(await run('files.list', { purpose: 'batch' })).toContain('asked.jsonl')
  await run('files.content', { id })
  await page
    .getByRole('button', { name: /^Save / })
    .first()
    .waitFor()
  expect(await run('files.delete', { id })).toContain('true')
  await run('assistants.conversations', { assistantId: '65940acff94777010aa6b796' })
})
