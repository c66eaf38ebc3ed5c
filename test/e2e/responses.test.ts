import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'
import { startKeyringSession } from '../fixtures/keyring-session.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let second: BridgeClient
let elsewhere: ScriptedServer
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  ;({ env } = await startKeyringSession())
  elsewhere = await startScriptedServer()
  lectern = await openLectern({ env, width: 1200, height: 800 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  second = await secondPage(lectern.home, env)
})
afterAll(async () => {
  second.close()
  await lectern.close()
  await elsewhere.close()
})

const go = (hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), `#/playground${hash}`)
const field = (path: string) => lectern.page.locator(`[data-field="${path}"]`)
const rows = () => lectern.page.getByRole('list', { name: 'Responses' }).getByRole('link')
const status = (word: string) =>
  lectern.page.getByTestId('response-status').filter({ hasText: word }).waitFor({ timeout: 60_000 })
/** Creates a Response with its operation (`responses.create`); the output is in its run. */
async function make(input: string, extra: unknown): Promise<void> {
  const { page } = lectern
  await go('/new/responses.create')
  await field('model').getByRole('combobox').fill('gen-5')
  await field('input').getByRole('textbox').fill(input)
  await field('extra').getByRole('textbox').fill(JSON.stringify(extra))
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByTestId('run-state').filter({ hasText: 'done' }).waitFor({ timeout: 120_000 })
}
const tools = [
  { type: 'web_search' },
  {
    type: 'namespace',
    name: 'weather',
    description: 'About the weather',
    tools: [
      {
        type: 'function',
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
      },
    ],
  },
]

test('saves responses.create of the Playground: answer, folded reasoning, search, tools, tokens', async () => {
  const { page } = lectern
  await make('What do bees say about the sun?', {
    tools: [{ type: 'web_search' }],
    instructions: 'Answer shortly.',
    temperature: 0.5,
  })
  await page.getByRole('link', { name: 'Responses', exact: true }).click()
  await rows().first().click()
  await status('Done')
  await page
    .getByTestId('response-message')
    .getByText('Web search isn’t available on-device.')
    .waitFor()
  await page.getByTestId('response-web_search_call').getByText('What do bees say').waitFor()
  const reasoning = page.getByTestId('response-reasoning')
  expect(await reasoning.locator('details').first().getAttribute('open')).toBeNull()
  await reasoning.getByText('Reasoning').click()
  await page.getByTestId('response-tools').getByText('Web search').waitFor()
  await page.getByText('Answer shortly.').waitFor()
  await page.getByText('Output tokens').waitFor()
  await page.getByText('Raw response').click()
  await page.getByText(/^\{.*"object":"response"/).waitFor()
  await page.waitForTimeout(200)
  expect(await findings(page)).toEqual([])
})

test('shows namespace, name, arguments and ID of a function call, and saves it as Markdown', async () => {
  const { page } = lectern
  await make('Please call get_weather for Paris', { tools })
  await go('/responses')
  await rows().filter({ hasText: 'get_weather' }).click()
  const call = page.getByTestId('response-function_call')
  await call.getByText('weather.get_weather').waitFor()
  await call.getByText('Paris').waitFor()
  await call.getByText(/^call-/).waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const { path } = await lectern.saved(() =>
    page.getByRole('button', { name: 'Markdown', exact: true }).click(),
  )
  const text = await readFile(path, 'utf8')
  expect(text).toContain('`weather.get_weather`')
  expect(text).toContain('"city": "Paris"')
})

test('pastes a URL, reads and finds the response, removes and restores it by keyboard alone', async () => {
  const { page } = lectern
  const [saved] = (await second.call('responses.list', { query: 'bees' })).items
  if (!saved) throw new Error('nothing is kept')
  await go('/responses')
  await page.getByRole('form', { name: 'Open response' }).getByRole('textbox').focus()
  await page.keyboard.insertText(
    `{"data":[{"id":"${saved.remoteId}"},{"id":"https://x.test/v1/responses/nobody-knows"}]}`,
  )
  await page.keyboard.press('Enter')
  await status('Done')
  expect((await second.call('responses.list', { query: saved.remoteId })).items).toHaveLength(1)

  await go('/responses')
  await page.getByRole('form', { name: 'Open response' }).getByRole('textbox').focus()
  await page.keyboard.insertText('resp-nobody-knows')
  await page.keyboard.press('Enter')
  await status('Failed')
  await page.getByTestId('failure').getByText('Provider:').waitFor()
  await page.getByRole('searchbox', { name: 'Search responses' }).focus()
  await page.keyboard.type('nobody')
  await expect.poll(() => rows().count()).toBe(1)
  await rows().first().focus()
  await page.keyboard.press('Delete')
  await page.getByText('No results for “nobody”').waitFor()
  await page.getByRole('searchbox', { name: 'Search responses' }).press('Escape')
  await expect.poll(() => rows().count()).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => rows().count()).toBe(3)
})

