import { expect, test } from 'vitest'
import { limits } from '../../../src/shared/provider/limits.ts'
import { pollDelayMs } from '../../../src/main/provider-client/poll-intervals.ts'
import type { TaskResult } from '../../../src/main/provider-client/tasks.ts'
import { apiSetup, failureOf } from './support.ts'

const json = { 'content-type': 'application/json' }
const reply = (value: unknown, status = 200) => ({
  status,
  headers: json,
  body: JSON.stringify(value),
})

test.each([
  ['chat', '/api/paas/v4/async/chat/completions', 'gen-4-long', 'glm-4-long'],
  ['video', '/api/paas/v4/videos/generations', 'cogvideox-3', 'cogvideox-3'],
  ['image', '/api/paas/v4/async/images/generations', 'gen-image', 'glm-image'],
] as const)('creates a %s task at the endpoint of its kind', async (kind, path, model, wired) => {
  const { api, server, target, calls } = await apiSetup()
  const body = { model: wired, id: 'task-1', request_id: 'request-1', task_status: 'PROCESSING' }
  server.queue(reply(body))
  const request = {
    kind,
    model,
    body: { prompt: '一只猫', model: 'not this', request_id: 'nor this' },
  }
  const made = await api.tasks.create(target(), request, { requestId: 'request-1' })
  expect(made.value).toEqual({ id: 'task-1', state: 'processing' })
  expect(made.requestId).toBe('request-1')
  expect(made.raw.body).toBe(JSON.stringify(body))
  const [sent] = server.requests
  expect([sent?.method, sent?.url]).toEqual(['POST', path])
  expect(JSON.parse(String(sent?.body))).toEqual({
    prompt: '一只猫',
    model: wired,
    request_id: 'request-1',
  })
  expect(sent?.headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${target().key}`,
  })
  expect(calls[0]).toMatchObject({ operation: 'tasks.create', model: wired, outcome: 'ok' })
})

test('reports a task that fails on creation, and requires an ID', async () => {
  const { api, server, target } = await apiSetup()
  const request = { kind: 'chat', model: 'gen-4', body: {} } as const
  server.queue(reply({ id: 7, task_status: 'fail' }), reply({ task_status: 'PROCESSING' }))
  expect((await api.tasks.create(target(), request, {})).value).toEqual({
    id: '7',
    state: 'failed',
  })
  const error = await failureOf(api.tasks.create(target(), request, {}))
  expect([error.code, error.params]).toEqual(['MALFORMED_REPLY', { reason: 'no-id' }])
})

test('never retries a creating call that was sent', async () => {
  const { api, server, target, sleeps } = await apiSetup()
  const request = { kind: 'video', model: 'cogvideox-3', body: {} } as const
  for (const answer of [{ status: 503 }, { status: 429 }, { dropped: true as const }]) {
    server.queue(answer)
    const before = server.requests.length
    const error = await failureOf(api.tasks.create(target(), request, {}))
    expect(error.retriable).toBe(true)
    expect(server.requests.length).toBe(before + 1)
  }
  expect(sleeps).toEqual([])
})

test.each([
  ['request_id', 5, 6],
  ['request_id', 65, 64],
])('rejects a %s of %i characters before sending', async (what, value, limit) => {
  const { api, server, target } = await apiSetup()
  const text = 'x'.repeat(value)
  const body = {}
  const options = { requestId: text }
  const error = await failureOf(
    api.tasks.create(target(), { kind: 'chat', model: 'gen-4', body }, options),
  )
  expect([error.code, error.params]).toEqual(['LIMIT_EXCEEDED', { what, limit, value }])
  expect(server.requests).toEqual([])
})

test.each([
  ['user_id', limits.userId.min],
  ['user_id', limits.userId.max],
  ['request_id', limits.requestId.min],
  ['request_id', limits.requestId.max],
])('sends a %s of %i characters', async (what, length) => {
  const { api, server, target } = await apiSetup()
  const text = 'x'.repeat(length)
  server.queue(reply({ id: 'task-1' }))
  const body = what === 'user_id' ? { user_id: text } : {}
  const options = what === 'request_id' ? { requestId: text } : {}
  await api.tasks.create(target(), { kind: 'chat', model: 'gen-4', body }, options)
  expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ [what]: text })
})

test.each([
  ['an empty model', { kind: 'chat', model: '', body: {} }, 'LIMIT_EXCEEDED', 'model'],
  ['an unknown kind', { kind: 'toString', model: 'm', body: {} }, 'INVALID_INPUT', 'kind'],
])('rejects %s', async (_, request, code, what) => {
  const { api, server, target } = await apiSetup()
  const error = await failureOf(
    api.tasks.create(target(), request as Parameters<typeof api.tasks.create>[1], {}),
  )
  expect([error.code, error.params?.['what']]).toEqual([code, what])
  expect(server.requests).toEqual([])
})

test('requests a task without body or query, with its ID as one path segment', async () => {
  const { api, server, target, calls } = await apiSetup()
  server.queue(reply({ id: 'a/b c?', task_status: 'PROCESSING' }))
  const answer = await api.tasks.get(target(), { id: 'a/b c?' }, {})
  expect(answer.value.state).toBe('processing')
  const [sent] = server.requests
  expect([sent?.method, sent?.url]).toEqual(['GET', '/api/paas/v4/async-result/a%2Fb%20c%3F'])
  expect(sent?.body.length).toBe(0)
  expect(sent?.headers['content-type']).toBeUndefined()
  expect(calls[0]?.operation).toBe('tasks.get')
})

test.each(['', '.', '..', 'a\nb', '\ud800'])(
  'never lets the ID %j become another path',
  async (id) => {
    const { api, server, target } = await apiSetup()
    const errors = [
      await failureOf(api.tasks.get(target(), { id }, {})),
      await failureOf(api.tasks.wait(target(), { id }, {})),
    ]
    expect(errors.map(({ code }) => code)).toEqual(['INVALID_INPUT', 'INVALID_INPUT'])
    expect(server.requests).toEqual([])
  },
)

const empty: TaskResult = {
  id: 'task-1',
  state: 'succeeded',
  model: null,
  created: null,
  choices: [],
  videos: [],
  images: [],
  webSearch: [],
  contentFilter: [],
  failure: null,
}

async function resultOf(body: unknown): Promise<TaskResult> {
  const { api, server, target } = await apiSetup()
  server.queue(reply(body))
  return (await api.tasks.get(target(), { id: 'task-1' }, {})).value
}

test('parses a complete chat result', async () => {
  const { api, server, target } = await apiSetup()
  const body = {
    id: 'task-1',
    request_id: 'request-1',
    created: 1_780_000_000,
    model: 'glm-4',
    task_status: 'SUCCESS',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: '你好',
          reasoning_content: 'Greets.',
          audio: { id: 'sound-1', data: 'UklGRg==', expires_at: '1780000100' },
        },
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
    web_search: [
      {
        icon: 'https://i',
        title: 'T',
        link: 'https://l',
        media: 'M',
        publish_date: '2026-01-01',
        content: 'C',
        refer: 'ref_1',
      },
    ],
    content_filter: [{ role: 'user', level: 2 }],
  }
  server.queue(reply(body))
  const answer = await api.tasks.get(target(), { id: 'task-1' }, {})
  expect(answer.value).toEqual({
    ...empty,
    model: 'glm-4',
    created: 1_780_000_000,
    choices: [
      {
        index: 0,
        role: 'assistant',
        content: '你好',
        reasoning: 'Greets.',
        audio: { id: 'sound-1', data: 'UklGRg==', expiresAt: '1780000100' },
        toolCalls: [],
        finishReason: 'stop',
      },
    ],
    webSearch: [
      {
        icon: 'https://i',
        title: 'T',
        link: 'https://l',
        media: 'M',
        publishDate: '2026-01-01',
        content: 'C',
        refer: 'ref_1',
      },
    ],
    contentFilter: [{ role: 'user', level: 2 }],
  })
  expect(answer.usage).toEqual({ promptTokens: 3, completionTokens: 5, totalTokens: 8 })
  expect(answer.raw).toEqual({
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(body),
  })
})

test('parses tool calls in every form: function and MCP, text or object, without a list', async () => {
  const mcp = {
    id: 'm1',
    type: 'mcp_call',
    server_label: 'maps',
    name: 'route',
    arguments: '{"to":1}',
    output: {},
  }
  const calls = [
    { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
    { id: 'c2', function: { name: 'add', arguments: { a: 1 } } },
    { type: 'mcp', mcp },
    { mcp: { id: 'm2', type: 'mcp_list_tools', tools: [] } },
    { id: 'c5', type: 'odd', odd: { name: 'o' } },
  ]
  const body = (list: unknown) => ({
    choices: [
      { message: { content: null, tool_calls: list }, finish_reason: 'tool_calls' },
      { delta: { content: [{ type: 'text', text: 'a' }, { text: 'b' }], tool_calls: calls[0] } },
    ],
  })
  const result = await resultOf(body(calls))
  expect(result.state).toBe('succeeded')
  const [choice, other] = result.choices
  expect(choice?.toolCalls.map(({ raw: _, ...call }) => call)).toEqual([
    { id: 'c1', type: 'function', name: 'add', arguments: '{"a":1}' },
    { id: 'c2', type: 'function', name: 'add', arguments: '{"a":1}' },
    { id: 'm1', type: 'mcp', name: 'route', arguments: '{"to":1}' },
    { id: 'm2', type: 'mcp', name: '', arguments: '' },
    { id: 'c5', type: 'odd', name: 'o', arguments: '' },
  ])
  expect(choice?.toolCalls[2]?.raw).toEqual(calls[2])
  expect([choice?.content, choice?.index, choice?.finishReason]).toEqual([null, 0, 'tool_calls'])
  expect([other?.content, other?.index, other?.toolCalls.length]).toEqual(['ab', 1, 1])
})

test.each([
  ['an array', { image_result: [{ url: 'https://a' }, { url: 'https://b' }] }],
  ['an array of URLs', { image_result: ['https://a', 'https://b'] }],
  ['data', { data: [{ url: 'https://a' }, { url: 'https://b' }, { odd: 1 }] }],
  ['JSON text', { image_result: '[{"url":"https://a"},{"url":"https://b"}]' }],
])('parses images as %s', async (_, body) => {
  const expected = { ...empty, images: [{ url: 'https://a' }, { url: 'https://b' }] }
  expect(await resultOf(body)).toEqual(expected)
})

test('accepts one image or video without a list', async () => {
  expect((await resultOf({ image_result: { url: 'https://a' } })).images).toEqual([
    { url: 'https://a' },
  ])
  const video = { url: 'https://v', cover_image_url: 'https://c' }
  expect((await resultOf({ task_status: 'SUCCESS', video_result: video })).videos).toEqual([
    { url: 'https://v', coverUrl: 'https://c' },
  ])
  expect((await resultOf({ video_result: [{ url: 'https://v' }] })).videos).toEqual([
    { url: 'https://v', coverUrl: null },
  ])
})

test.each([
  ['present', { task_status: 'PROCESSING' }, 'processing'],
  ['in lowercase', { task_status: 'success' }, 'succeeded'],
  ['processing, with partial choices', { task_status: 'PROCESSING', choices: [{}] }, 'processing'],
  ['missing, with choices', { choices: { message: { content: 'a' } } }, 'succeeded'],
  ['missing, without results', { id: 'task-1', model: 'glm-4' }, 'processing'],
  ['missing, with empty lists', { choices: [], video_result: [] }, 'processing'],
  [
    'unknown, with a video',
    { task_status: 'X', video_result: [{ url: 'https://v' }] },
    'succeeded',
  ],
  ['the name of a prototype property', { task_status: 'constructor' }, 'processing'],
])('reports a status that is %s', async (_, body, state) => {
  expect((await resultOf(body)).state).toBe(state)
})

test.each([
  [
    'an error object',
    { error: { code: '1301', message: 'Unsafe\ncontent' } },
    { code: '1301', message: 'Unsafe content' },
  ],
  ['a numeric code', { code: 1301, message: 'Unsafe' }, { code: '1301', message: 'Unsafe' }],
  ['an error as text', { error: 'Unsafe' }, { code: null, message: 'Unsafe' }],
  ['a message', { message: 'Unsafe' }, { code: null, message: 'Unsafe' }],
  ['a very long message', { msg: 'x'.repeat(900) }, { code: null, message: 'x'.repeat(500) }],
  ['nothing', {}, null],
])('returns a task that failed with %s as a result, not an error', async (_, more, failure) => {
  expect(await resultOf({ id: 'task-1', task_status: 'FAIL', ...more })).toEqual({
    ...empty,
    state: 'failed',
    failure,
  })
})

test('assigns a failure without a status to the task if the response has its ID, else the call', async () => {
  const error = { code: '1234', message: 'Network error' }
  expect(await resultOf({ id: 'task-1', error })).toMatchObject({ state: 'failed', failure: error })
  const { api, server, target } = await apiSetup()
  server.queue(reply({ error: { code: '1210', message: 'No such task' } }))
  const thrown = await failureOf(api.tasks.get(target(), { id: 'task-1' }, {}))
  expect([thrown.code, thrown.service?.code]).toEqual(['INVALID_INPUT', '1210'])
})

test.each([
  [404, { error: { code: '1222', message: 'gone' } }, 'NOT_IMPLEMENTED'],
  [404, {}, 'SERVICE_NOT_FOUND'],
  [401, { error: { code: '1000', message: 'key' } }, 'KEY_REJECTED'],
  [401, { code: 401, message: 'key' }, 'KEY_REJECTED'],
  [200, [], 'MALFORMED_REPLY'],
  [200, 'text', 'MALFORMED_REPLY'],
])('maps status %i with %j to %s, for a single poll and for a wait', async (status, body, code) => {
  const { api, server, target } = await apiSetup()
  server.always(reply(body, status))
  expect((await failureOf(api.tasks.get(target(), { id: 'task-1' }, {}))).code).toBe(code)
  expect((await failureOf(api.tasks.wait(target(), { id: 'task-1' }, {}))).code).toBe(code)
})

test('polls with growing pauses and reports every result', async () => {
  const { api, server, target, sleeps } = await apiSetup()
  const still = reply({ id: 'task-1', task_status: 'PROCESSING' })
  server.queue(...Array.from({ length: 9 }, () => still))
  server.queue(reply({ task_status: 'SUCCESS', choices: [{ message: { content: 'done' } }] }))
  const seen: string[] = []
  const answer = await api.tasks.wait(
    target(),
    { id: 'task-1' },
    { onPoll: ({ value }) => seen.push(value.state) },
  )
  expect(answer.value.choices[0]?.content).toBe('done')
  expect(seen).toEqual([...Array.from({ length: 9 }, () => 'processing'), 'succeeded'])
  // Half of the maximum random reduction of a quarter.
  const full = [1000, 1600, 2560, 4096, 6553.6, 10_485.76, 16_777.216, 26_843.5456, 30_000]
  expect(sleeps).toEqual(full.map((ms) => Math.round(ms * 0.875)))
})

test('shortens pauses randomly by at most a quarter, and limits them to 30 seconds', () => {
  expect([pollDelayMs(1, () => 0), pollDelayMs(1, () => 0.999_999)]).toEqual([750, 1000])
  expect([pollDelayMs(9, () => 0), pollDelayMs(1e9, () => 0.999_999)]).toEqual([22_500, 30_000])
})

test('continues polling after transient failures, and respects Retry-After', async () => {
  const { api, server, target, sleeps } = await apiSetup()
  server.queue(
    { dropped: true },
    reply({ error: { code: '1305', message: 'busy' } }, 429),
    { status: 503, headers: { 'retry-after': '7' } },
    { status: 500, body: 'oh' },
    { body: '<html><title>Sign in</title></html>' },
    reply({ id: 'task-1', task_status: 'SUCCESS', image_result: [{ url: 'https://i' }] }),
  )
  const answer = await api.tasks.wait(target(), { id: 'task-1' }, {})
  expect(answer.value.images).toEqual([{ url: 'https://i' }])
  expect(sleeps).toEqual([875, 1400, 7000, 3584, 5734])
})

test('stops polling after five unreadable responses', async () => {
  const { api, server, target, sleeps } = await apiSetup()
  server.always({ body: 'not JSON' })
  const error = await failureOf(api.tasks.wait(target(), { id: 'task-1' }, {}))
  expect([error.code, server.requests.length, sleeps.length]).toEqual(['MALFORMED_REPLY', 5, 4])
})

test('ends polling with the result of a failed task', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ task_status: 'FAIL', error: { code: 'x', message: 'y' } }))
  const { value } = await api.tasks.wait(target(), { id: 'task-1' }, {})
  expect([value.state, value.failure?.message]).toEqual(['failed', 'y'])
})

test('can be stopped during a pause, and still returns a received result', async () => {
  const stop = new AbortController()
  const { api, server, target } = await apiSetup({
    tuning: {
      sleep: async (_, signal) => {
        stop.abort()
        signal?.throwIfAborted()
      },
    },
  })
  server.queue(reply({ id: 'task-1', task_status: 'PROCESSING' }))
  const options = { signal: stop.signal }
  const error = await failureOf(api.tasks.wait(target(), { id: 'task-1' }, options))
  expect(error.code).toBe('CANCELLED')

  const late = new AbortController()
  server.queue(reply({ id: 'task-1', task_status: 'SUCCESS' }))
  const answer = await api.tasks.wait(
    target(),
    { id: 'task-1' },
    { signal: late.signal, onPoll: () => late.abort() },
  )
  expect(answer.value.state).toBe('succeeded')
})

test('reports the engine of on-device tasks and their limitations', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ id: 'task-1', task_status: 'SUCCESS', engine: 'E', notice: 'N' }))
  const answer = await api.tasks.get(target(), { id: 'task-1' }, {})
  expect([answer.engine, answer.notice]).toEqual(['E', 'N'])
})
