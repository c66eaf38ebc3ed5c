import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../app/chat-setup.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import type { ScriptedReply } from '../../../fixtures/scripted-server.ts'
import { documentExportWorker } from '../documents/document-setup.ts'
import { chatExportWorker } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
const begun = (words: string): ScriptedReply => ({
  body: sse(agentAnswer([words]).slice(0, 2)),
  hang: true,
})

test('a question asked without a network waits, and goes by itself when it is back', async () => {
  const desk = await chatExportWorker()
  desk.trouble = offline
  const id = desk.begin(agent)
  const asked = await desk.ask(id, 'Later?', { waits: true })
  expect(asked).toMatchObject({
    answer: null,
    question: { state: 'waiting' },
    conversation: { state: 'waiting' },
  })
  expect(desk.waiting.at(-1)).toBe(1)
  const behind = await desk.ask(id, 'And then?')
  expect(behind.question.state).toBe('queued')
  desk.server.queue({ body: sse(agentAnswer(['Now'])) }, { body: sse(agentAnswer(['Then'])) })
  desk.trouble = null
  desk.chats.accountReady('another account')
  desk.chats.accountReady('account-1')
  await eventually(() => expect(desk.messages.some(({ text }) => text === 'Then')).toBe(true))
  expect(desk.waiting.at(-1)).toBe(0)
  const { messages } = desk.store.chats.window(id, null, 50)
  expect(messages.map(({ text }) => text)).toEqual(['Later?', 'Now', 'And then?', 'Then'])
})

test('a waiting question can be sent at once, and taken back', async () => {
  const desk = await chatExportWorker()
  desk.trouble = offline
  const id = desk.begin(agent)
  const asked = await desk.ask(id, 'Now!', { waits: true })
  desk.server.queue({ body: sse(agentAnswer(['Yes'])) })
  const sent = await desk.chats.send(asked.question.id, desk.stream(), 'page')
  expect(await desk.over(sent.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'Yes' })
  const other = await desk.ask(id, 'Rather not', { waits: true })
  const taken = await desk.chats.unqueue(other.question.id)
  expect(taken).toMatchObject({
    leafId: sent.answer?.id,
    draft: { text: 'Rather not' },
    state: 'idle',
  })
})

test('one answer at a time in a conversation, several conversations at once', async () => {
  const desk = await chatExportWorker()
  desk.server.queue(begun('One'), begun('Other'))
  const first = desk.begin(agent)
  const second = desk.begin(agent)
  const one = await desk.ask(first, '1?')
  const other = await desk.ask(second, '2?')
  await eventually(() => expect(desk.server.requests).toHaveLength(2))
  const queued = await desk.ask(first, '3?')
  expect(queued.answer).toBeNull()
  expect(desk.chats.busy()).toBe(true)
  expect(desk.server.requests).toHaveLength(2)
  for (const asked of [one, other])
    expect(await desk.chats.stop(asked.answer?.id ?? '')).toMatchObject({ state: 'stopped' })
  // A stop is no good end: the question behind is held.
  expect(desk.chats.message(queued.question.id).state).toBe('queued')
  expect(desk.chats.busy()).toBe(false)
})

test('editing the question that is being answered stops that answer; another one is not asked for beside it', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['First'])) }, begun('Half'), {
    body: sse(agentAnswer(['Better'], 's2')),
  })
  const first = await desk.ask(id, '1?')
  await desk.over(first.answer?.id ?? '')
  const asked = await desk.ask(id, '2?')
  await eventually(() => expect(desk.chats.message(asked.answer?.id ?? '').text).toBe('Half'))
  await expect(
    desk.chats.regenerate(first.answer?.id ?? '', desk.stream(), 'page'),
  ).rejects.toMatchObject({
    code: 'REFUSED',
  })
  const edited = await desk.chats.edit(
    asked.question.id,
    { text: '2, better?', attachments: [], streamId: desk.stream(), waits: false },
    'page',
  )
  expect(desk.chats.message(asked.answer?.id ?? '')).toMatchObject({
    state: 'stopped',
    text: 'Half',
  })
  expect(await desk.over(edited.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: 'Better',
    retold: 2,
  })
})

