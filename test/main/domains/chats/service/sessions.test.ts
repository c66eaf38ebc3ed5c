import { expect, test } from 'vitest'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../../app/chat-setup.ts'
import type { RecordedRequest, ScriptedReply } from '../../../../fixtures/scripted-server.ts'
import { chatSetup, type ChatSetup } from './chat-setup.ts'

/** Sends a question and waits for the end of the answer. */
async function ended(setup: ChatSetup, id: string, text: string) {
  const turn = await setup.ask(id, text)
  return setup.over(turn.answer?.id ?? '')
}

const bodyOf = (request: RecordedRequest | undefined): Readonly<Record<string, unknown>> =>
  JSON.parse(String(request?.body)) as Record<string, unknown>

/** A chat whose first answer opened a session. */
async function begun(): Promise<{ readonly setup: ChatSetup; readonly id: string }> {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])) })
  await ended(setup, id, 'First?')
  return { setup, id }
}

const refusals: readonly (readonly [string, ScriptedReply])[] = [
  ['400', { status: 400, body: '{"code":1210,"message":"bad parameter"}' }],
  ['400 without a body', { status: 400 }],
  ['401', { status: 401, body: '{"code":1000,"message":"auth failed"}' }],
  ['a blocked question', { status: 400, body: '{"code":1301,"message":"blocked"}' }],
  ['an unknown model', { status: 400, body: '{"code":1211,"message":"no such model"}' }],
  ['429', { status: 429, body: '{"code":1113,"message":"no balance"}' }],
  ['500 with a body', { status: 500, body: '{"code":1234,"message":"network error"}' }],
  ['503 with a body', { status: 503, body: '{"error":{"code":"1305","message":"busy"}}' }],
]

test.each(refusals)('continues the session after %s and repeats no history', async (_, refusal) => {
  const { setup, id } = await begun()
  setup.server.queue(refusal)
  expect(await ended(setup, id, 'Second?')).toMatchObject({ state: 'failed', resentTurns: 0 })
  setup.server.queue({ body: sse(agentAnswer(['Three'])) })
  expect(await ended(setup, id, 'Third?')).toMatchObject({ state: 'done', resentTurns: 0 })
  const sent = setup.server.requests.at(-1)
  expect(sent?.headers['x-session-id']).toBe('s1')
  expect(bodyOf(sent)['messages']).toEqual([{ role: 'user', content: 'Third?' }])
})

test.each(refusals)('sends a question again to its session after %s', async (_, refusal) => {
  const { setup, id } = await begun()
  setup.server.queue(refusal)
  const failed = await ended(setup, id, 'Second?')
  setup.server.queue({ body: sse(agentAnswer(['Two'])) })
  const again = await setup.chats.regenerate(failed.id, setup.stream(), 'page')
  expect(await setup.over(again.answer?.id ?? '')).toMatchObject({ state: 'done', resentTurns: 0 })
  expect(setup.server.requests.at(-1)?.headers['x-session-id']).toBe('s1')
})

test('continues the conversation of an assistant after a refusal', async () => {
  const setup = await chatSetup()
  const id = setup.begin(assistant)
  setup.server.queue({ body: assistantAnswer(['One']) })
  await ended(setup, id, 'First?')
  setup.server.queue({ status: 500, body: '{"error":{"code":"1200","message":"failed"}}' })
  await ended(setup, id, 'Second?')
  setup.server.queue({ body: assistantAnswer(['Three']) })
  expect(await ended(setup, id, 'Third?')).toMatchObject({ state: 'done', resentTurns: 0 })
  expect(bodyOf(setup.server.requests.at(-1))['conversation_id']).toBe('c1')
})

test.each<[string, ScriptedReply]>([
  ['a dropped connection', { dropped: true }],
  ['a gateway timeout', { status: 504, body: '<title>504 Gateway Time-out</title>' }],
  ['a gateway error in JSON', { status: 502, body: '{"status":502,"error":"Bad Gateway"}' }],
  ['an error without a body', { status: 500 }],
])('repeats the history after %s, because the session may contain the question', async (_, end) => {
  const { setup, id } = await begun()
  setup.server.queue(end)
  expect(await ended(setup, id, 'Second?')).toMatchObject({ state: 'failed' })
  setup.server.queue({ body: sse(agentAnswer(['Three'], 's2')) })
  const third = await ended(setup, id, 'Third?')
  expect(third.resentTurns).toBeGreaterThan(0)
  expect(setup.server.requests.at(-1)?.headers['x-session-id']).toBeUndefined()
})

test('starts a new session after two refusals without a reason', async () => {
  const { setup, id } = await begun()
  const refusal = { status: 400, body: '{"code":1210,"message":"bad parameter"}' }
  setup.server.queue(refusal)
  const failed = await ended(setup, id, 'Second?')
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'INVALID_INPUT' } })
  expect(setup.server.requests).toHaveLength(2)
  setup.server.queue(refusal, { body: sse(agentAnswer(['Two'], 's2')) })
  const again = await setup.chats.regenerate(failed.id, setup.stream(), 'page')
  expect(await setup.over(again.answer?.id ?? '')).toMatchObject({ state: 'done', resentTurns: 2 })
})

test('resumes a rate-limited chat automatically after the pause', async () => {
  const { setup, id } = await begun()
  const refusal: ScriptedReply = {
    status: 429,
    headers: { 'retry-after': '2' },
    body: '{"code":1302,"message":"too many requests"}',
  }
  setup.server.queue(refusal, { body: sse(agentAnswer(['Two'])) })
  expect(await ended(setup, id, 'Second?')).toMatchObject({
    state: 'done',
    text: 'Two',
    resentTurns: 0,
  })
  const [, refused, again] = setup.server.requests
  expect(String(again?.body)).toBe(String(refused?.body))
  expect(again?.headers['x-session-id']).toBe('s1')

  const other = setup.begin(assistant)
  setup.server.queue({ body: assistantAnswer(['One']) })
  await ended(setup, other, 'First?')
  setup.server.queue(refusal, { body: assistantAnswer(['Two']) })
  expect(await ended(setup, other, 'Second?')).toMatchObject({ state: 'done', text: 'Two' })
})

test('ends the answer for a pause over a minute and reports the wait time', async () => {
  const { setup, id } = await begun()
  setup.server.queue({ status: 429, headers: { 'retry-after': '90' }, body: '{"code":1302}' })
  expect(await ended(setup, id, 'Second?')).toMatchObject({
    state: 'failed',
    error: { code: 'RATE_LIMITED', params: { seconds: 90 } },
  })
  expect(setup.server.requests).toHaveLength(2)
})
