import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf, post } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

vi.setConfig({ testTimeout: 120_000 })

let service: TestService
let now = Date.UTC(2026, 0, 1)
const queries: string[] = []
beforeAll(async () => {
  service = await startTestService({
    clock: () => now,
    library: async (query) => {
      queries.push(query)
      return [
        {
          itemId: 'i',
          title: 'Monday',
          text: 'The rent of the office goes up in May. Lunch was good.',
        },
      ]
    },
  })
})
afterAll(() => service.stop())

const paths = {
  chat: '/paas/v4/async/chat/completions',
  video: '/paas/v4/videos/generations',
  image: '/paas/v4/async/images/generations',
} as const
const models = { chat: 'gen-4', video: 'gen-video', image: 'gen-image' } as const
const messages = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: [{ type: 'text', text: 'When does the rent go up?' }] },
]
const create = (kind: keyof typeof paths, body: Json): Promise<Response> =>
  post(service, paths[kind], { model: models[kind], ...body })
const idOf = async (kind: keyof typeof paths, body: Json): Promise<string> =>
  ((await (await create(kind, body)).json()) as { id: string }).id
const result = async (id: string): Promise<Json> =>
  (await (await service.call(`/paas/v4/async-result/${id}`)).json()) as Json

test('processes a chat for two to four seconds, then quotes, with reasoning on request', async () => {
  const response = await create('chat', {
    messages,
    request_id: 'request-1',
    thinking: { type: 'enabled' },
  })
  const created = (await response.json()) as Json & { id: string }
  expect(created).toMatchObject({
    model: 'gen-4',
    request_id: 'request-1',
    task_status: 'PROCESSING',
  })
  expect(await result(created.id)).toMatchObject({ id: created.id, task_status: 'PROCESSING' })
  now += 1999
  expect(await result(created.id)).toMatchObject({ task_status: 'PROCESSING' })
  now += 2001
  const done = await result(created.id)
  expect(done).toMatchObject({
    id: created.id,
    model: 'gen-4',
    request_id: 'request-1',
    task_status: 'SUCCESS',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: expect.stringContaining('The rent of the office goes up in May.'),
          reasoning_content: expect.stringContaining('Chunks searched'),
        },
      },
    ],
    engine: expect.any(String),
    notice: expect.stringMatching(/on-device language model/),
  })
  expect(done['usage']).toMatchObject({ prompt_tokens: expect.any(Number) })
  expect(queries).toContain('When does the rent go up?')
  const searches = queries.length
  expect(await result(created.id)).toEqual(done)
  expect(queries).toHaveLength(searches)
})

test('returns no reasoning without thinking, and cuts at a token limit', async () => {
  const id = await idOf('chat', { messages, max_tokens: 5 })
  now += 4000
  const { choices } = (await result(id)) as unknown as {
    choices: { message: Json & { content: string }; finish_reason: string }[]
  }
  expect(choices[0]?.finish_reason).toBe('length')
  expect(choices[0]?.message.content.length).toBeLessThan(40)
  expect(choices[0]?.message).not.toHaveProperty('reasoning_content')
})

test('returns an image of the words in the requested size', async () => {
  const id = await idOf('image', { prompt: 'A red house 房子', size: '320x200' })
  now += 4000
  const done = (await result(id)) as Json & { image_result: { url: string }[]; notice: string }
  expect(done['task_status']).toBe('SUCCESS')
  expect(done.notice).toMatch(/No on-device image model/)
  const imageResponse = await fetch(done.image_result[0]?.url ?? '')
  const { width, height } = await loadImage(Buffer.from(await imageResponse.arrayBuffer()))
  expect([width, height]).toEqual([320, 200])
})

test('draws an image once for two concurrent requests', async () => {
  const id = await idOf('image', { prompt: 'Once', size: '1024x1024' })
  now += 4000
  const before = (await readdir(join(service.home, 'media'))).length
  const [first, second] = await Promise.all([result(id), result(id)])
  expect(second).toEqual(first)
  expect(await readdir(join(service.home, 'media'))).toHaveLength(before + 1)
})

