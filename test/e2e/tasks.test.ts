import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { startKeyringSession } from '../fixtures/keyring-session.ts'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'
import { sineWav } from '../fixtures/wav.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let second: BridgeClient
let elsewhere: ScriptedServer
let env: Readonly<Record<string, string>>
/** Files that the remote server still serves. */
const hostedFiles = new Map<string, { readonly type: string; readonly body: Uint8Array }>()

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
/** Header of an MP4 file without content: enough to be saved and offered. */
const mp4 = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypisom\0\0\0\0isommp42'),
  Buffer.alloc(64),
])
const searched = {
  title: 'Bees and the sun',
  link: 'https://example.org/bees',
  media: 'A paper',
  publish_date: '2024-05-01',
  content: 'They know its way.',
  refer: '[1]',
}
const tool = { name: 'find', description: 'Finds things', input_schema: { type: 'object' } }
const results: Readonly<Record<string, (url: string) => object>> = {
  'task-video': (url) => ({
    task_status: 'SUCCESS',
    model: 'cogvideox-3',
    video_result: [{ url: `${url}/video.mp4`, cover_image_url: `${url}/cover.png` }],
  }),
  'task-talk': () => ({
    task_status: 'SUCCESS',
    choices: [
      {
        index: 0,
        finish_reason: 'length',
        message: {
          content: 'It is **spoken**.',
          reasoning_content: 'First I think.',
          audio: {
            id: 'a',
            data: Buffer.from(sineWav({ seconds: 1, hz: 300 })).toString('base64'),
          },
          tool_calls: [
            {
              id: 'm1',
              type: 'mcp',
              mcp: { type: 'mcp_list_tools', server_label: 'office', tools: [tool] },
            },
            {
              id: 'm2',
              type: 'mcp',
              mcp: {
                type: 'mcp_call',
                server_label: 'office',
                name: 'find',
                arguments: '{"q":"x"}',
                output: { n: 3 },
              },
            },
          ],
        },
      },
    ],
    web_search: [searched],
    content_filter: [{ role: 'user', level: 3 }],
  }),
}

beforeAll(async () => {
  ;({ env } = await startKeyringSession())
  elsewhere = await startScriptedServer()
  elsewhere.always(({ url }) => {
    const result = results[url.split('/').at(-1) ?? '']?.(elsewhere.url)
    const file = hostedFiles.get(url.slice(1))
    if (result)
      return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(result) }
    if (file) return { headers: { 'content-type': file.type }, body: file.body }
    return { status: 404, headers: { 'content-type': 'application/json' }, body: '{}' }
  })
  lectern = await openLectern({ env, width: 1200, height: 900 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  second = await secondPage(lectern.home, env)
})
afterAll(async () => {
  second.close()
  await lectern.close()
  await elsewhere.close()
})

const go = (hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), `#/playground/tasks${hash}`)
const rows = () => lectern.page.getByRole('list', { name: 'Tasks' }).getByRole('link')
const state = (word: string) =>
  lectern.page.getByTestId('task-state').filter({ hasText: word }).waitFor({ timeout: 60_000 })