test('polls a response in progress until done, keeps each snapshot, and explains failures', async () => {
  const { page } = lectern
  const head = { id: 'resp-slow', object: 'response', model: 'gen-5', created_at: 1_700_000_000 }
  const annotation = { type: 'url_citation', url: 'https://example.org/bees', title: 'Bees' }
  const part = { type: 'output_text', text: 'Slow, but **here**.', annotations: [annotation] }
  const refusal = { type: 'refusal', refusal: 'The rest I will not say.' }
  let pollCount = 0
  elsewhere.always((request) => {
    if (!request.url.startsWith('/v1/responses/')) return { status: 404, body: '{}' }
    const error = { code: 'context_length_exceeded', message: 'Too long by 7 tokens' }
    const body = request.url.endsWith('resp-bad')
      ? { ...head, id: 'resp-bad', status: 'failed', error, output: [] }
      : ++pollCount < 3
        ? { ...head, status: 'in_progress', output: [] }
        : {
            ...head,
            status: 'incomplete',
            incomplete_details: { reason: 'max_output_tokens' },
            output: [
              { type: 'message', id: 'm', content: [part, refusal] },
              { type: 'dream', colour: 'blue' },
            ],
          }
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  })
  const account = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Elsewhere',
    baseUrl: elsewhere.url,
  })
  await second.call('accounts.setKey', { id: account.id, key: 'a-key.for-tests' })
  const accountId = account.id
  const [slow] = await second.call('responses.fetch', { ids: ['resp-slow'], accountId })
  await go(`/responses/${slow?.id}`)
  await status('Running')
  await status('Incomplete')
  await page.getByText('token limit reached').waitFor()
  await page.getByTestId('response-message').locator('strong').getByText('here').waitFor()
  await page.getByTestId('response-refusal').getByText('The rest I will not say.').waitFor()
  await page.getByTestId('response-annotations').getByRole('button', { name: /^Bees/ }).waitFor()
  await page.getByTestId('response-unknown').getByText('blue').waitFor()
  await page.getByRole('combobox', { name: 'Snapshot' }).selectOption('1')
  await page.getByTestId('response-message').waitFor({ state: 'detached' })
  const compare = page.getByTestId('snapshot-compare')
  await compare.getByRole('combobox').selectOption('reading 2')
  await compare.getByRole('rowheader', { name: 'incompleteReason' }).waitFor()
  await compare.getByRole('cell', { name: 'max_output_tokens' }).waitFor()
  const [bad] = await second.call('responses.fetch', { ids: ['resp-bad'], accountId })
  await go(`/responses/${bad?.id}`)
  await page.getByTestId('response-error').getByText('Input too long for the model.').waitFor()
  expect(await findings(page)).toEqual([])
})

test('shows everything after a restart without requests; Chinese, dark, narrow', async () => {
  second.close()
  await elsewhere.close()
  lectern = await lectern.restart()
  second = await secondPage(lectern.home, env)
  const { page } = lectern
  const requestCount = async () => (await second.call('activity.list', { limit: 200 })).calls.length
  const before = await requestCount()
  await go('/responses')
  await page.getByRole('searchbox', { name: 'Search responses' }).fill('Slow, but')
  await expect.poll(() => rows().count()).toBe(1)
  await rows().first().click()
  await page.getByTestId('response-message').getByText('here').waitFor()
  await second.call('settings.update', { language: 'zh-CN' })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 900, height: 760 })
  await page.getByTestId('response-status').filter({ hasText: '未完成' }).waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  await go('/responses')
  await page.getByRole('heading', { level: 1, name: '打开响应' }).waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  expect(await requestCount()).toBe(before)
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})
