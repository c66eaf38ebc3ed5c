import { expect, test } from 'vitest'
import type { AssistantRequest } from '../../../src/main/provider-client/assistants.ts'
import type { AssistantToolCall } from '../../../src/main/provider-client/assistant-tools.ts'
import type {
  AssistantAnswer,
  AssistantEvent,
} from '../../../src/main/provider-client/assistant-events.ts'
import { StreamBroken } from '../../../src/main/provider-client/index.ts'
import {
  defaultAssistantId,
  predefinedAssistants,
} from '../../../src/shared/provider/assistants.ts'
import { apiSetup, eventStream, failureOf, openStream } from './support.ts'
import type { ApiSetup } from './support.ts'

const question: AssistantRequest = {
  assistantId: defaultAssistantId,
  messages: [{ role: 'user', content: '你好' }],
}

/** A chunk of the stream with one choice (service-notes 8). */
const chunk = (delta: object, more: object = {}): object => ({
  id: 'r-1',
  conversation_id: 'conv-1',
  assistant_id: defaultAssistantId,
  created: 1_780_000_000,
  status: 'in_progress',
  choices: [{ index: 0, delta }],
  ...more,
})

const words = (content: string): object => chunk({ type: 'content', role: 'assistant', content })
const tools = (...calls: object[]): object =>
  chunk({ type: 'tool_calls', role: 'tool', tool_calls: calls })

const last = chunk(
  { role: 'assistant', content: '' },
  {
    status: 'completed',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  },
)

async function ask(
  { api, target }: ApiSetup,
  request: Parameters<typeof api.assistants.chat>[1] = question,
): Promise<{ events: AssistantEvent[]; outcome: Awaited<ReturnType<typeof api.assistants.chat>> }> {
  const events: AssistantEvent[] = []
  const onEvent = (event: AssistantEvent): void => void events.push(event)
  const outcome = await api.assistants.chat(target(), request, { onEvent })
  return { events, outcome }
}

const bodyOf = (made: ApiSetup): unknown => JSON.parse(String(made.server.requests.at(-1)?.body))

test('includes the twelve predefined assistants, the general one first', () => {
  expect(predefinedAssistants).toHaveLength(12)
  expect(new Set(predefinedAssistants.map(({ id }) => id)).size).toBe(12)
  expect(new Set(predefinedAssistants.map(({ purpose }) => purpose)).size).toBe(12)
  expect(predefinedAssistants[0]).toEqual({ id: defaultAssistantId, purpose: 'chat' })
})

test('streams the minimal question with its request ID', async () => {
  const made = await apiSetup()
  made.server.queue({ body: eventStream([words('a'), last]) })
  await ask(made)
  expect(made.server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/api/paas/v4/assistant',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
  })
  expect(bodyOf(made)).toEqual({
    assistant_id: defaultAssistantId,
    model: 'glm-4-assistant',
    messages: [{ role: 'user', content: '你好' }],
    stream: true,
    request_id: 'id-for-test-000000000001',
  })
})

test('sends every field of a question', async () => {
  const made = await apiSetup()
  made.server.queue({ body: eventStream([last]) })
  await made.api.assistants.chat(
    made.target(),
    {
      ...question,
      model: 'gen-4-alltools',
      conversationId: 'conv-1',
      doSample: false,
      attachments: ['file-1', 'file-2'],
      metadata: { a: { b: 1 } },
      translate: { from: 'zh', to: 'en' },
      userId: 'user-1',
      stream: false,
    },
    { requestId: 'request-1' },
  )
  expect(made.server.requests[0]?.headers['accept']).toBe('application/json')
  expect(bodyOf(made)).toEqual({
    assistant_id: defaultAssistantId,
    model: 'glm-4-alltools',
    messages: [{ role: 'user', content: '你好' }],
    conversation_id: 'conv-1',
    stream: false,
    request_id: 'request-1',
    user_id: 'user-1',
    do_sample: false,
    attachments: [{ file_id: 'file-1' }, { file_id: 'file-2' }],
    metadata: { a: { b: 1 } },
    extra_parameters: { translate: { from: 'zh', to: 'en' } },
  })
})

