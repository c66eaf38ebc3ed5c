import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../../app/chat-setup.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import type { ScriptedReply } from '../../../../fixtures/scripted-server.ts'
import { documentSetup } from '../../documents/service/document-setup.ts'
import { chatSetup } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
const begun = (words: string): ScriptedReply => ({
  body: sse(agentAnswer([words]).slice(0, 2)),
  hang: true,
})

test('holds a question asked offline and sends it automatically when the network is back', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const id = setup.begin(agent)
  const turn = await setup.ask(id, 'Later?', { waits: true })
  expect(turn).toMatchObject({
    answer: null,
    question: { state: 'waiting' },
    conversation: { state: 'waiting' },
  })
  expect(setup.waiting.at(-1)).toBe(1)
  const behind = await setup.ask(id, 'And then?')
  expect(behind.question.state).toBe('queued')
  setup.server.queue({ body: sse(agentAnswer(['Now'])) }, { body: sse(agentAnswer(['Then'])) })
  setup.trouble = null
  setup.chats.accountReady('another account')
  setup.chats.accountReady('account-1')
  await eventually(() => expect(setup.messages.some(({ text }) => text === 'Then')).toBe(true))
  expect(setup.waiting.at(-1)).toBe(0)
  const { messages } = setup.store.chats.window(id, null, 50)
  expect(messages.map(({ text }) => text)).toEqual(['Later?', 'Now', 'And then?', 'Then'])
})

test('sends a waiting question immediately on request, or withdraws it', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const id = setup.begin(agent)
  const turn = await setup.ask(id, 'Now!', { waits: true })
  setup.server.queue({ body: sse(agentAnswer(['Yes'])) })
  const sent = await setup.chats.send(turn.question.id, setup.stream(), 'page')
  expect(await setup.over(sent.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'Yes' })
  const other = await setup.ask(id, 'Rather not', { waits: true })
  const taken = await setup.chats.unqueue(other.question.id)
  expect(taken).toMatchObject({
    leafId: sent.answer?.id,
    draft: { text: 'Rather not' },
    state: 'idle',
  })
})

test('runs one answer at a time per chat, but several chats in parallel', async () => {
  const setup = await chatSetup()
  setup.server.queue(begun('One'), begun('Other'))
  const first = setup.begin(agent)
  const second = setup.begin(agent)
  const one = await setup.ask(first, '1?')
  const other = await setup.ask(second, '2?')
  await eventually(() => expect(setup.server.requests).toHaveLength(2))
  const queued = await setup.ask(first, '3?')
  expect(queued.answer).toBeNull()
  expect(setup.chats.busy()).toBe(true)
  expect(setup.server.requests).toHaveLength(2)
  for (const turn of [one, other])
    expect(await setup.chats.stop(turn.answer?.id ?? '')).toMatchObject({ state: 'stopped' })
  // A stop is not a normal end: the question behind it is held.
  expect(setup.chats.message(queued.question.id).state).toBe('queued')
  expect(setup.chats.busy()).toBe(false)
})

test('stops an answer when its question is edited, without requesting another in parallel', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['First'])) }, begun('Half'), {
    body: sse(agentAnswer(['Better'], 's2')),
  })
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  const turn = await setup.ask(id, '2?')
  await eventually(() => expect(setup.chats.message(turn.answer?.id ?? '').text).toBe('Half'))
  await expect(
    setup.chats.regenerate(first.answer?.id ?? '', setup.stream(), 'page'),
  ).rejects.toMatchObject({
    code: 'REFUSED',
  })
  const edited = await setup.chats.edit(
    turn.question.id,
    { text: '2, better?', attachments: [], streamId: setup.stream(), waits: false },
    'page',
  )
  expect(setup.chats.message(turn.answer?.id ?? '')).toMatchObject({
    state: 'stopped',
    text: 'Half',
  })
  expect(await setup.over(edited.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: 'Better',
    resentTurns: 2,
  })
})