test('saves an image of the local service (tasks.create, tasks.get) before its link expires', async () => {
  const { page } = lectern
  await go('')
  const form = page.getByRole('form', { name: 'New task' })
  await form.getByRole('combobox', { name: 'Type' }).selectOption('image')
  const model = form.getByRole('combobox', { name: 'Model' })
  const offered = await form
    .locator('datalist option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
  expect(offered).toEqual(['gen-image'])
  await model.fill('gen-image')
  await form.getByRole('textbox', { name: 'Prompt' }).fill('A hive')
  await form.getByText('Advanced').click()
  await form.getByRole('textbox', { name: 'Other fields' }).fill('{"size":"256x256"}')
  await form.getByRole('button', { name: 'Create and track' }).click()
  await state('Done')
  const savedImage = page.getByTestId('saved-image')
  await savedImage.getByText('Saved').waitFor()
  const width = () =>
    savedImage.getByRole('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)
  await expect.poll(width).toBe(256)
  await page.waitForTimeout(200)
  expect(await findings(page)).toEqual([])
})

test('pastes several IDs as JSON by keyboard alone, tracks them, and explains their results', async () => {
  const { page } = lectern
  const account = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Elsewhere',
    baseUrl: elsewhere.url,
  })
  await second.call('accounts.setKey', { id: account.id, key: 'a-key.for-tests' })
  await second.call('accounts.activate', { id: account.id })
  hostedFiles.set('cover.png', { type: 'image/png', body: png })
  await go('')
  await page
    .getByRole('form', { name: 'Existing task' })
    .getByRole('textbox', { name: 'Task ID' })
    .focus()
  await page.keyboard.insertText('[{"id":"task-talk","model":"x"},{"id":"task-video"}]')
  await page.getByRole('button', { name: 'Track 2 tasks' }).waitFor()
  await page.keyboard.press('Enter')
  await state('Done')
  await page.getByText('task-talk', { exact: true }).waitFor()
  await page.getByText('Cut off at the token limit.').waitFor()
  await page.getByTestId('task-tool-call').getByText('office listed its tools').waitFor()
  await page.getByTestId('task-tool-call').getByText('office ran find').waitFor()
  await page.getByText('Filtered: user, level 3').waitFor()
  const link = page.getByRole('button', { name: /^Bees and the sun/ })
  expect(await lectern.leaving(() => link.press('Enter'))).toContain('https://example.org/bees')
  const length = () =>
    page
      .getByTestId('saved-audio')
      .locator('audio')
      .evaluate((element) => (element as HTMLAudioElement).duration)
  await expect.poll(length).toBeCloseTo(1, 1)
  await page.waitForTimeout(200)
  expect(await findings(page)).toEqual([])
})

test('reports a missing video with its reason, and loads it on retry with its cover', async () => {
  const { page } = lectern
  await rows().filter({ hasText: 'task-video' }).click()
  const video = page.getByTestId('saved-video')
  await video.getByText('The link expired').waitFor()
  expect(await findings(page)).toEqual([])
  hostedFiles.set('video.mp4', { type: 'video/mp4', body: mp4 })
  await video.getByRole('button', { name: 'Retry' }).click()
  await video.getByText('Saved').waitFor()
  const poster = (await video.locator('video').getAttribute('poster')) ?? ''
  expect(new URL(poster, page.url()).href).toContain(lectern.mediaBase)
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('video')
  await expect.poll(() => rows().count()).toBe(1)
  await page.getByRole('searchbox', { name: 'Search tasks' }).press('Escape')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('failed')
  await page.getByText('No matching tasks').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('')
})

test('restores a removed task with its files, and shows everything after an offline restart', async () => {
  let { page } = lectern
  await rows().filter({ hasText: 'task-video' }).focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => rows().count()).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => rows().count()).toBe(3)
  second.close()
  await elsewhere.close()
  lectern = await lectern.restart()
  second = await secondPage(lectern.home, env)
  page = lectern.page
  // While the provider is gone, its availability is checked at times: that requests no task.
  const requestCount = async () =>
    (await second.call('activity.list', { limit: 200 })).calls.filter(
      ({ operation }) => operation !== 'connection.check',
    ).length
  const before = await requestCount()
  await go('')
  await rows().filter({ hasText: 'task-video' }).click()
  await page.getByTestId('saved-video').getByText('Saved').waitFor()
  const source = await page.getByTestId('saved-video').locator('video').getAttribute('src')
  const bytes = await page.evaluate(
    async (url) => (await (await fetch(url ?? '')).arrayBuffer()).byteLength,
    source,
  )
  expect(bytes).toBe(mp4.byteLength)
  await second.call('settings.update', { language: 'zh-CN' })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 900, height: 760 })
  await page.getByText('已保存').first().waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  expect(await requestCount()).toBe(before)
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})
