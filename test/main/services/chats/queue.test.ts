import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { agent, agentAnswer, sse } from '../../app/chat-setup.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import type { ScriptedReply } from '../../../fixtures/scripted-server.ts'
import { chatExportWorker, type ChatSetup } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
const begun = (words: string): ScriptedReply => ({
  body: sse(agentAnswer([words]).slice(0, 2)),
  hang: true,
})
const rejected: ScriptedReply = { status: 401, body: '{"code":401,"message":"bad key"}' }
const full = (): never => {
  throw new AppError('DISK_FULL', 'full')
}

const edit = (desk: ChatSetup, messageId: string, text: string) =>
  desk.chats.edit(
    messageId,
    { text, attachments: [], streamId: desk.stream(), waits: false },
    'page',
  )
const texts = (desk: ChatSetup, id: string): readonly string[] =>
  desk.store.chats.window(id, null, 50).messages.map(({ text }) => text)

/** A question that waits, whose attempt the service refused for the key. */
async function waitingAfterAttempt(desk: ChatSetup, id: string, text: string) {
  desk.server.queue(rejected)
  const asked = await desk.ask(id, text, { waits: true })
  await eventually(() => expect(desk.chats.message(asked.question.id).state).toBe('waiting'))
  return asked
}

test('what is taken back is in the draft or still in the queue, whatever the store refuses', async () => {
  const desk = await chatExportWorker()
  desk.trouble = offline
  const id = desk.begin(agent)
  const asked = await desk.ask(id, 'Long thought about', { waits: true })
  const { saveDraft } = desk.store.chats
  desk.store.chats.saveDraft = full
  await expect(desk.chats.unqueue(asked.question.id)).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(desk.store.chats.message(asked.question.id)).toMatchObject({
    text: 'Long thought about',
    state: 'waiting',
  })
  desk.store.chats.saveDraft = saveDraft
  expect(await desk.chats.unqueue(asked.question.id)).toMatchObject({
    draft: { text: 'Long thought about' },
  })
})

test('editing what was not sent keeps the old words until the new ones are kept', async () => {
  const desk = await chatExportWorker()
  desk.server.queue(begun('Half'))
  const id = desk.begin(agent)
  await desk.ask(id, '1?')
  const second = await desk.ask(id, 'Old words')
  const { add } = desk.store.chats
  desk.store.chats.add = full
  await expect(edit(desk, second.question.id, 'New words')).rejects.toMatchObject({
    code: 'DISK_FULL',
  })
  expect(desk.store.chats.message(second.question.id)).toMatchObject({ text: 'Old words' })
  desk.store.chats.add = add
  await edit(desk, second.question.id, 'New words')
  expect(texts(desk, id)).toEqual(['1?', expect.any(String), 'New words'])
})

test('a question whose answer cannot be begun is not kept half: the page has its words still', async () => {
  const desk = await chatExportWorker()
  const { add } = desk.store.chats
  desk.store.chats.add = (message) => (message.role === 'assistant' ? full() : add(message))
  const id = desk.begin(agent)
  await expect(desk.ask(id, '1?')).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(texts(desk, id)).toEqual([])
  expect(desk.chats.get(id)).toMatchObject({ messages: 0, state: 'idle', title: '' })
})

test('a question that waits can be taken back though an attempt failed; what was asked behind it stays', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['One'])) })
  const first = await desk.ask(id, '1?')
  await desk.over(first.answer?.id ?? '')
  const asked = await waitingAfterAttempt(desk, id, '2?')
  const behind = await desk.ask(id, '3?')
  // It does not overtake the one that waits.
  expect(behind.question.state).toBe('queued')
  const taken = await desk.chats.unqueue(asked.question.id)
  expect(taken.draft?.text).toBe('2?')
  expect(texts(desk, id)).toEqual(['1?', 'One', '3?'])
  expect(desk.chats.message(behind.question.id)).toMatchObject({
    parentId: first.answer?.id,
    state: 'queued',
  })
})

test('a question that waits can be put in other words, and still waits', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  const asked = await waitingAfterAttempt(desk, id, 'Frist?')
  desk.trouble = offline
  const edited = await edit(desk, asked.question.id, 'First?')
  expect(edited.question).toMatchObject({ state: 'waiting', parentId: null })
  expect(texts(desk, id)).toEqual(['First?'])
})

test('the first question put in other words stays before those behind it', async () => {
  const desk = await chatExportWorker()
  desk.trouble = offline
  const id = desk.begin(agent)
  const first = await desk.ask(id, '1?', { waits: true })
  await desk.ask(id, '2?')
  await desk.ask(id, '3?')
  await edit(desk, first.question.id, '1, better?')
  expect(texts(desk, id).filter((text) => text.endsWith('?'))).toEqual(['1, better?', '2?', '3?'])
})