test('leaves the displayed branch unchanged when a question is sent automatically', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue(
    { body: sse(agentAnswer(['First'])) },
    { body: sse(agentAnswer(['Again'], 's2')) },
  )
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  const again = await setup.chats.regenerate(first.answer?.id ?? '', setup.stream(), 'page')
  await setup.over(again.answer?.id ?? '')
  setup.server.queue(
    { body: sse(agentAnswer(['Second'], 's2')), delayMs: 200 },
    { body: sse(agentAnswer(['Third'], 's2')) },
  )
  const second = await setup.ask(id, '2?')
  const third = await setup.ask(id, '3?')
  setup.chats.choose(first.answer?.id ?? '')
  await eventually(() => expect(setup.messages.some(({ text }) => text === 'Third')).toBe(true))
  expect(setup.chats.get(id).leafId).toBe(first.answer?.id)
  setup.chats.choose(second.question.id)
  const { messages } = setup.store.chats.window(id, null, 50)
  expect(messages.map(({ text }) => text)).toEqual(['1?', 'Again', '2?', 'Second', '3?', 'Third'])
  expect(messages[4]?.id).toBe(third.question.id)
})

test('holds events while the store fails; loses none and reports none before it is stored', async () => {
  const setup = await chatSetup()
  const real = setup.store.chats.appendEvents
  let full = true
  setup.store.chats.appendEvents = (...args) => {
    if (full) throw new AppError('DISK_FULL', 'full')
    real(...args)
  }
  setup.server.queue({ body: sse(agentAnswer(['All of ', 'it'])) })
  const streamId = setup.stream()
  const turn = await setup.ask(setup.begin(agent), '1?', { streamId })
  await eventually(() =>
    expect(setup.log.lines.some((line) => JSON.stringify(line).includes('DISK_FULL'))).toBe(true),
  )
  expect(setup.pushed(streamId)).toBe('')
  full = false
  expect(await setup.over(turn.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: 'All of it',
  })
  expect(setup.pushed(streamId)).toBe('All of it')
})

test('sends the documents and uploaded files of earlier questions again for a branch', async () => {
  const documents = await documentSetup()
  const itemId = await documents.document(2)
  const options = { pages: '', crops: false, layoutPictures: false }
  await documents.finish(documents.documents.parse({ id: itemId, options }).id)
  const setup = await chatSetup({ over: documents })
  const mediaId = await setup.keep('a.pdf', Buffer.from('%PDF-1.4 words'))
  setup.server.queue(
    { body: '{"id":"file-1","filename":"a.pdf","bytes":3,"purpose":"agent"}' },
    { body: assistantAnswer(['Read']) },
    { body: assistantAnswer(['More']) },
    { body: assistantAnswer(['More, otherwise']) },
  )
  const id = setup.begin(assistant)
  const first = await setup.ask(id, 'What?', {
    attachments: [
      { kind: 'document', itemId, title: 'Paper', pages: '' },
      { kind: 'file', mediaId, name: 'a.pdf', fileId: null },
    ],
  })
  await setup.over(first.answer?.id ?? '')
  const second = await setup.ask(id, 'And?')
  await setup.over(second.answer?.id ?? '')
  const body = (at: number): string => setup.server.requests[at]?.body.toString('utf8') ?? ''
  // The provider knows them from its session.
  expect(body(2)).not.toContain('page 1')
  expect(body(2)).not.toContain('file-1')
  const again = await setup.chats.regenerate(second.answer?.id ?? '', setup.stream(), 'page')
  expect(await setup.over(again.answer?.id ?? '')).toMatchObject({ state: 'done', resentTurns: 2 })
  expect(body(3)).toContain('# Paper')
  expect(body(3)).toContain('<!-- page 2 -->')
  expect(JSON.parse(body(3))).toMatchObject({ attachments: [{ file_id: 'file-1' }] })
  expect(setup.chats.message(second.question.id).attachments).toEqual([])
})

