import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askPalette } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const go = (hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), `#/playground${hash}`)
const field = (path: string) => lectern.page.locator(`[data-field="${path}"]`)
const send = () => lectern.page.getByRole('button', { name: 'Send' }).click()
const state = (word: string) =>
  lectern.page.getByTestId('run-state').filter({ hasText: word }).waitFor({ timeout: 120_000 })

test('reports missing input at its field, then runs and shows a ranking', async () => {
  const { page } = lectern
  const link = page.getByRole('link', { name: 'Playground' })
  expect(await link.count()).toBe(0)
  await askPalette(page, 'developer')
  await page.keyboard.press('Enter')
  await link.click()
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('texts against')
  await page.getByRole('link', { name: /rerank\.create/ }).click()
  await send()
  await field('query').getByText('This field is required.').waitFor()
  await field('query').getByRole('textbox').fill('how do bees find their way home')
  await field('documents')
    .getByRole('textbox')
    .fill('The train leaves at noon.\nBees use the sun as a compass.')
  await field('returnDocuments').getByRole('combobox').selectOption('true')
  await send()
  await state('done')
  const value = await page.getByTestId('run-value').innerText()
  expect(value.indexOf('Bees use')).toBeGreaterThan(0)
  expect(value.indexOf('Bees use')).toBeLessThan(value.indexOf('The train'))
  await page.getByText('Raw response').click()
  await page.getByText(/^\{.*"relevance_score"/).waitFor()
})

test('streams agent events, opens one, and keeps everything across a reload and a rename', async () => {
  const { page } = lectern
  await go('/new/knowledge.create')
  await field('name').getByRole('textbox').fill('Bees')
  await field('embeddingId').getByRole('combobox').selectOption('11')
  await send()
  await state('done')
  const made = await page.getByTestId('run-value').innerText()
  const id = /\bid\s+(\S+)/.exec(made)?.[1] ?? ''
  expect(id).not.toBe('')

  await go('/new/agents.chat')
  await field('messages').getByRole('textbox').fill('How do bees find their way?')
  await field('retrieval.knowledgeIds').getByRole('textbox').fill(id)
  await send()
  await state('done')
  const events = page.getByTestId('run-events')
  const first = events.getByRole('button', { name: /session_created/ })
  // The list follows the newest event until the user scrolls up; later events do not move it.
  await events.getByRole('group', { name: 'Events' }).press('Home')
  await first.waitFor()
  await events.getByRole('button', { name: /^2\b/ }).click()
  await page.getByTestId('event').getByText('type').waitFor()

  await page.getByRole('heading', { level: 1 }).getByRole('button').click()
  await page.getByRole('textbox', { name: 'Title' }).fill('The question about bees')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Runs' }).getByText('The question about bees').waitFor()
  await page.reload()
  await state('done')
  await page.getByRole('heading', { name: 'The question about bees' }).waitFor()
  await events.getByRole('button', { name: /session_created/ }).waitFor()
})

test('shows events while the run is in progress, and stops a run', async () => {
  const { page } = lectern
  await go('/new/tasks.create')
  await field('kind').getByRole('combobox').selectOption('chat')
  await field('model').getByRole('combobox').fill('gen-5')
  await field('body').getByRole('textbox').fill('{"messages":[{"role":"user","content":"Hi"}]}')
  await send()
  await state('done')
  const id = /\bid\s+(\S+)/.exec(await page.getByTestId('run-value').innerText())?.[1] ?? ''
  await go('/new/tasks.wait')
  await field('id').getByRole('textbox').fill(id)
  await send()
  const running = page.getByTestId('run-state').filter({ hasText: 'running' })
  await page
    .getByRole('article')
    .filter({ has: running })
    .filter({ has: page.getByTestId('run-events').getByText('poll') })
    .waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await state('stopped')
  await page.getByTestId('run-events').getByText('poll').first().waitFor()
  await page.getByText('Stopped. Partial results are saved.').waitFor()
  expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0)
})

test('compares two runs of one operation, and saves them as one file', async () => {
  const { page } = lectern
  await page
    .getByRole('list', { name: 'Runs' })
    .getByRole('link')
    .filter({ hasText: 'find their way home' })
    .click()
  await state('done')
  await page.getByRole('button', { name: 'Edit and run' }).click()
  await field('documents').getByRole('textbox').fill('The train leaves at noon.\nA hive hums.')
  await send()
  await page.getByTestId('run-input').getByText('A hive hums.').waitFor()
  await state('done')
  const compare = page.getByTestId('run-compare')
  await compare.getByRole('combobox').selectOption({ index: 1 })
  await compare.getByRole('row', { name: /documents\[1\] A hive hums\. Bees use/ }).waitFor()
  const { path } = await lectern.saved(() =>
    page.getByRole('button', { name: 'Export all as JSON' }).click(),
  )
  const file = JSON.parse(await readFile(path, 'utf8')) as {
    readonly runs: readonly { readonly operation: string; readonly reply: unknown }[]
  }
  expect(file.runs.filter(({ operation }) => operation === 'rerank.create')).toHaveLength(2)
  expect(file.runs[0]?.reply).toMatchObject({ status: 200 })
})

