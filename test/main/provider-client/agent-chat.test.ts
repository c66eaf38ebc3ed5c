import { expect, test } from 'vitest'
import type {
  AgentAnswer,
  AgentEvent,
  AgentRequest,
} from '../../../src/main/provider-client/agent-chat.ts'
import { StreamBroken } from '../../../src/main/provider-client/index.ts'
import { wireDefaults } from '../../../src/shared/provider/profiles.ts'
import { apiSetup, failureOf, forGood, openStream } from './support.ts'
import type { ApiSetup } from './support.ts'

const question: AgentRequest = {
  messages: [{ role: 'user', content: '合同何时到期？' }],
  retrieval: { knowledgeIds: ['kb-1'] },
}

/** A complete conversation with every type of event (service-notes 6). */
const stream = [
  { type: 'session_created', sessionId: 's-1' },
  { type: 'reasoning', sessionId: 's-1', data: '先找' },
  { type: 'reasoning', sessionId: 's-1', data: '合同。' },
  { type: 'thought', sessionId: 's-1', data: 'I should search.' },
  {
    type: 'tool_call',
    sessionId: 's-1',
    data: { callId: 'c1', toolName: 'retrieve', arguments: { query: '合同 到期' } },
  },
  {
    type: 'tool_result',
    sessionId: 's-1',
    data: {
      callId: 'c1',
      toolName: 'retrieve',
      result: [{ text: 'x' }],
      status: 'success',
      durationMs: 120,
    },
  },
  { type: 'answer', sessionId: 's-1', data: '三月' },
  { type: 'answer', sessionId: 's-1', data: '一日 😀<reference data-ref="1"></reference>' },
  {
    type: 'done',
    sessionId: 's-1',
    messageId: 'm-1',
    data: '三月一日 😀<reference data-ref="1"></reference>',
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      total_calls: 2,
      prompt_tokens_details: { cached_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
  },
]

const expectedEvents: readonly AgentEvent[] = [
  { type: 'session_created', sessionId: 's-1' },
  { type: 'reasoning', text: '先找' },
  { type: 'reasoning', text: '合同。' },
  { type: 'thought', text: 'I should search.' },
  { type: 'tool_call', callId: 'c1', tool: 'retrieve', arguments: { query: '合同 到期' } },
  {
    type: 'tool_result',
    callId: 'c1',
    tool: 'retrieve',
    result: [{ text: 'x' }],
    status: 'success',
    durationMs: 120,
  },
  { type: 'answer', text: '三月' },
  { type: 'answer', text: '一日 😀<reference data-ref="1"></reference>' },
  {
    type: 'done',
    messageId: 'm-1',
    answer: '三月一日 😀<reference data-ref="1"></reference>',
  },
]

async function ask(
  { api, target }: ApiSetup,
  request: AgentRequest = question,
): Promise<{ events: AgentEvent[]; outcome: Awaited<ReturnType<typeof api.agentChat.chat>> }> {
  const events: AgentEvent[] = []
  const onEvent = (event: AgentEvent): void => void events.push(event)
  const outcome = await api.agentChat.chat(target(), request, { onEvent })
  return { events, outcome }
}

const bodyOf = (made: ApiSetup, index = 0): unknown =>
  JSON.parse(String(made.server.requests[index]?.body))

test('sends only required fields in a minimal question and leaves the rest to the provider', async () => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(stream) })
  await ask(made)
  const [sent] = made.server.requests
  expect(sent).toMatchObject({ method: 'POST', url: '/api/zrag/agent/chat' })
  expect(sent?.headers).toMatchObject({
    accept: 'text/event-stream',
    'content-type': 'application/json',
  })
  expect(sent?.headers).not.toHaveProperty('x-session-id')
  expect(bodyOf(made)).toEqual({
    messages: [{ role: 'user', content: '合同何时到期？' }],
    retrieval: { know_ids: ['kb-1'] },
    model: 'glm-5v-turbo',
  })
})

