import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import type { ChatDraft } from '../../../../src/shared/model/chat.ts'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../app/chat-setup.ts'
import { presets } from '../../../../src/shared/service/profiles.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import type { ScriptedReply } from '../../../fixtures/scripted-server.ts'
import { chatExportWorker } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
const begun = (words: string): ScriptedReply => ({
  body: sse(agentAnswer([words]).slice(0, 2)),
  hang: true,
})
const rejected: ScriptedReply = { status: 401, body: '{"code":401,"message":"bad key"}' }

test('a question that always fails is tried a few times with growing pauses, then its failure stands', async () => {
  const pauses: number[] = []
  const due: (() => void)[] = []
  const desk = await chatExportWorker({
    deps: {
      after(ms, work) {
        pauses.push(ms)
        due.push(work)
        return () => undefined
      },
    },
  })
  desk.server.always({ dropped: true })
  const id = desk.begin(agent)
  const asked = await desk.ask(id, '1?', { waits: true })
  const questionId = asked.question.id
  const sent = (): number => desk.messages.filter(({ state }) => state === 'failed').length
  let tries = 1
  for (; tries < 50; tries++) {
    await eventually(() => expect(sent()).toBe(tries))
    await eventually(() => expect(desk.chats.busy()).toBe(false))
    if (desk.chats.message(questionId).state !== 'waiting') break
    // The network seems to be back again and again: that alone does not send it sooner.
    for (let n = 0; n < 5; n++) desk.chats.accountReady('account-1')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(sent()).toBe(tries)
    due.at(-1)?.()
  }
  expect(tries).toBeGreaterThan(3)
  expect(tries).toBeLessThan(12)
  expect(pauses.length).toBe(tries - 1)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(pauses.at(-1)).toBeGreaterThan(60_000)
  expect(desk.waiting.at(-1)).toBe(0)
  // It can be sent by hand.
  desk.server.queue({ body: sse(agentAnswer(['At last'])) })
  const again = await desk.chats.send(questionId, desk.stream(), 'page')
  expect(await desk.over(again.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'At last' })
})

test('an account that is not ready is asked nothing, and one question that cannot go holds no other', async () => {
  const desk = await chatExportWorker()
  desk.trouble = offline
  const ids = [desk.begin(agent), desk.begin(agent), desk.begin(agent)]
  for (const id of ids) await desk.ask(id, `About ${id}`, { waits: true })
  desk.chats.accountReady('account-1')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(desk.server.requests).toHaveLength(0)

  desk.trouble = null
  const { add } = desk.store.chats
  desk.store.chats.add = (message) => {
    if (message.conversationId === ids[0]) throw new AppError('INTERNAL', 'no')
    return add(message)
  }
  desk.server.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'])) })
  desk.chats.accountReady('account-1')
  await eventually(() => expect(desk.server.requests).toHaveLength(2))
  await eventually(() => expect(desk.chats.busy()).toBe(false))
  expect(desk.chats.get(ids[0] ?? '').state).toBe('waiting')
  expect(desk.chats.get(ids[1] ?? '').state).toBe('idle')
})

test('a queue that a full disk held up goes on when there is room', async () => {
  const due: (() => void)[] = []
  const desk = await chatExportWorker({
    deps: {
      after(_, work) {
        due.push(work)
        return () => undefined
      },
    },
  })
  const id = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['One'])), delayMs: 100 })
  await desk.ask(id, '1?')
  const second = await desk.ask(id, '2?')
  const { add } = desk.store.chats
  desk.store.chats.add = () => {
    throw new AppError('DISK_FULL', 'full')
  }
  await eventually(() => expect(due).toHaveLength(1))
  expect(desk.chats.message(second.question.id).state).toBe('queued')
  desk.store.chats.add = add
  desk.server.queue({ body: sse(agentAnswer(['Two'])) })
  due[0]?.()
  await eventually(() => expect(desk.messages.some(({ text }) => text === 'Two')).toBe(true))
})

test('what waits for an account that is not the active one is tried at the start: nobody says when that one is ready', async () => {
  const first = await chatExportWorker()
  first.store.accounts.put({
    id: 'account-2',
    preset: 'custom',
    name: 'Other',
    profile: presets.bigmodel,
    createdAt: 2,
  })
  first.trouble = offline
  const active = first.begin(agent)
  const other = first.begin(agent)
  first.chats.configure({ id: other, settings: agent, accountId: 'account-2' })
  for (const id of [active, other]) await first.ask(id, '1?', { waits: true })
  const again = await chatExportWorker({ over: first })
  again.server.queue({ body: sse(agentAnswer(['Yes'])) })
  again.chats.resume()
  await eventually(() => expect(again.chats.get(other).state).toBe('idle'))
  expect(again.chats.get(active).state).toBe('waiting')
})