test('fails a video with an explanation', async () => {
  const id = await idOf('video', { prompt: 'A cat' })
  expect(await result(id)).toMatchObject({ task_status: 'PROCESSING' })
  now += 4000
  expect(await result(id)).toMatchObject({
    task_status: 'FAIL',
    error: { code: '1222', message: expect.stringMatching(/no on-device video model/) },
    notice: expect.any(String),
  })
})

test('preserves tasks after a restart, during and after their time', async () => {
  const early = await idOf('image', { prompt: 'early' })
  now += 4000
  await result(early)
  const late = await idOf('chat', { messages })
  await service.restart()
  expect(await result(late)).toMatchObject({ task_status: 'PROCESSING' })
  const { image_result: [image] = [] } = (await result(early)) as unknown as {
    image_result?: { url: string }[]
  }
  expect((await fetch(image?.url ?? '')).status).toBe(200)
  now += 4000
  expect(await result(late)).toMatchObject({ task_status: 'SUCCESS' })
})

test('returns an error for an unknown task', async () => {
  expect(await outcomeOf(await service.call('/paas/v4/async-result/task-unknown'))).toBe('404 404')
})

test.each<[string, keyof typeof paths, Json, string]>([
  ['no model', 'chat', { messages, model: undefined }, '400 1213'],
  ['an invalid model name', 'chat', { messages, model: '???' }, '400 1211'],
  ['the assistant model', 'chat', { messages, model: 'gen-4-assistant' }, 'ok'],
  ['the agent model', 'chat', { messages, model: 'gen-5v-turbo' }, 'ok'],
  ['the model name of another provider', 'chat', { messages, model: 'glm-5' }, 'ok'],
  ['a misspelled model', 'chat', { messages, model: 'gen-4-asistant' }, '400 1211'],
  ['an image model', 'chat', { messages, model: 'gen-image' }, '400 1211'],
  ['a chat model', 'image', { prompt: 'x', model: 'gen-4' }, '400 1211'],
  ['an image model', 'video', { prompt: 'x', model: 'gen-image' }, '400 1211'],
  ['a transcription model', 'image', { prompt: 'x', model: 'gen-asr-2512' }, '400 1211'],
  ['no messages', 'chat', {}, '400 1213'],
  ['an empty list of messages', 'chat', { messages: [] }, '400 1214'],
  ['a message without a role', 'chat', { messages: [{ content: 'x' }] }, '400 1213'],
  [
    'a message with an unknown role',
    'chat',
    { messages: [{ role: 'x', content: 'x' }] },
    '400 1214',
  ],
  ['a message without content', 'chat', { messages: [{ role: 'user' }] }, '400 1213'],
  ['a temperature of 1', 'chat', { messages, temperature: 1 }, 'ok'],
  ['a temperature above 1', 'chat', { messages, temperature: 1.1 }, '400 1214'],
  ['a limit of 0 tokens', 'chat', { messages, max_tokens: 0 }, '400 1214'],
  ['an unknown thinking type', 'chat', { messages, thinking: { type: 'deep' } }, '400 1214'],
  ['a request ID that is too short', 'chat', { messages, request_id: '12345' }, '400 1214'],
  ['the longest request ID', 'chat', { messages, request_id: 'x'.repeat(64) }, 'ok'],
  ['a request ID that is too long', 'chat', { messages, request_id: 'x'.repeat(65) }, '400 1214'],
  ['the longest user ID', 'image', { prompt: 'x', user_id: 'x'.repeat(128) }, 'ok'],
  ['a user ID that is too long', 'image', { prompt: 'x', user_id: 'x'.repeat(129) }, '400 1214'],
  ['no prompt', 'image', {}, '400 1213'],
  ['the largest size', 'image', { prompt: 'x', size: '2048x2048' }, 'ok'],
  ['a size that is too large', 'image', { prompt: 'x', size: '2049x2048' }, '400 1214'],
  ['a size as a word', 'image', { prompt: 'x', size: 'large' }, '400 1214'],
  ['neither prompt nor image', 'video', {}, '400 1213'],
  ['only an image', 'video', { image_url: 'https://example.org/a.png' }, 'ok'],
])('%s (%s): %o', async (_, kind, body, expected) => {
  expect(await outcomeOf(await create(kind, body))).toBe(expected)
})
