import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import { agent, agentAnswer, sse } from '../../../app/chat-setup.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import type { ScriptedReply } from '../../../../fixtures/scripted-server.ts'
import { chatSetup, type ChatSetup } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
const begun = (words: string): ScriptedReply => ({
  body: sse(agentAnswer([words]).slice(0, 2)),
  hang: true,
})
const rejected: ScriptedReply = { status: 401, body: '{"code":401,"message":"bad key"}' }
const full = (): never => {
  throw new AppError('DISK_FULL', 'full')
}

const edit = (setup: ChatSetup, messageId: string, text: string) =>
  setup.chats.edit(
    messageId,
    { text, attachments: [], streamId: setup.stream(), waits: false },
    'page',
  )
const texts = (setup: ChatSetup, id: string): readonly string[] =>
  setup.store.chats.window(id, null, 50).messages.map(({ text }) => text)

/** A waiting question after an attempt that the provider rejected because of the key. */
async function waitingAfterAttempt(setup: ChatSetup, id: string, text: string) {
  setup.server.queue(rejected)
  const turn = await setup.ask(id, text, { waits: true })
  await eventually(() => expect(setup.chats.message(turn.question.id).state).toBe('waiting'))
  return turn
}

test('a withdrawn question is in the draft or still queued, even if the store rejects a write', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const id = setup.begin(agent)
  const turn = await setup.ask(id, 'Long thought about', { waits: true })
  const { saveDraft } = setup.store.chats
  setup.store.chats.saveDraft = full
  await expect(setup.chats.unqueue(turn.question.id)).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(setup.store.chats.message(turn.question.id)).toMatchObject({
    text: 'Long thought about',
    state: 'waiting',
  })
  setup.store.chats.saveDraft = saveDraft
  expect(await setup.chats.unqueue(turn.question.id)).toMatchObject({
    draft: { text: 'Long thought about' },
  })
})

test('editing an unsent question keeps the old text until the new one is saved', async () => {
  const setup = await chatSetup()
  setup.server.queue(begun('Half'))
  const id = setup.begin(agent)
  await setup.ask(id, '1?')
  const second = await setup.ask(id, 'Old words')
  const { add } = setup.store.chats
  setup.store.chats.add = full
  await expect(edit(setup, second.question.id, 'New words')).rejects.toMatchObject({
    code: 'DISK_FULL',
  })
  expect(setup.store.chats.message(second.question.id)).toMatchObject({ text: 'Old words' })
  setup.store.chats.add = add
  await edit(setup, second.question.id, 'New words')
  expect(texts(setup, id)).toEqual(['1?', expect.any(String), 'New words'])
})

test('saves no part of a question whose answer cannot start; the page still has its text', async () => {
  const setup = await chatSetup()
  const { add } = setup.store.chats
  setup.store.chats.add = (message) => (message.role === 'assistant' ? full() : add(message))
  const id = setup.begin(agent)
  await expect(setup.ask(id, '1?')).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(texts(setup, id)).toEqual([])
  expect(setup.chats.get(id)).toMatchObject({ messages: 0, state: 'idle', title: '' })
})

test('withdraws a waiting question after a failed attempt; later questions stay queued', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])) })
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  const turn = await waitingAfterAttempt(setup, id, '2?')
  const behind = await setup.ask(id, '3?')
  // It does not overtake the one that is waiting.
  expect(behind.question.state).toBe('queued')
  const taken = await setup.chats.unqueue(turn.question.id)
  expect(taken.draft?.text).toBe('2?')
  expect(texts(setup, id)).toEqual(['1?', 'One', '3?'])
  expect(setup.chats.message(behind.question.id)).toMatchObject({
    parentId: first.answer?.id,
    state: 'queued',
  })
})

test('a waiting question can be edited and still waits', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  const turn = await waitingAfterAttempt(setup, id, 'Frist?')
  setup.trouble = offline
  const edited = await edit(setup, turn.question.id, 'First?')
  expect(edited.question).toMatchObject({ state: 'waiting', parentId: null })
  expect(texts(setup, id)).toEqual(['First?'])
})

test('the first question keeps its position before the others when edited', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const id = setup.begin(agent)
  const first = await setup.ask(id, '1?', { waits: true })
  await setup.ask(id, '2?')
  await setup.ask(id, '3?')
  await edit(setup, first.question.id, '1, better?')
  expect(texts(setup, id).filter((text) => text.endsWith('?'))).toEqual(['1, better?', '2?', '3?'])
})