test('reports an exceeded limit at the run, and at its field when the input is edited', async () => {
  const { page } = lectern
  await go('/new/rerank.create')
  await field('query').getByRole('textbox').fill('x'.repeat(5000))
  await field('documents').getByRole('textbox').fill('a')
  await send()
  await state('failed')
  await page.getByTestId('failure').getByRole('button', { name: 'Edit and run' }).click()
  await field('query').getByText(/4,096/).waitFor()
  await field('query').getByRole('textbox').fill('short')
  await send()
  await state('done')
  expect(await page.getByTestId('failure').count()).toBe(0)
})

test('does not count rejected files as success, and lists each by name with its reason', async () => {
  const { page } = lectern
  await go('/new/knowledge.create')
  await field('name').getByRole('textbox').fill('Refusals')
  await field('embeddingId').getByRole('combobox').selectOption({ label: 'Embedding-3' })
  await send()
  await state('done')
  const made = await page.getByTestId('run-value').innerText()
  await go('/new/documents.upload')
  await field('knowledgeId')
    .getByRole('textbox')
    .fill(/\bid\s+(\S+)/.exec(made)?.[1] ?? '')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files…' }).click()
  const files = ['tool.exe', 'pack.rar'].map((name) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(`of no known kind: ${name}`),
  }))
  await (await chooser).setFiles(files)
  await field('files').getByText('pack.rar').waitFor()
  await field('knowledgeType').getByRole('combobox').selectOption({ label: '1 · by heading' })
  await send()
  await state('2 of 2 rejected')
  const rejection = page.getByTestId('run-rejected-files')
  await rejection.getByRole('heading', { name: '2 of 2 files rejected' }).waitFor()
  await rejection.getByText('This file type (.rar) isn’t supported on-device.').waitFor()
  await page.getByRole('list', { name: 'Runs' }).getByText('2 of 2 rejected').waitFor()
  const input = page.getByTestId('run-input')
  for (const { name } of files) await input.getByRole('button', { name: `Save ${name}` }).waitFor()
  expect(await input.getByRole('button', { name: /^Save / }).count()).toBe(files.length)
  await page.getByRole('button', { name: 'Edit and run' }).click()
  for (const { name } of files) await field('files').getByText(name).waitFor()
})

test('opens an operation from far down the list at its top', async () => {
  const { page } = lectern
  await go('/new')
  await page.getByRole('link', { name: /connection\.check/ }).waitFor()
  const area = page.getByRole('group', { name: 'Playground' })
  await area.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  expect(await area.evaluate((element) => element.scrollTop)).toBeGreaterThan(100)
  await page.getByRole('link', { name: /layout\.parse/ }).click()
  await page.getByRole('heading', { name: 'layout.parse' }).waitFor()
  expect(await area.evaluate((element) => element.scrollTop)).toBe(0)
})

test('filters runs by type and status, and deletes one permanently', async () => {
  const { page } = lectern
  const rows = page.getByRole('list', { name: 'Runs' }).getByRole('link')
  await page.getByRole('combobox', { name: 'Type' }).selectOption('rerank')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('failed')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().click()
  await state('failed')
  await page.getByRole('button', { name: 'Delete run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No matching runs').waitFor()
})

test('creates a task, tracks it until it is done, and reports an unknown one', async () => {
  const { page } = lectern
  await go('/tasks')
  const make = page.getByRole('form', { name: 'New task' })
  await make.getByRole('combobox', { name: 'Model' }).fill('gen-5')
  await make.getByRole('textbox', { name: 'Question' }).fill('Say hello')
  await make.getByText('Advanced').click()
  const further = make.getByRole('textbox', { name: 'Other fields' })
  await further.fill('not JSON')
  await make.getByText('Advanced').click()
  await make.getByRole('button', { name: 'Create and track' }).click()
  await make.getByText('Enter a JSON object.').waitFor()
  await further.fill('')
  await make.getByRole('button', { name: 'Create and track' }).click()
  await page.getByTestId('task-state').filter({ hasText: 'Done' }).waitFor({ timeout: 120_000 })
  await page.getByTestId('task-result').getByText('no material to answer').waitFor()

  await go('/tasks')
  const watching = page.getByRole('form', { name: 'Existing task' })
  await watching.getByRole('textbox', { name: 'Task ID' }).fill('nobody-knows-this-one')
  await watching.getByRole('button', { name: 'Track' }).click()
  await page.getByTestId('task-state').filter({ hasText: 'Needs attention' }).waitFor()
  await page.getByTestId('failure').getByText('Provider: Task not found').waitFor()
  await page.getByRole('button', { name: 'Stop tracking' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(await page.getByRole('list', { name: 'Tasks' }).getByRole('link').count()).toBe(1)
})

test('never interprets text of a provider as markup, and fetches nothing for it', async () => {
  const { page } = lectern
  await go('/new/rerank.create')
  const evil = '<img src=https://evil.example/x onerror=alert(1)>[a](https://evil.example)'
  await field('query').getByRole('textbox').fill(evil)
  await field('documents').getByRole('textbox').fill(evil)
  await field('returnDocuments').getByRole('combobox').selectOption('true')
  await send()
  await state('done')
  await page.getByTestId('run-value').getByText(evil).waitFor()
  expect(await page.locator('img, a[href^="https"]').count()).toBe(0)
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})