test('sends everything a question may contain under the names of the profile', async () => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(stream) })
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const
  const wire = { ...wireDefaults, agentSession: 'X-Conversation', agentThinking: 'thinking' }
  await made.api.agentChat.chat(
    made.target({ wire }),
    {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }],
      retrieval: {
        knowledgeIds: ['kb-1', 'kb-2'],
        topK: 4,
        topN: 3,
        rerank: false,
        similarityThreshold: 0,
      },
      model: 'gen-6',
      temperature: 0,
      maxSteps: 1,
      thinking: false,
      sessionId: 's-1',
    },
    {},
  )
  expect(made.server.requests[0]?.headers).toMatchObject({ 'x-conversation': 's-1' })
  expect(bodyOf(made)).toEqual({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }],
    retrieval: {
      know_ids: ['kb-1', 'kb-2'],
      top_k: 4,
      top_n: 3,
      enable_rerank: false,
      similarity_threshold: 0,
    },
    model: 'glm-6',
    temperature: 0,
    max_steps: 1,
    thinking: false,
  })
})

test('emits every type of event in order, and joins their text as the answer', async () => {
  const made = await apiSetup()
  const body = openStream(stream)
  made.server.queue({ body, headers: { 'content-type': 'text/event-stream;charset=UTF-8' } })
  const { events, outcome } = await ask(made)
  expect(events).toEqual(expectedEvents)
  expect(outcome).toEqual({
    value: {
      sessionId: 's-1',
      messageId: 'm-1',
      answer: '三月一日 😀<reference data-ref="1"></reference>',
      reasoning: '先找合同。',
      totalCalls: 2,
      finishReason: null,
      complete: true,
    },
    requestId: 'id-for-test-000000000001',
    engine: null,
    notice: null,
    usage: {
      promptTokens: 10,
      completionTokens: 5,
      totalTokens: 15,
      reasoningTokens: 3,
      cachedTokens: 1,
    },
    raw: { status: 200, contentType: 'text/event-stream;charset=UTF-8', body },
  })
  expect(made.calls).toMatchObject([
    { operation: 'agents.chat', model: 'glm-5v-turbo', outcome: 'ok', totalTokens: 15 },
  ])
})

test('ignores split characters, CRLF, comments and slow chunks', async () => {
  const made = await apiSetup()
  const body = Buffer.from(`\ufeff: hello\r\n\r\n${openStream(stream, '\r\n')}`)
  const splitAt = Array.from({ length: body.length }, (_, i) => i + 1)
  made.server.queue({ body, splitAt })
  made.server.queue({ body, splitAt: [40, 200, 201, 500, 700], betweenMs: 60 })
  expect((await ask(made)).events).toEqual(expectedEvents)
  expect((await ask(made)).events).toEqual(expectedEvents)
})