test('emits conversation, text, tool calls and finish in order, and combines them', async () => {
  const made = await apiSetup()
  const body = eventStream([
    words('我来'),
    tools({ type: 'web_browser', web_browser: { input: '天气' } }),
    tools({
      type: 'web_browser',
      web_browser: { outputs: [{ title: 't', link: 'l', content: 'c', error_msg: '' }] },
    }),
    words('查好了 😀'),
    last,
  ])
  made.server.queue({ body, splitAt: Array.from({ length: 2000 }, (_, i) => i + 1) })
  const { events, outcome } = await ask(made)
  const expectedCall: AssistantToolCall = { type: 'web_browser', input: '天气', outputs: [] }
  const outputs = [{ title: 't', link: 'l', content: 'c', error: '' }]
  expect(events).toEqual([
    { type: 'conversation', conversationId: 'conv-1' },
    { type: 'text', text: '我来' },
    { type: 'tool_calls', calls: [expectedCall] },
    { type: 'tool_calls', calls: [{ type: 'web_browser', input: '', outputs }] },
    { type: 'text', text: '查好了 😀' },
    { type: 'finish', reason: 'stop' },
  ])
  expect(outcome).toMatchObject({
    value: {
      conversationId: 'conv-1',
      assistantId: defaultAssistantId,
      text: '我来查好了 😀',
      toolCalls: [{ type: 'web_browser', input: '天气', outputs }],
      finishReason: 'stop',
      complete: true,
    },
    usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
    raw: { body },
  })
})

test.each<[string, object, AssistantToolCall]>([
  [
    'code',
    {
      type: 'code_interpreter',
      code_interpreter: { input: '1', outputs: { type: 'logs', logs: '2' } },
    },
    { type: 'code_interpreter', input: '1', outputs: [{ logs: '2', error: '' }] },
  ],
  [
    'a drawing without a type',
    { drawing_tool: { input: 'cat', outputs: [{ image: 'https://a.example/c.png' }] } },
    { type: 'drawing_tool', input: 'cat', outputs: [{ image: 'https://a.example/c.png' }] },
  ],
  [
    'a retrieval',
    { type: 'retrieval', retrieval: { outputs: [{ text: 't', document: 'd' }] } },
    { type: 'retrieval', outputs: [{ text: 't', document: 'd' }] },
  ],
  [
    'a retrieval with a page and a moment',
    {
      retrieval: {
        outputs: [
          { text: 't', document: 'd', page: 12 },
          { text: 't', document: 'm', meeting_id: 'm-1', seconds: 754 },
        ],
      },
    },
    {
      type: 'retrieval',
      outputs: [
        { text: 't', document: 'd', page: 12 },
        { text: 't', document: 'm', meeting_id: 'm-1', seconds: 754 },
      ],
    },
  ],
  [
    'a function with an object',
    { id: 'c', type: 'function', function: { name: 'f', arguments: { a: 1 }, outputs: ['ok'] } },
    { type: 'function', name: 'f', arguments: '{"a":1}', outputs: [{ content: 'ok' }] },
  ],
  [
    'a function with JSON text',
    { function: { name: 'f', arguments: '{"a": 1}' } },
    { type: 'function', name: 'f', arguments: '{"a": 1}', outputs: [] },
  ],
  [
    'a function whose output is an object',
    { function: { name: 'f', outputs: [{ content: { b: 2 } }] } },
    { type: 'function', name: 'f', arguments: '', outputs: [{ content: '{"b":2}' }] },
  ],
  [
    'a tool with its fields next to its type',
    { type: 'web_browser', input: 'q', outputs: [{ url: 'u', text: 'c' }] },
    {
      type: 'web_browser',
      input: 'q',
      outputs: [{ title: '', link: 'u', content: 'c', error: '' }],
    },
  ],
  [
    'a key that contradicts the type',
    { type: 'function', retrieval: { outputs: [] } },
    { type: 'retrieval', outputs: [] },
  ],
  [
    'an unknown tool',
    { type: 'telescope', telescope: { to: 'moon' } },
    { type: 'unknown', name: 'telescope', raw: { type: 'telescope', telescope: { to: 'moon' } } },
  ],
])('parses %s as a tool call, in a list or alone', async (_, call, expected) => {
  const made = await apiSetup()
  made.server.queue({ body: eventStream([tools(call), last]) })
  made.server.queue({ body: eventStream([chunk({ tool_calls: call }), last]) })
  for (let i = 0; i < 2; i++) {
    const { events, outcome } = await ask(made)
    const ids = 'id' in call ? { ids: [call.id] } : {}
    expect(events[1]).toEqual({ type: 'tool_calls', calls: [expected], ...ids })
    expect(outcome.value.toolCalls).toEqual([expected])
  }
})