test('fetches source positions by two IDs and saves them unchanged with the message', async () => {
  const setup = await chatSetup()
  const data = {
    document_slices: [
      {
        document: { id: 'd1', name: 'a.pdf' },
        slice_info: [{ text: 'x', position: { x0: 1 } }],
        of: 'more',
      },
    ],
    has_old_document: false,
  }
  setup.server.queue(
    { body: sse(agentAnswer(['Found'])) },
    { body: JSON.stringify({ code: 200, message: 'ok', data, timestamp: 1 }) },
    { body: '{"code":404,"message":"no such node"}' },
  )
  const turn = await setup.ask(setup.begin(agent), 'Where?')
  const { id: messageId } = await setup.over(turn.answer?.id ?? '')
  const saved = await setup.chats.slices({ messageId, requestId: 'r1', nodeId: 'n1' })
  expect(saved.slices).toEqual([{ requestId: 'r1', nodeId: 'n1', at: expect.any(Number), data }])
  expect(JSON.parse(setup.server.requests[1]?.body.toString('utf8') ?? '{}')).toEqual({
    request_id: 'r1',
    node_id: 'n1',
  })
  await expect(
    setup.chats.slices({ messageId, requestId: 'r1', nodeId: 'n2' }),
  ).rejects.toBeInstanceOf(AppError)
  expect(setup.chats.message(messageId).slices).toHaveLength(1)
})

test('resuming affects neither running answers nor an open temporary chat', async () => {
  const purged: string[] = []
  const setup = await chatSetup({ deps: { purge: async (ids) => void purged.push(...ids) } })
  setup.chats.resume()
  const temporary = setup.chats.create({ settings: agent, temporary: true })
  setup.server.queue(begun('Half'))
  const turn = await setup.ask(temporary.id, '1?')
  const answerId = turn.answer?.id ?? ''
  await eventually(() => expect(setup.chats.message(answerId).text).toBe('Half'))
  // As after a repair of the library.
  setup.chats.resume()
  await setup.chats.regenerate('none', setup.stream(), 'page').catch(() => undefined)
  expect(setup.chats.message(answerId).state).toBe('running')
  expect(purged).toEqual([])
  await setup.chats.forget([temporary.id])
  expect(setup.chats.message(answerId)).toMatchObject({ state: 'stopped', text: 'Half' })
})

test('Stop ends an answer whose end the store rejected, preserving its stored part', async () => {
  const setup = await chatSetup()
  const { settle } = setup.store.chats
  setup.store.chats.settle = () => {
    throw new AppError('INTERNAL', 'no')
  }
  setup.server.queue({ body: sse(agentAnswer(['Kept'])) })
  const turn = await setup.ask(setup.begin(agent), '1?')
  const answerId = turn.answer?.id ?? ''
  await eventually(() => expect(setup.chats.busy()).toBe(false))
  expect(setup.chats.message(answerId).state).toBe('running')
  setup.store.chats.settle = settle
  expect(await setup.chats.stop(answerId)).toMatchObject({ state: 'broken', text: 'Kept' })
})

test('sends a question after a previously stopped answer, but holds one after a failed answer', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue(begun('Stopped'))
  const first = await setup.ask(id, '1?')
  const stoppedId = first.answer?.id ?? ''
  await eventually(() => expect(setup.chats.message(stoppedId).text).toBe('Stopped'))
  await setup.chats.stop(stoppedId)
  setup.server.queue({ body: sse(agentAnswer(['Again'], 's2')), delayMs: 300 })
  const again = await setup.chats.regenerate(stoppedId, setup.stream(), 'page')
  setup.chats.choose(stoppedId)
  setup.server.queue({ body: sse(agentAnswer(['Behind'], 's3')) })
  const behind = await setup.ask(id, '2?')
  expect(behind.question).toMatchObject({ state: 'queued', parentId: stoppedId })
  await setup.over(again.answer?.id ?? '')
  await eventually(() => expect(setup.messages.some(({ text }) => text === 'Behind')).toBe(true))
})