test.each<[string, object, AgentEvent]>([
  [
    'an answer in an object',
    { type: 'answer', data: { text: 'a' } },
    { type: 'answer', text: 'a' },
  ],
  [
    'an answer that is a JSON object with content is not unwrapped',
    { type: 'answer', data: '{"content":"a"}' },
    { type: 'answer', text: '{"content":"a"}' },
  ],
  [
    'an answer in a delta',
    { type: 'answer', data: { delta: { content: 'a' } } },
    { type: 'answer', text: 'a' },
  ],
  [
    'an answer in parts',
    { type: 'answer', data: [{ type: 'text', text: 'a' }, 'b'] },
    { type: 'answer', text: 'ab' },
  ],
  [
    'an answer that is JSON',
    { type: 'answer', data: '{"price":3}' },
    { type: 'answer', text: '{"price":3}' },
  ],
  ['a brace', { type: 'answer', data: '{' }, { type: 'answer', text: '{' }],
  ['a number', { type: 'answer', data: 3 }, { type: 'answer', text: '3' }],
  ['an answer without data', { type: 'answer' }, { type: 'answer', text: '' }],
  ['a thought of null', { type: 'thought', data: null }, { type: 'thought', text: '' }],
  [
    'reasoning in an object',
    { type: 'reasoning', data: { reasoning: 'r' } },
    { type: 'reasoning', text: 'r' },
  ],
  [
    'an answer without text',
    { type: 'answer', data: { blocks: 1 } },
    { type: 'unknown', name: 'answer', data: { blocks: 1 } },
  ],
  [
    'an unknown type',
    { type: 'plan', data: { steps: 2 } },
    { type: 'unknown', name: 'plan', data: { steps: 2 } },
  ],
  ['no type', { step: 2 }, { type: 'unknown', name: '', data: { step: 2 } }],
  [
    'a session in the data',
    { type: 'session_created', data: { session_id: 's-2' } },
    { type: 'session_created', sessionId: 's-2' },
  ],
  [
    'a session as the data',
    { type: 'session_created', data: 's-3' },
    { type: 'session_created', sessionId: 's-3' },
  ],
  [
    'a call in JSON text with arguments in JSON text',
    { type: 'tool_call', data: '{"call_id":7,"tool_name":"t","arguments":"{\\"q\\":1}"}' },
    { type: 'tool_call', callId: '7', tool: 't', arguments: { q: 1 } },
  ],
  [
    'a call without a data envelope',
    { type: 'tool_call', sessionId: 's', id: 'c', name: 't', input: 'words' },
    { type: 'tool_call', callId: 'c', tool: 't', arguments: 'words' },
  ],
  [
    'a function call',
    { type: 'tool_call', data: { id: 'c', function: { name: 't', arguments: '{}' } } },
    { type: 'tool_call', callId: 'c', tool: 't', arguments: {} },
  ],
  [
    'a call without arguments',
    { type: 'tool_call', data: { callId: 'c', toolName: 't' } },
    { type: 'tool_call', callId: 'c', tool: 't', arguments: {} },
  ],
  [
    'a call that is only text',
    { type: 'tool_call', data: 'searching' },
    { type: 'tool_call', callId: '', tool: '', arguments: 'searching' },
  ],
  [
    'a call with only arguments',
    { type: 'tool_call', data: { query: 'q' } },
    { type: 'tool_call', callId: '', tool: '', arguments: { query: 'q' } },
  ],
  [
    'a result with alternative field names',
    { type: 'tool_result', data: { id: 'c', name: 't', output: '[1]', duration: '12' } },
    { type: 'tool_result', callId: 'c', tool: 't', result: [1], status: '', durationMs: 12 },
  ],
  [
    'a failed result',
    { type: 'tool_result', status: 'failed', callId: 'c', toolName: 't', error: 'no such base' },
    {
      type: 'tool_result',
      callId: 'c',
      tool: 't',
      result: 'no such base',
      status: 'failed',
      durationMs: null,
    },
  ],
  [
    'a result that is a list of matches',
    { type: 'tool_result', data: [{ id: '1', text: 'x' }] },
    {
      type: 'tool_result',
      callId: '',
      tool: '',
      result: [{ id: '1', text: 'x' }],
      status: '',
      durationMs: null,
    },
  ],
])('reads %s', async (_, event, expected) => {
  const made = await apiSetup()
  made.server.queue({ body: openStream([event, { type: 'done', data: '' }]) })
  const { events } = await ask(made)
  expect(events).toEqual([expected, { type: 'done', messageId: null, answer: null }])
})

test('emits several calls in one event one by one', async () => {
  const made = await apiSetup()
  const calls = [1, 2].map((n) => ({ callId: `c${n}`, toolName: 't', arguments: { n } }))
  made.server.queue({ body: openStream([{ type: 'tool_call', data: calls }, { type: 'done' }]) })
  expect((await ask(made)).events).toMatchObject([
    { callId: 'c1', arguments: { n: 1 } },
    { callId: 'c2', arguments: { n: 2 } },
    { type: 'done' },
  ])
})