test('a queued question waits for the network only if the user chose that', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])), delayMs: 200 }, rejected)
  await setup.ask(id, '1?')
  const second = await setup.ask(id, '2?')
  await eventually(() => expect(setup.messages.some(({ state }) => state === 'failed')).toBe(true))
  expect(setup.chats.message(second.question.id).state).toBe('done')

  const other = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])), delayMs: 200 }, rejected)
  await setup.ask(other, '1?')
  const waits = await setup.ask(other, '2?', { waits: true })
  await eventually(() => expect(setup.chats.message(waits.question.id).state).toBe('waiting'))
})

test('a waiting question keeps waiting after a failed manual send; a retry is not duplicated', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  const turn = await waitingAfterAttempt(setup, id, '1?')
  const behind = await setup.ask(id, '2?')
  const questionId = turn.question.id
  setup.server.queue(rejected)
  await setup.chats.send(questionId, setup.stream(), 'page')
  await eventually(() => expect(setup.chats.busy()).toBe(false))
  expect(setup.chats.message(questionId).state).toBe('waiting')
  const [attempt] = setup.store.chats.attempts(questionId)
  setup.server.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'])) })
  const again = await setup.chats.regenerate(attempt ?? '', setup.stream(), 'page')
  expect(again.answer?.siblings).toEqual([again.answer?.id])
  await eventually(() => expect(texts(setup, id)).toEqual(['1?', 'One', '2?', 'Two']))
  expect(setup.chats.message(behind.question.id).parentId).toBe(again.answer?.id)
})

test('sends waiting questions in order, each after the previous answer', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const id = setup.begin(agent)
  await setup.ask(id, '1?', { waits: true })
  const second = await setup.ask(id, '2?', { waits: true })
  expect(second.question.state).toBe('waiting')
  setup.trouble = null
  setup.server.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'])) })
  setup.chats.accountReady('account-1')
  await eventually(() => expect(texts(setup, id)).toEqual(['1?', 'One', '2?', 'Two']))
  expect(setup.server.requests).toHaveLength(2)
})

test('releasing a held question also releases those behind it', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue(begun('Half'))
  const first = await setup.ask(id, '1?')
  const second = await setup.ask(id, '2?')
  await setup.ask(id, '3?')
  await eventually(() => expect(setup.chats.message(first.answer?.id ?? '').text).toBe('Half'))
  await setup.chats.stop(first.answer?.id ?? '')
  setup.server.queue(
    { body: sse(agentAnswer(['Two'], 's2')) },
    { body: sse(agentAnswer(['Three'], 's2')) },
  )
  await setup.chats.send(second.question.id, setup.stream(), 'page')
  await eventually(() =>
    expect(texts(setup, id)).toEqual(['1?', 'Half', '2?', 'Two', '3?', 'Three']),
  )
})

test('regenerating an answer moves along only the queue behind it, in order', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])) }, begun('Half'))
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  const second = await setup.ask(id, '2?')
  await setup.ask(id, '3?')
  await setup.ask(id, '4?')
  await eventually(() => expect(setup.chats.message(second.answer?.id ?? '').text).toBe('Half'))
  // The running one: it is stopped, and the queue follows the new one.
  setup.server.queue(
    { body: sse(agentAnswer(['Two'], 's2')) },
    { body: sse(agentAnswer(['Three'], 's2')) },
    { body: sse(agentAnswer(['Four'], 's2')) },
  )
  await setup.chats.regenerate(second.answer?.id ?? '', setup.stream(), 'page')
  await eventually(() =>
    expect(texts(setup, id)).toEqual(['1?', 'One', '2?', 'Two', '3?', 'Three', '4?', 'Four']),
  )
  const parents = setup.store.chats.window(id, null, 50).messages
  for (const [at, message] of parents.entries())
    expect(message.parentId).toBe(parents[at - 1]?.id ?? null)
})

test('regenerating an earlier answer leaves a queue held elsewhere in place', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])) }, begun('Half'))
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  const second = await setup.ask(id, '2?')
  const third = await setup.ask(id, '3?')
  await eventually(() => expect(setup.chats.message(second.answer?.id ?? '').text).toBe('Half'))
  await setup.chats.stop(second.answer?.id ?? '')
  setup.server.queue({ body: sse(agentAnswer(['One, otherwise'], 's2')) })
  const again = await setup.chats.regenerate(first.answer?.id ?? '', setup.stream(), 'page')
  await setup.over(again.answer?.id ?? '')
  await eventually(() => expect(setup.chats.busy()).toBe(false))
  expect(texts(setup, id)).toEqual(['1?', 'One, otherwise'])
  expect(setup.chats.message(third.question.id)).toMatchObject({
    state: 'queued',
    parentId: second.answer?.id,
  })
  expect(setup.server.requests).toHaveLength(3)
})