test.each<[string, object[], object[]]>([
  [
    'fragments with one ID',
    [
      tools({ id: 'a', function: { name: 'f', arguments: '{"q"' } }),
      tools({ id: 'b', function: { name: 'g', arguments: '{}' } }),
      tools({ id: 'a', function: { arguments: ':1}' } }),
    ],
    [
      { name: 'f', arguments: '{"q":1}' },
      { name: 'g', arguments: '{}' },
    ],
  ],
  [
    'fragments of code',
    [
      tools({ code_interpreter: { input: 'import ' } }),
      tools({ code_interpreter: { input: 'os' } }),
      tools({ code_interpreter: { outputs: [{ logs: 'x' }] } }),
      tools({ code_interpreter: { input: 'next' } }),
    ],
    [
      { input: 'import os', outputs: [{ logs: 'x' }] },
      { input: 'next', outputs: [] },
    ],
  ],
  [
    'cumulative fragments',
    [tools({ drawing_tool: { input: 'a cat' } }), tools({ drawing_tool: { input: 'a cat on' } })],
    [{ input: 'a cat on' }],
  ],
  [
    'two calls in one chunk',
    [tools({ web_browser: { input: 'a' } }, { web_browser: { input: 'b' } })],
    [{ input: 'a' }, { input: 'b' }],
  ],
  [
    'the same function twice',
    [
      tools({ function: { name: 'f', arguments: '{"a":1}' } }),
      tools({ function: { name: 'f', arguments: '{"a":2}' } }),
    ],
    [{ arguments: '{"a":1}' }, { arguments: '{"a":2}' }],
  ],
])('merges %s into complete calls', async (_, chunks, expected) => {
  const made = await apiSetup()
  made.server.queue({ body: eventStream([...chunks, last]) })
  const { toolCalls } = (await ask(made)).outcome.value
  expect(toolCalls).toHaveLength(expected.length)
  expect(toolCalls).toMatchObject(expected)
})

test.each<[string, object, Partial<AssistantAnswer>]>([
  [
    'a message',
    {
      conversation_id: 'c',
      model: 'm',
      choices: [{ message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    },
    { conversationId: 'c', model: 'm', text: 'hi', finishReason: 'stop' },
  ],
  ['a delta', { choices: [{ delta: { content: 'hi' } }] }, { text: 'hi', finishReason: null }],
  ['a single choice', { choices: { message: { content: 'hi' } } }, { text: 'hi' }],
  [
    'a list of messages',
    { choices: [{ message: [{ content: 'h' }, { content: 'i' }] }] },
    { text: 'hi' },
  ],
  [
    'parts',
    { choices: [{ message: { content: [{ type: 'text', text: 'hi' }] } }] },
    { text: 'hi' },
  ],
  [
    'an envelope',
    { code: 200, data: { choices: [{ message: { content: 'hi' } }] } },
    { text: 'hi' },
  ],
  [
    'tool calls only',
    {
      choices: [
        {
          message: { content: null, tool_calls: { function: { name: 'f', arguments: { a: 1 } } } },
          finish_reason: 'tool_calls',
        },
      ],
    },
    {
      text: '',
      finishReason: 'tool_calls',
      toolCalls: [{ type: 'function', name: 'f', arguments: '{"a":1}', outputs: [] }],
    },
  ],
])('emits the same events for a plain response with %s', async (_, reply, expected) => {
  const made = await apiSetup()
  made.server.queue({
    body: JSON.stringify({ ...reply, request_id: 'told-id', notice: 'n', engine: 'e' }),
  })
  const { events, outcome } = await ask(made, { ...question, stream: false })
  expect(outcome.value).toMatchObject({ ...expected, complete: true })
  expect(outcome).toMatchObject({ requestId: 'told-id', engine: 'e', notice: 'n' })
  const streamedText = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  expect(streamedText).toBe(expected.text)
})

test('accepts a plain response to a stream request, and a stream to a plain request', async () => {
  const made = await apiSetup()
  made.server.queue({ body: '{"choices":[{"message":{"content":"whole"}}]}' })
  made.server.queue({
    body: eventStream([words('streamed'), last]),
    headers: { 'content-type': 'application/json' },
  })
  expect((await ask(made)).outcome.value.text).toBe('whole')
  expect((await ask(made, { ...question, stream: false })).outcome.value.text).toBe('streamed')
})

test('does not duplicate text repeated by a closing message', async () => {
  const made = await apiSetup()
  const again = chunk(
    {},
    { choices: [{ message: { content: 'one two three' }, finish_reason: 'stop' }] },
  )
  made.server.queue({ body: eventStream([words('one'), words(' two'), again]) })
  const { events, outcome } = await ask(made)
  expect(outcome.value.text).toBe('one two three')
  expect(events.filter(({ type }) => type === 'text')).toHaveLength(3)
})

test('joins messages sent instead of deltas, even if one repeats another', async () => {
  const made = await apiSetup()
  const messageChunk = (content: string): object => ({ choices: [{ message: { content } }] })
  made.server.queue({
    body: eventStream([messageChunk('ha'), messageChunk('ha'), messageChunk('!')]),
  })
  expect((await ask(made)).outcome.value.text).toBe('haha!')
})

test.each([
  ['[DONE]', [words('a')], 'data: [DONE]\n\n', false],
  ['a finish reason', [words('a'), chunk({}, { choices: [{ finish_reason: 'stop' }] })], '', false],
  ['completed', [words('a'), chunk({}, { status: 'completed', choices: [] })], '', false],
  ['completed on a connection that remains open', [words('a'), last], '', true],
])('accepts %s as an end', async (_, events, tail, hang) => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(events) + tail, ...(hang && { hang }) })
  expect((await ask(made)).outcome.value).toMatchObject({ text: 'a', complete: true })
})