test('what goes by itself leaves the branch that is looked at', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue(
    { body: sse(agentAnswer(['First'])) },
    { body: sse(agentAnswer(['Again'], 's2')) },
  )
  const first = await desk.ask(id, '1?')
  await desk.over(first.answer?.id ?? '')
  const again = await desk.chats.regenerate(first.answer?.id ?? '', desk.stream(), 'page')
  await desk.over(again.answer?.id ?? '')
  desk.server.queue(
    { body: sse(agentAnswer(['Second'], 's2')), delayMs: 200 },
    { body: sse(agentAnswer(['Third'], 's2')) },
  )
  const second = await desk.ask(id, '2?')
  const third = await desk.ask(id, '3?')
  desk.chats.choose(first.answer?.id ?? '')
  await eventually(() => expect(desk.messages.some(({ text }) => text === 'Third')).toBe(true))
  expect(desk.chats.get(id).leafId).toBe(first.answer?.id)
  desk.chats.choose(second.question.id)
  const { messages } = desk.store.chats.window(id, null, 50)
  expect(messages.map(({ text }) => text)).toEqual(['1?', 'Again', '2?', 'Second', '3?', 'Third'])
  expect(messages[4]?.id).toBe(third.question.id)
})

test('a store in trouble makes what comes wait; nothing is lost, nothing is told before it is kept', async () => {
  const desk = await chatExportWorker()
  const real = desk.store.chats.appendEvents
  let full = true
  desk.store.chats.appendEvents = (...args) => {
    if (full) throw new AppError('DISK_FULL', 'full')
    real(...args)
  }
  desk.server.queue({ body: sse(agentAnswer(['All of ', 'it'])) })
  const streamId = desk.stream()
  const asked = await desk.ask(desk.begin(agent), '1?', { streamId })
  await eventually(() =>
    expect(desk.log.lines.some((line) => JSON.stringify(line).includes('DISK_FULL'))).toBe(true),
  )
  expect(desk.pushed(streamId)).toBe('')
  full = false
  expect(await desk.over(asked.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: 'All of it',
  })
  expect(desk.pushed(streamId)).toBe('All of it')
})

test('a branch is told what went with the earlier questions again: documents, and files that were uploaded', async () => {
  const documents = await documentExportWorker()
  const itemId = await documents.document(2)
  const options = { pages: '', crops: false, layoutPictures: false }
  await documents.finish(documents.documents.parse({ id: itemId, options }).id)
  const desk = await chatExportWorker({ over: documents })
  const mediaId = await desk.keep('a.pdf', Buffer.from('%PDF-1.4 words'))
  desk.server.queue(
    { body: '{"id":"file-1","filename":"a.pdf","bytes":3,"purpose":"agent"}' },
    { body: assistantAnswer(['Read']) },
    { body: assistantAnswer(['More']) },
    { body: assistantAnswer(['More, otherwise']) },
  )
  const id = desk.begin(assistant)
  const first = await desk.ask(id, 'What?', {
    attachments: [
      { kind: 'document', itemId, title: 'Paper', pages: '' },
      { kind: 'file', mediaId, name: 'a.pdf', fileId: null },
    ],
  })
  await desk.over(first.answer?.id ?? '')
  const second = await desk.ask(id, 'And?')
  await desk.over(second.answer?.id ?? '')
  const body = (at: number): string => desk.server.requests[at]?.body.toString('utf8') ?? ''
  // In its session the service knows them.
  expect(body(2)).not.toContain('page 1')
  expect(body(2)).not.toContain('file-1')
  const again = await desk.chats.regenerate(second.answer?.id ?? '', desk.stream(), 'page')
  expect(await desk.over(again.answer?.id ?? '')).toMatchObject({ state: 'done', retold: 2 })
  expect(body(3)).toContain('# Paper')
  expect(body(3)).toContain('<!-- page 2 -->')
  expect(JSON.parse(body(3))).toMatchObject({ attachments: [{ file_id: 'file-1' }] })
  expect(desk.chats.message(second.question.id).attachments).toEqual([])
})