test('what waits in a conversation that goes to the bin is not counted, and comes back with it', async () => {
  const desk = await chatExportWorker()
  desk.trouble = offline
  const id = desk.begin(agent)
  await desk.ask(id, '1?', { waits: true })
  expect(desk.waiting.at(-1)).toBe(1)
  await desk.chats.forget([id])
  desk.store.items.remove([id], 5)
  desk.chats.changed([id])
  expect(desk.waiting.at(-1)).toBe(0)
  desk.trouble = null
  desk.server.queue({ body: sse(agentAnswer(['Yes'])) })
  desk.store.items.restore([id], 6)
  desk.chats.changed([id])
  await eventually(() => expect(desk.chats.get(id).state).toBe('idle'))
  expect(desk.server.requests).toHaveLength(1)
})

test('a conversation can be deleted while its answer cannot be kept', async () => {
  const desk = await chatExportWorker()
  desk.server.queue(begun('Half'))
  const id = desk.begin(agent)
  const asked = await desk.ask(id, '1?')
  await eventually(() => expect(desk.chats.message(asked.answer?.id ?? '').text).toBe('Half'))
  const { settle } = desk.store.chats
  desk.store.chats.settle = () => {
    throw new AppError('DISK_FULL', 'full')
  }
  await desk.chats.forget([id])
  expect(desk.chats.busy()).toBe(false)
  // Into the bin only: what was stored of it is ended by Stop.
  desk.store.chats.settle = settle
  expect(await desk.chats.stop(asked.answer?.id ?? '')).toMatchObject({
    state: 'broken',
    text: 'Half',
  })
}, 20_000)

test('nothing begins in a conversation while it is about to go', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  desk.server.queue({ body: sse(agentAnswer(['One'])) }, begun('Half'))
  const first = await desk.ask(id, '1?')
  await desk.over(first.answer?.id ?? '')
  const second = await desk.ask(id, '2?')
  await eventually(() => expect(desk.chats.message(second.answer?.id ?? '').text).toBe('Half'))
  const gone = desk.chats.forget([id])
  // On a branch of its own: it waits for no good end.
  const edited = await desk.chats.edit(
    first.question.id,
    { text: '1, better?', attachments: [], streamId: desk.stream(), waits: false },
    'page',
  )
  expect(edited.question.state).toBe('queued')
  const late = await desk.ask(id, 'Late?')
  expect(late).toMatchObject({ answer: null, question: { state: 'queued' } })
  await gone
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(desk.server.requests).toHaveLength(2)
  expect(desk.chats.busy()).toBe(false)
  // Where it was not taken away in the end, what was kept can be sent.
  desk.server.queue({ body: sse(agentAnswer(['Better'], 's2')) })
  const sent = await desk.chats.send(edited.question.id, desk.stream(), 'page')
  expect(await desk.over(sent.answer?.id ?? '')).toMatchObject({ text: 'Better' })
})

test('an answer of which only the row says that it runs is ended before it is asked for again', async () => {
  const desk = await chatExportWorker()
  const { settle } = desk.store.chats
  desk.store.chats.settle = () => {
    throw new AppError('INTERNAL', 'no')
  }
  desk.server.queue({ body: sse(agentAnswer(['Kept'])) }, { body: sse(agentAnswer(['New'], 's2')) })
  const asked = await desk.ask(desk.begin(agent), '1?')
  const leftId = asked.answer?.id ?? ''
  await eventually(() => expect(desk.chats.busy()).toBe(false))
  desk.store.chats.settle = settle
  const again = await desk.chats.regenerate(leftId, desk.stream(), 'page')
  expect(await desk.over(again.answer?.id ?? '')).toMatchObject({ text: 'New' })
  expect(desk.chats.message(leftId)).toMatchObject({ state: 'broken', text: 'Kept' })
  expect(desk.chats.get(again.conversation.id).state).toBe('idle')
})