test('does not treat a tool call as an end: reports a stream that breaks off after it', async () => {
  const made = await apiSetup()
  const call = chunk({ tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }, {})
  const paused = chunk({}, { choices: [{ delta: {}, finish_reason: 'tool_calls' }] })
  made.server.queue({ body: openStream([call, paused]) })
  const error = await failureOf(made.api.assistants.chat(made.target(), question, {}))
  expect(error).toMatchObject({
    code: 'STREAM_CUT',
    partial: { toolCalls: [{ name: 'f' }], finishReason: 'tool_calls', complete: false },
  })
})

test.each([
  [
    'a failed status',
    { status: 'failed', last_error: { code: '1301', message: 'no' } },
    'CONTENT_BLOCKED',
  ],
  ['a last error', { last_error: { code: 1302, message: 'slow' } }, 'RATE_LIMITED'],
  ['a failed status without a reason', { status: 'failed' }, 'SERVICE_FAILED'],
  ['an error object', { error: { code: '1234', message: 'x' } }, 'SERVER_ERROR'],
  ['an envelope', { code: 1113, message: 'pay' }, 'QUOTA_EXHAUSTED'],
  ['an abnormal finish', { choices: [{ finish_reason: 'sensitive' }] }, 'CONTENT_BLOCKED'],
])(
  'keeps the partial answer on %s in a stream; reports it as failure in a plain response',
  async (_, failure, code) => {
    const made = await apiSetup()
    made.server.queue(
      { body: openStream([words('kept'), failure]) },
      { body: JSON.stringify(failure) },
    )
    const cut = await failureOf(made.api.assistants.chat(made.target(), question, {}))
    expect(cut).toBeInstanceOf(StreamBroken)
    expect(cut).toMatchObject({
      code,
      partial: { text: 'kept', conversationId: 'conv-1', complete: false },
    })
    expect(made.server.requests).toHaveLength(1)
    // A failure worth a retry is retried, since nothing was shown yet.
    made.server.always({ body: JSON.stringify(failure) })
    const plain = await failureOf(
      made.api.assistants.chat(made.target(), { ...question, stream: false }, {}),
    )
    expect(plain.code).toBe(code)
  },
)

test('reports the reason of a plain failure', async () => {
  const made = await apiSetup()
  made.server.queue({
    body: '{"status":"failed","last_error":{"code":"1301","message":"not this"}}',
  })
  const request = { ...question, stream: false }
  expect(await failureOf(made.api.assistants.chat(made.target(), request, {}))).toMatchObject({
    service: { code: '1301', message: 'not this' },
  })
})