test('a queued question waits for the network only if the reader said so', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['One'])), delayMs: 200 }, rejected)
  await desk.ask(id, '1?')
  const second = await desk.ask(id, '2?')
  await eventually(() => expect(desk.messages.some(({ state }) => state === 'failed')).toBe(true))
  expect(desk.chats.message(second.question.id).state).toBe('done')

  const other = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['One'])), delayMs: 200 }, rejected)
  await desk.ask(other, '1?')
  const waits = await desk.ask(other, '2?', { waits: true })
  await eventually(() => expect(desk.chats.message(waits.question.id).state).toBe('waiting'))
})

test('a question that waits and is sent by hand in vain waits on; asking again makes no second attempt beside the first', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  const asked = await waitingAfterAttempt(desk, id, '1?')
  const behind = await desk.ask(id, '2?')
  const questionId = asked.question.id
  desk.server.queue(rejected)
  await desk.chats.send(questionId, desk.stream(), 'page')
  await eventually(() => expect(desk.chats.busy()).toBe(false))
  expect(desk.chats.message(questionId).state).toBe('waiting')
  const [attempt] = desk.store.chats.attempts(questionId)
  desk.server.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'])) })
  const again = await desk.chats.regenerate(attempt ?? '', desk.stream(), 'page')
  expect(again.answer?.siblings).toEqual([again.answer?.id])
  await eventually(() => expect(texts(desk, id)).toEqual(['1?', 'One', '2?', 'Two']))
  expect(desk.chats.message(behind.question.id).parentId).toBe(again.answer?.id)
})

test('questions that wait go in their order, each behind the answer before it', async () => {
  const desk = await chatExportWorker()
  desk.trouble = offline
  const id = desk.begin(agent)
  await desk.ask(id, '1?', { waits: true })
  const second = await desk.ask(id, '2?', { waits: true })
  expect(second.question.state).toBe('waiting')
  desk.trouble = null
  desk.server.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'])) })
  desk.chats.accountReady('account-1')
  await eventually(() => expect(texts(desk, id)).toEqual(['1?', 'One', '2?', 'Two']))
  expect(desk.server.requests).toHaveLength(2)
})

test('the words of the reader that a held question may go are words about those behind it too', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue(begun('Half'))
  const first = await desk.ask(id, '1?')
  const second = await desk.ask(id, '2?')
  await desk.ask(id, '3?')
  await eventually(() => expect(desk.chats.message(first.answer?.id ?? '').text).toBe('Half'))
  await desk.chats.stop(first.answer?.id ?? '')
  desk.server.queue(
    { body: sse(agentAnswer(['Two'], 's2')) },
    { body: sse(agentAnswer(['Three'], 's2')) },
  )
  await desk.chats.send(second.question.id, desk.stream(), 'page')
  await eventually(() =>
    expect(texts(desk, id)).toEqual(['1?', 'Half', '2?', 'Two', '3?', 'Three']),
  )
})

test('an answer asked for again takes its queue along, in order, and only what stands behind it', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['One'])) }, begun('Half'))
  const first = await desk.ask(id, '1?')
  await desk.over(first.answer?.id ?? '')
  const second = await desk.ask(id, '2?')
  await desk.ask(id, '3?')
  await desk.ask(id, '4?')
  await eventually(() => expect(desk.chats.message(second.answer?.id ?? '').text).toBe('Half'))
  // Of the one that runs: it is stopped, and the queue follows the new one.
  desk.server.queue(
    { body: sse(agentAnswer(['Two'], 's2')) },
    { body: sse(agentAnswer(['Three'], 's2')) },
    { body: sse(agentAnswer(['Four'], 's2')) },
  )
  await desk.chats.regenerate(second.answer?.id ?? '', desk.stream(), 'page')
  await eventually(() =>
    expect(texts(desk, id)).toEqual(['1?', 'One', '2?', 'Two', '3?', 'Three', '4?', 'Four']),
  )
  const parents = desk.store.chats.window(id, null, 50).messages
  for (const [at, message] of parents.entries())
    expect(message.parentId).toBe(parents[at - 1]?.id ?? null)
})

test('a page can ask an earlier answer again while a queue is held elsewhere: that queue stays where it is', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['One'])) }, begun('Half'))
  const first = await desk.ask(id, '1?')
  await desk.over(first.answer?.id ?? '')
  const second = await desk.ask(id, '2?')
  const third = await desk.ask(id, '3?')
  await eventually(() => expect(desk.chats.message(second.answer?.id ?? '').text).toBe('Half'))
  await desk.chats.stop(second.answer?.id ?? '')
  desk.server.queue({ body: sse(agentAnswer(['One, otherwise'], 's2')) })
  const again = await desk.chats.regenerate(first.answer?.id ?? '', desk.stream(), 'page')
  await desk.over(again.answer?.id ?? '')
  await eventually(() => expect(desk.chats.busy()).toBe(false))
  expect(texts(desk, id)).toEqual(['1?', 'One, otherwise'])
  expect(desk.chats.message(third.question.id)).toMatchObject({
    state: 'queued',
    parentId: second.answer?.id,
  })
  expect(desk.server.requests).toHaveLength(3)
})