test('where sources lie by two ids is fetched and kept with the message, as it came', async () => {
  const desk = await chatExportWorker()
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
  desk.server.queue(
    { body: sse(agentAnswer(['Found'])) },
    { body: JSON.stringify({ code: 200, message: 'ok', data, timestamp: 1 }) },
    { body: '{"code":404,"message":"no such node"}' },
  )
  const asked = await desk.ask(desk.begin(agent), 'Where?')
  const { id: messageId } = await desk.over(asked.answer?.id ?? '')
  const kept = await desk.chats.slices({ messageId, requestId: 'r1', nodeId: 'n1' })
  expect(kept.slices).toEqual([{ requestId: 'r1', nodeId: 'n1', at: expect.any(Number), data }])
  expect(JSON.parse(desk.server.requests[1]?.body.toString('utf8') ?? '{}')).toEqual({
    request_id: 'r1',
    node_id: 'n1',
  })
  await expect(
    desk.chats.slices({ messageId, requestId: 'r1', nodeId: 'n2' }),
  ).rejects.toBeInstanceOf(AppError)
  expect(desk.chats.message(messageId).slices).toHaveLength(1)
})

test('taking up what was left does not touch what runs, nor a temporary conversation that is open', async () => {
  const purged: string[] = []
  const desk = await chatExportWorker({ deps: { purge: async (ids) => void purged.push(...ids) } })
  desk.chats.resume()
  const temporary = desk.chats.create({ settings: agent, temporary: true })
  desk.server.queue(begun('Half'))
  const asked = await desk.ask(temporary.id, '1?')
  const answerId = asked.answer?.id ?? ''
  await eventually(() => expect(desk.chats.message(answerId).text).toBe('Half'))
  // As after the library was mended.
  desk.chats.resume()
  await desk.chats.regenerate('none', desk.stream(), 'page').catch(() => undefined)
  expect(desk.chats.message(answerId).state).toBe('running')
  expect(purged).toEqual([])
  await desk.chats.forget([temporary.id])
  expect(desk.chats.message(answerId)).toMatchObject({ state: 'stopped', text: 'Half' })
})

test('an answer whose end the store refused for good is ended by Stop, with what is stored of it', async () => {
  const desk = await chatExportWorker()
  const { settle } = desk.store.chats
  desk.store.chats.settle = () => {
    throw new AppError('INTERNAL', 'no')
  }
  desk.server.queue({ body: sse(agentAnswer(['Kept'])) })
  const asked = await desk.ask(desk.begin(agent), '1?')
  const answerId = asked.answer?.id ?? ''
  await eventually(() => expect(desk.chats.busy()).toBe(false))
  expect(desk.chats.message(answerId).state).toBe('running')
  desk.store.chats.settle = settle
  expect(await desk.chats.stop(answerId)).toMatchObject({ state: 'broken', text: 'Kept' })
})

test('a question after an answer that was stopped before goes in its turn; one behind an answer that ends badly is held', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue(begun('Stopped'))
  const first = await desk.ask(id, '1?')
  const stoppedId = first.answer?.id ?? ''
  await eventually(() => expect(desk.chats.message(stoppedId).text).toBe('Stopped'))
  await desk.chats.stop(stoppedId)
  desk.server.queue({ body: sse(agentAnswer(['Again'], 's2')), delayMs: 300 })
  const again = await desk.chats.regenerate(stoppedId, desk.stream(), 'page')
  desk.chats.choose(stoppedId)
  desk.server.queue({ body: sse(agentAnswer(['Behind'], 's3')) })
  const behind = await desk.ask(id, '2?')
  expect(behind.question).toMatchObject({ state: 'queued', parentId: stoppedId })
  await desk.over(again.answer?.id ?? '')
  await eventually(() => expect(desk.messages.some(({ text }) => text === 'Behind')).toBe(true))
})