test.each<[string, object[], Partial<AgentAnswer>]>([
  [
    'the text of done has precedence',
    [
      { type: 'answer', data: 'ab' },
      { type: 'done', data: 'AB.' },
    ],
    { answer: 'AB.' },
  ],
  [
    'deltas are used if done has no text',
    [{ type: 'answer', data: 'ab' }, { type: 'done' }],
    { answer: 'ab' },
  ],
  [
    'done may have all fields in its data',
    [{ type: 'done', data: { answer: 'a', messageId: 'm', usage: { total_calls: '3' } } }],
    { answer: 'a', messageId: 'm', totalCalls: 3 },
  ],
  [
    'an answer that is JSON is not unwrapped at the end',
    [
      { type: 'answer', data: '{"text":' },
      { type: 'answer', data: '"x"}' },
      { type: 'done', data: '{"text":"x"}' },
    ],
    { answer: '{"text":"x"}' },
  ],
  [
    'any event may contain the session ID',
    [{ type: 'answer', session_id: 's-9', data: 'a' }, { type: 'done' }],
    { sessionId: 's-9' },
  ],
  [
    'events after done are ignored',
    [
      { type: 'done', data: 'a' },
      { type: 'answer', data: 'b' },
    ],
    { answer: 'a' },
  ],
])('%s', async (_, events, expected) => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(events) })
  expect((await ask(made)).outcome.value).toMatchObject({ ...expected, complete: true })
})

test('reads types in the event field, with or without JSON', async () => {
  const made = await apiSetup()
  const body = [
    'event: answer\ndata: {"data":"一"}\n\n',
    'event: answer\ndata: plain words\n\n',
    'event: ping\ndata: now\n\n',
    'event: done\ndata: {"messageId":"m"}\n\n',
  ].join('')
  made.server.queue({ body })
  const { events } = await ask(made)
  expect(events).toEqual([
    { type: 'answer', text: '一' },
    { type: 'answer', text: 'plain words' },
    { type: 'done', messageId: 'm', answer: null },
  ])
})

test('ends a stream at [DONE] without done; after done waits for neither [DONE] nor its end', async () => {
  // Waiting for the end of the third connection would take forever.
  const made = await apiSetup({ tuning: { longCall: { replyMs: forGood, idleMs: forGood } } })
  made.server.queue({ body: `${openStream(stream.slice(0, -1))}data: [DONE]\n\n` })
  made.server.queue({ body: `${openStream(stream)}data: [DONE]\n\n` })
  made.server.queue({ body: openStream(stream), hang: true })
  for (let i = 0; i < 3; i++)
    expect((await ask(made)).outcome.value).toMatchObject({
      answer: '三月一日 😀<reference data-ref="1"></reference>',
      complete: true,
    })
})

test.each([
  ['an event', JSON.stringify({ type: 'done', sessionId: 's', data: 'whole' })],
  [
    'a list of events',
    JSON.stringify([
      { type: 'answer', data: 'whole' },
      { type: 'done', sessionId: 's' },
    ]),
  ],
  [
    'events in an envelope',
    JSON.stringify({ events: [{ type: 'done', data: 'whole', sessionId: 's' }] }),
  ],
  [
    'an answer in an envelope',
    '{"code":200,"message":"ok","data":{"answer":"whole","sessionId":"s"}}',
  ],
  ['a bare answer', ' {"answer":"whole","session_id":"s"}'],
])('reads a response that is %s instead of a stream', async (_, body) => {
  const made = await apiSetup()
  made.server.queue({ body, headers: { 'content-type': 'text/event-stream' } })
  const { events, outcome } = await ask(made)
  expect(outcome.value).toMatchObject({ answer: 'whole', sessionId: 's', complete: true })
  expect(events.at(-1)?.type).toBe('done')
})

