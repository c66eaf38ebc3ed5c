import { expect, test } from 'vitest'
import { StreamBroken } from '../../../src/main/provider-client/index.ts'
import type { SlidesMessage } from '../../../src/main/provider-client/slides-events.ts'
import { apiSetup, eventStream, failureOf, openStream } from './support.ts'
import type { ApiSetup } from './support.ts'

const bodyOf = (made: ApiSetup): unknown => JSON.parse(String(made.server.requests.at(-1)?.body))

const contentPart = (more: object): object => ({
  type: '',
  text: null,
  tagCn: null,
  tagEn: null,
  fileUrl: null,
  imageUrl: null,
  ...more,
})

const exported = {
  type: 'file',
  tag_cn: '导出',
  tag_en: 'export',
  file_url: 'https://a.example/s.pdf',
  image_url: 'https://a.example/s.png',
}

test('requests a conversation with the agent ID of the profile', async () => {
  const made = await apiSetup()
  made.server.always({ body: JSON.stringify({ conversation_id: 'c-1', choices: [] }) })
  await made.api.slides.conversation(made.target(), { conversationId: 'c-1' }, {})
  expect(made.server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/api/v1/agents/conversation',
    headers: { accept: 'application/json' },
  })
  expect(bodyOf(made)).toEqual({ agent_id: 'slides_glm_agent', conversation_id: 'c-1' })
  await made.api.slides.conversation(
    made.target({ agentIds: {} }),
    {
      conversationId: 'c-1',
      includePdf: false,
      pages: [{ position: 1, width: 33.8, height: 19 }],
    },
    {},
  )
  expect(bodyOf(made)).toEqual({
    agent_id: 'slides_gen_agent',
    conversation_id: 'c-1',
    custom_variables: { include_pdf: false, pages: [{ position: 1, width: 33.8, height: 19 }] },
  })
})

test.each([
  ['message', { message: [{ role: 'assistant', content: [exported] }] }],
  ['messages', { messages: [{ role: 'assistant', content: [exported] }] }],
  ['single objects', { message: { role: 'assistant', content: exported } }],
])('parses a history in %s', async (_, choice) => {
  const made = await apiSetup()
  const reply = {
    conversation_id: 'c-1',
    agent_id: 'slides_glm_agent',
    choices: [choice],
    error: { code: null, message: '' },
  }
  made.server.queue(
    { body: JSON.stringify(reply) },
    { body: JSON.stringify({ code: 200, data: { ...reply, choices: choice } }) },
  )
  for (let i = 0; i < 2; i++) {
    const { value } = await made.api.slides.conversation(
      made.target(),
      { conversationId: 'c-1' },
      {},
    )
    expect(value).toEqual({
      conversationId: 'c-1',
      agentId: 'slides_glm_agent',
      messages: [
        {
          role: 'assistant',
          phase: null,
          content: [
            contentPart({
              type: 'file',
              tagCn: '导出',
              tagEn: 'export',
              fileUrl: 'https://a.example/s.pdf',
              imageUrl: 'https://a.example/s.png',
              raw: exported,
            }),
          ],
        },
      ],
    })
  }
})

test.each([
  ['failed', { status: 'failed', error: { code: '1222', message: 'gone' } }, 'NOT_IMPLEMENTED'],
  [
    'an error object',
    { conversation_id: 'c', error: { code: '1214', message: 'x' } },
    'INVALID_INPUT',
  ],
  ['neither conversation nor choices', { ok: true }, 'MALFORMED_REPLY'],
])('treats a 200 with %s as a failure', async (_, reply, code) => {
  const made = await apiSetup()
  made.server.queue({ body: JSON.stringify(reply) })
  const pending = made.api.slides.conversation(made.target(), { conversationId: 'c-1' }, {})
  expect(await failureOf(pending)).toMatchObject({ code })
})

test.each([
  ['conversation_id', { conversationId: '' }],
  ['position', { conversationId: 'c', pages: [{ position: Number.NaN, width: 1, height: 1 }] }],
  ['width', { conversationId: 'c', pages: [{ position: 1, width: 0, height: 1 }] }],
  ['height', { conversationId: 'c', pages: [{ position: 1, width: 1, height: Infinity }] }],
])('rejects an invalid %s before anything is sent', async (what, request) => {
  const made = await apiSetup()
  const error = await failureOf(made.api.slides.conversation(made.target(), request, {}))
  expect(error.params).toMatchObject({ what })
  expect(made.server.requests).toEqual([])
})