test('while Lectern closes nothing is sent any more; what is asked is kept', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(agent)
  const waits = desk.begin(agent)
  desk.trouble = offline
  await desk.ask(waits, 'Later?', { waits: true })
  desk.trouble = null
  const closed = desk.chats.shutdown()
  desk.chats.accountReady('account-1')
  const asked = await desk.ask(id, 'Last words')
  expect(asked).toMatchObject({ answer: null, question: { state: 'queued', text: 'Last words' } })
  await expect(desk.chats.send(asked.question.id, desk.stream(), 'page')).rejects.toBeInstanceOf(
    AppError,
  )
  await closed
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(desk.server.requests).toHaveLength(0)
  expect(desk.chats.busy()).toBe(false)
  expect(desk.chats.message(asked.question.id).state).toBe('queued')
})

test('an attempt that brought nothing leaves nothing of itself in the next one', async () => {
  const desk = await chatExportWorker()
  const id = desk.begin(assistant)
  const [opened = ''] = assistantAnswer(['']).split('\n\n')
  const cut = `${opened.replace('"content":""', '"content":null')}\n\n`
  desk.server.queue({ body: cut, cutAfter: Buffer.byteLength(cut) })
  const asked = await desk.ask(id, '1?')
  const failed = await desk.over(asked.answer?.id ?? '')
  expect(failed).toMatchObject({ state: 'failed', text: '', steps: [] })
  desk.chats.configure({ id, settings: agent })
  desk.server.queue(begun('New words'))
  const streamId = desk.stream()
  const sent = await desk.chats.send(asked.question.id, streamId, 'page')
  expect(sent.answer).toMatchObject({
    state: 'running',
    nextEvent: 0,
    error: null,
    endedAt: null,
    requestId: null,
    settings: agent,
    streamId,
  })
  await eventually(() => expect(desk.pushed(streamId)).toBe('New words'))
  expect(desk.chats.message(sent.answer?.id ?? '').text).toBe('New words')
  await desk.chats.stop(sent.answer?.id ?? '')
})

test('a draft that is kept is told, so that another page has it too', async () => {
  const told: (ChatDraft | null)[] = []
  const desk = await chatExportWorker({
    deps: { onConversation: ({ draft }) => void told.push(draft) },
  })
  const id = desk.begin(agent)
  desk.chats.saveDraft({ id, draft: { text: 'Half a thought', attachments: [] } })
  expect(told.at(-1)).toEqual({ text: 'Half a thought', attachments: [] })
  desk.chats.saveDraft({ id, draft: null })
  expect(told.at(-1)).toBeNull()
})

test('a failure that cannot be noted leaves a conversation that is told, and a question that can be sent', async () => {
  const told: string[] = []
  const desk = await chatExportWorker({
    deps: { onConversation: ({ state }) => void told.push(state) },
  })
  const { setState } = desk.store.chats
  desk.store.chats.setState = (id, change) => {
    if (change.state === 'waiting') throw new AppError('DISK_FULL', 'full')
    return setState(id, change)
  }
  desk.server.queue(rejected)
  const asked = await desk.ask(desk.begin(agent), '1?', { waits: true })
  await desk.over(asked.answer?.id ?? '')
  await eventually(() => expect(told.at(-1)).toBe('idle'))
  desk.server.queue({ body: sse(agentAnswer(['Yes'])) })
  const sent = await desk.chats.send(asked.question.id, desk.stream(), 'page')
  expect(await desk.over(sent.answer?.id ?? '')).toMatchObject({ text: 'Yes' })
})

test('a question that rests after its tries is asked at once when its chat is given to another account', async () => {
  const desk = await chatExportWorker({ deps: { after: () => () => undefined } })
  desk.store.accounts.put({
    id: 'account-2',
    preset: 'custom',
    name: 'Other',
    profile: presets.bigmodel,
    createdAt: 2,
  })
  // However often the connection is tried again.
  desk.server.always({ dropped: true })
  const id = desk.begin(assistant)
  const asked = await desk.ask(id, '1?', { waits: true })
  await eventually(() => expect(desk.chats.message(asked.question.id).state).toBe('waiting'))
  await eventually(() => expect(desk.chats.busy()).toBe(false))
  desk.server.always({ body: assistantAnswer(['At last']) })
  desk.chats.configure({ id, settings: assistant, accountId: 'account-2' })
  await eventually(() => {
    expect(desk.chats.message(asked.question.id).state).toBe('done')
    expect(desk.waiting.at(-1)).toBe(0)
  })
})