test.each([
  [
    'an agent error',
    { type: 'error', data: { message: 'it broke' } },
    'SERVICE_FAILED',
    'it broke',
  ],
  ['an agent error as text', { type: 'error', data: 'it broke' }, 'SERVICE_FAILED', 'it broke'],
  [
    'an agent error in JSON text',
    { type: 'error', data: '{"code":1302,"message":"slow"}' },
    'RATE_LIMITED',
    'slow',
  ],
  [
    'an agent error with a code',
    { type: 'error', code: 1301, data: { message: 'no' } },
    'CONTENT_BLOCKED',
    'no',
  ],
  ['an error object', { error: { code: '1234', message: 'network' } }, 'SERVER_ERROR', 'network'],
  ['a failure envelope', { code: 500, message: 'x' }, 'SERVER_ERROR', 'x'],
  ['a failed done event', { type: 'done', status: 'failed', message: 'x' }, 'SERVICE_FAILED', 'x'],
])(
  'keeps the received part after %s in the middle, and does not send again',
  async (_, failure, code, message) => {
    const made = await apiSetup()
    made.server.queue({ body: openStream([...stream.slice(0, 7), failure]) })
    const events: AgentEvent[] = []
    const onEvent = (event: AgentEvent): void => void events.push(event)
    const error = await failureOf(made.api.agentChat.chat(made.target(), question, { onEvent }))
    expect(error).toBeInstanceOf(StreamBroken)
    expect(error).toMatchObject({
      code,
      service: { message },
      partial: { sessionId: 's-1', answer: '三月', reasoning: '先找合同。', complete: false },
      raw: { status: 200, body: openStream([...stream.slice(0, 7), failure]) },
    })
    expect(events).toEqual(expectedEvents.slice(0, 7))
    expect(made.server.requests).toHaveLength(1)
  },
)

test.each<[string, object]>([
  ['its done event', { type: 'done', finish_reason: 'network_error', data: '三月' }],
  ['the data of its done event', { type: 'done', data: { finish_reason: 'network_error' } }],
  ['an answer event', { type: 'answer', data: '', finish_reason: 'network_error' }],
  ['a choice', { type: 'done', choices: [{ finish_reason: 'network_error' }] }],
])(
  'marks an answer whose model failed (%s) as cut off, with the received part',
  async (_, last) => {
    const made = await apiSetup()
    made.server.queue({ body: openStream([...stream.slice(0, 7), last]) })
    const error = await failureOf(ask(made))
    expect(error).toBeInstanceOf(StreamBroken)
    expect(error).toMatchObject({
      code: 'SERVER_ERROR',
      partial: { sessionId: 's-1', answer: '三月', complete: false },
    })
    expect(made.server.requests).toHaveLength(1)
  },
)

test('reports an answer that reached its token limit, like that of an assistant', async () => {
  const made = await apiSetup()
  made.server.queue({ body: openStream([{ type: 'done', data: 'a', finish_reason: 'length' }]) })
  const { outcome } = await ask(made)
  expect(outcome.value).toMatchObject({ answer: 'a', complete: true, finishReason: 'length' })
})

test.each([
  ['messages', { messages: [] }],
  ['messages', { messages: [{ role: 'user', content: ' ' }] }],
  ['messages', { messages: [{ role: 'user', content: [] }] }],
  ['role', { messages: [{ role: 'system', content: 'x' }] }],
  ['know_ids', { retrieval: { knowledgeIds: [] } }],
  ['know_ids', { retrieval: { knowledgeIds: ['kb', ' '] } }],
  ['top_k', { retrieval: { knowledgeIds: ['kb'], topK: 0 } }],
  ['top_n', { retrieval: { knowledgeIds: ['kb'], topN: 1.5 } }],
  [
    'similarity_threshold',
    { retrieval: { knowledgeIds: ['kb'], similarityThreshold: Number.NaN } },
  ],
  ['temperature', { temperature: Infinity }],
  ['temperature', { temperature: -0.1 }],
  ['max_steps', { maxSteps: 0 }],
  ['session', { sessionId: 'a\r\nx-evil: 1' }],
  ['session', { sessionId: '会话' }],
  ['session', { sessionId: '' }],
])('rejects a wrong %s before anything is sent', async (what, wrong) => {
  const made = await apiSetup()
  const request = { ...question, ...wrong } as AgentRequest
  const error = await failureOf(made.api.agentChat.chat(made.target(), request, {}))
  expect(['INVALID_INPUT', 'LIMIT_EXCEEDED']).toContain(error.code)
  expect(error.params).toMatchObject({ what })
  expect(made.server.requests).toEqual([])
})

test('accepts an image alone as a question', async () => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(stream) })
  const content = [{ type: 'image_url', image_url: { url: 'https://a.example/p.png' } }] as const
  await ask(made, { ...question, messages: [{ role: 'user', content }] })
  expect(made.server.requests).toHaveLength(1)
})