/** A chunk of the chat (service-notes 10). */
const chunk = (phase: string, content: unknown, more: object = {}): object => ({
  id: 'r',
  agent_id: 'slides_glm_agent',
  conversation_id: 'c-9',
  choices: [{ index: 1, messages: [{ role: 'assistant', phase, content }], ...more }],
})

const tool = { type: 'object', tag_en: 'search', object: { tool_name: 'search', input: { q: 1 } } }

const talk = [
  chunk('thinking', [{ type: 'text', text: '先' }]),
  chunk('thinking', { type: 'text', text: '想' }),
  chunk('tool', [tool]),
  chunk('answer', [{ type: 'text', text: 'Three ' }]),
  chunk('answer', 'slides.', { finish_reason: 'stop' }),
]

test('emits messages of a chat on arrival, and joins their chunks', async () => {
  const made = await apiSetup()
  const usage = { choices: [], usage: { total_tokens: 12 } }
  made.server.queue({ body: eventStream([...talk, usage]) })
  const messages: SlidesMessage[] = []
  const { value, usage: used } = await made.api.slides.talk(
    made.target(),
    { text: 'Three slides on tea' },
    { onMessage: (message) => void messages.push(message) },
  )
  expect(made.server.requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/agents' })
  expect(bodyOf(made)).toEqual({
    agent_id: 'slides_glm_agent',
    stream: true,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Three slides on tea' }] }],
  })
  expect(messages.map(({ phase, content }) => [phase, content[0]?.text])).toEqual([
    ['thinking', '先'],
    ['thinking', '想'],
    ['tool', null],
    ['answer', 'Three '],
    ['answer', 'slides.'],
  ])
  const words = (text: string): object =>
    contentPart({ type: 'text', text, raw: { type: 'text', text } })
  expect(value).toEqual({
    conversationId: 'c-9',
    agentId: 'slides_glm_agent',
    messages: [
      { role: 'assistant', phase: 'thinking', content: [words('先想')] },
      {
        role: 'assistant',
        phase: 'tool',
        content: [contentPart({ type: 'object', tagEn: 'search', raw: tool })],
      },
      { role: 'assistant', phase: 'answer', content: [words('Three slides.')] },
    ],
  })
  expect(used.totalTokens).toBe(12)
})

test('continues a conversation, and ends with or without [DONE]', async () => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(talk) }, { body: eventStream(talk.slice(0, 2)) })
  made.server.queue({ body: JSON.stringify(talk[3]) })
  for (const count of [3, 1, 1]) {
    const request = { text: 'more', conversationId: 'c-9' }
    const { value } = await made.api.slides.talk(made.target(), request, {})
    expect(value.messages).toHaveLength(count)
  }
  expect(bodyOf(made)).toMatchObject({ conversation_id: 'c-9' })
})

test.each([
  ['an error object', { error: { code: '1301', message: 'no' } }, 'CONTENT_BLOCKED'],
  [
    'a failed status',
    { status: 'failed', error: { code: '1302', message: 'slow' } },
    'RATE_LIMITED',
  ],
  ['an abnormal finish', { choices: [{ finish_reason: 'network_error' }] }, 'SERVER_ERROR'],
  ['a connection closed without a finish reason', {}, 'STREAM_CUT'],
])('ends a chat on %s and keeps the received messages', async (_, failure, code) => {
  const made = await apiSetup()
  made.server.queue({ body: openStream([...talk.slice(0, 2), failure]) })
  const error = await failureOf(made.api.slides.talk(made.target(), { text: 'x' }, {}))
  expect(error).toBeInstanceOf(StreamBroken)
  expect(error).toMatchObject({
    code,
    partial: { conversationId: 'c-9', messages: [{ content: [{ text: '先想' }] }] },
  })
})

test('never sends a chat twice, since it may have begun', async () => {
  const made = await apiSetup()
  made.server.queue(
    { status: 500, body: '{"error":{"code":"1200","message":"x"}}' },
    { dropped: true },
    { body: '', cutAfter: 0 },
    { status: 429, body: '{"error":{"code":"1302","message":"slow"}}' },
  )
  for (const code of ['SERVER_ERROR', 'OFFLINE', 'STREAM_CUT', 'RATE_LIMITED'])
    expect(await failureOf(made.api.slides.talk(made.target(), { text: 'x' }, {}))).toMatchObject({
      code,
    })
  expect(made.server.requests).toHaveLength(4)
  expect(made.sleeps).toEqual([])
})

test('rejects a chat without text', async () => {
  const made = await apiSetup()
  const error = await failureOf(made.api.slides.talk(made.target(), { text: ' \n' }, {}))
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', params: { what: 'text' } })
  expect(made.server.requests).toEqual([])
})