test('ignores an empty last error, and one that reports success', async () => {
  const made = await apiSetup()
  const fine = [{ last_error: null }, { last_error: {} }, { last_error: { code: 200 } }]
  made.server.queue({
    body: eventStream([...fine.map((more) => chunk({ content: 'a' }, more)), last]),
  })
  expect((await ask(made)).outcome.value.text).toBe('aaa')
})

test('shows unknown chunks', async () => {
  const made = await apiSetup()
  const strange = { choices: [{ delta: { type: 'hologram', hologram: { x: 1 } } }] }
  made.server.queue({
    body: eventStream([strange, { surprise: 1 }, { usage: { total_tokens: 1 } }, last]),
  })
  const { events } = await ask(made)
  expect(events.filter(({ type }) => type === 'unknown')).toEqual([
    { type: 'unknown', data: { type: 'hologram', hologram: { x: 1 } } },
    { type: 'unknown', data: { surprise: 1 } },
  ])
})

test('treats a plain response without an answer as malformed', async () => {
  const made = await apiSetup()
  made.server.queue({ body: '{"id":"x"}' })
  const request = { ...question, stream: false }
  expect(await failureOf(made.api.assistants.chat(made.target(), request, {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'no-answer' },
  })
})

test.each([
  ['messages', { messages: [] }, {}],
  ['assistant_id', { assistantId: '' }, {}],
  ['user_id', { userId: 'x'.repeat(5) }, {}],
  ['user_id', { userId: 'x'.repeat(129) }, {}],
  ['request_id', {}, { requestId: 'x'.repeat(5) }],
  ['request_id', {}, { requestId: 'x'.repeat(65) }],
])('rejects an invalid %s before anything is sent', async (what, wrong, options) => {
  const made = await apiSetup()
  const error = await failureOf(
    made.api.assistants.chat(made.target(), { ...question, ...wrong }, options),
  )
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', params: { what } })
  expect(made.server.requests).toEqual([])
})

test('sends IDs at their length limits', async () => {
  const made = await apiSetup()
  made.server.always({ body: eventStream([last]) })
  for (const [user, id] of [
    [6, 6],
    [128, 64],
  ] as const)
    await made.api.assistants.chat(
      made.target(),
      { ...question, userId: 'u'.repeat(user) },
      { requestId: 'r'.repeat(id) },
    )
  expect(made.server.requests).toHaveLength(2)
})

test('lists the given IDs, or all, and parses rows of every shape', async () => {
  const made = await apiSetup()
  const full = {
    assistant_id: 'a-1',
    name: 'Papers',
    avatar: 'https://a.example/a.png',
    description: 'Reads papers',
    tools: ['web_browser', { type: 'retrieval' }],
    tags: [{ key: 'k', label: 'L' }, 'plain'],
    status: 'publish',
    starter_prompts: ['one', { prompt: 'two' }, { content: 'three' }, { words: 'four' }, {}],
    created_at: '2024-05-01T10:00:00+08:00',
    updated_at: 1_714_528_800,
  }
  made.server.queue({
    body: JSON.stringify({
      success: true,
      code: 200,
      msg: '',
      data: [full, { assistant_id: 7 }, {}],
    }),
  })
  made.server.queue({
    body: JSON.stringify({
      success: true,
      code: '200',
      data: { ...full, created_at: '2024-05-01 10:00:00', updated_at: 'never' },
    }),
  })
  const all = await made.api.assistants.list(made.target(), {}, {})
  expect(bodyOf(made)).toEqual({ assistant_id_list: [] })
  expect(all.value).toEqual([
    {
      id: 'a-1',
      name: 'Papers',
      avatar: 'https://a.example/a.png',
      description: 'Reads papers',
      tools: ['web_browser', 'retrieval'],
      tags: [
        { key: 'k', label: 'L' },
        { key: 'plain', label: 'plain' },
      ],
      status: 'publish',
      starterPrompts: ['one', 'two', 'three', 'four'],
      createdAt: '2024-05-01T10:00:00+08:00',
      updatedAt: '2024-05-01T02:00:00.000Z',
    },
    {
      id: '7',
      name: '7',
      avatar: null,
      description: '',
      tools: [],
      tags: [],
      status: '',
      starterPrompts: [],
      createdAt: null,
      updatedAt: null,
    },
  ])
  const one = await made.api.assistants.list(made.target(), { ids: ['a-1'] }, {})
  expect(bodyOf(made)).toEqual({ assistant_id_list: ['a-1'] })
  expect(one.value).toMatchObject([
    { id: 'a-1', createdAt: '2024-05-01T10:00:00', updatedAt: null },
  ])
  expect(made.server.requests.map(({ method, url }) => [method, url])).toEqual([
    ['POST', '/api/paas/v4/assistant/list'],
    ['POST', '/api/paas/v4/assistant/list'],
  ])
})

test('reports failed lists, and responses without a list', async () => {
  const made = await apiSetup()
  made.server.queue({ body: '{"success":false,"code":1220,"msg":"no right"}' }, { body: '{}' })
  const list = (): Promise<unknown> => failureOf(made.api.assistants.list(made.target(), {}, {}))
  expect(await list()).toMatchObject({
    code: 'PERMISSION_DENIED',
    service: { message: 'no right' },
  })
  expect(await list()).toMatchObject({ code: 'MALFORMED_REPLY' })
})

test('lists conversations by page', async () => {
  const made = await apiSetup()
  const row = {
    id: 'conv-1',
    assistant_id: 'a-1',
    create_time: 1_714_528_800_000,
    update_time: '2024-05-01T02:00:00Z',
    usage: { total_tokens: '9' },
  }
  const data = { assistant_id: 'a-1', conversation_list: [row, { id: 'conv-2' }], has_more: true }
  made.server.queue({ body: JSON.stringify({ success: true, code: 200, data }) })
  made.server.queue({
    body: JSON.stringify({ code: 200, data: JSON.stringify({ conversation_list: row }) }),
  })
  const first = await made.api.assistants.conversations(
    made.target(),
    { assistantId: 'a-1', page: 2, pageSize: 100 },
    {},
  )
  expect(made.server.requests[0]?.url).toBe('/api/paas/v4/assistant/conversation/list')
  expect(bodyOf(made)).toEqual({ assistant_id: 'a-1', page: 2, page_size: 100 })
  expect(first.value).toEqual({
    conversations: [
      {
        id: 'conv-1',
        assistantId: 'a-1',
        createdAt: '2024-05-01T02:00:00.000Z',
        updatedAt: '2024-05-01T02:00:00Z',
        totalTokens: 9,
      },
      { id: 'conv-2', assistantId: 'a-1', createdAt: null, updatedAt: null, totalTokens: null },
    ],
    hasMore: true,
  })
  const second = await made.api.assistants.conversations(made.target(), { assistantId: 'a-1' }, {})
  expect(bodyOf(made)).toEqual({ assistant_id: 'a-1' })
  expect(second.value).toMatchObject({ conversations: [{ id: 'conv-1' }], hasMore: false })
})

test.each([
  ['page_size', { pageSize: 0 }],
  ['page_size', { pageSize: 101 }],
  ['page_size', { pageSize: 1.5 }],
  ['page', { page: 0 }],
  ['assistant_id', { assistantId: '' }],
])('rejects an invalid %s of the conversation list', async (what, wrong) => {
  const made = await apiSetup()
  const request = { assistantId: 'a-1', ...wrong }
  const error = await failureOf(made.api.assistants.conversations(made.target(), request, {}))
  expect(error.params).toMatchObject({ what })
  expect(made.server.requests).toEqual([])
})

test('parses both parts of a starter prompt: a title to show and content to send', async () => {
  const made = await apiSetup()
  const starters = [
    { title: 'Idea 1', content: 'Draft a plan for a week in Hangzhou' },
    { title: 'Idea 2', prompt: 'Draft a packing list' },
    { title: 'Same', content: 'Same' },
    { title: 'Only a title', icon: 'https://a.example/i.png', content: '' },
  ]
  const data = [{ assistant_id: 'a-1', starter_prompts: starters }]
  made.server.queue({ body: JSON.stringify({ success: true, code: 200, data }) })
  const { value } = await made.api.assistants.list(made.target(), {}, {})
  expect(value[0]?.starterPrompts).toEqual([
    { title: 'Idea 1', text: 'Draft a plan for a week in Hangzhou' },
    { title: 'Idea 2', text: 'Draft a packing list' },
    'Same',
    'Only a title',
  ])
})
