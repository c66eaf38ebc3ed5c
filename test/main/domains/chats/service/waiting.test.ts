import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import type { ChatDraft } from '../../../../../src/shared/model/chat.ts'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../../app/chat-setup.ts'
import { presets } from '../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import type { ScriptedReply } from '../../../../fixtures/scripted-server.ts'
import { chatSetup, type ChatSetup } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
const begun = (words: string): ScriptedReply => ({
  body: sse(agentAnswer([words]).slice(0, 2)),
  hang: true,
})
const rejected: ScriptedReply = { status: 401, body: '{"code":401,"message":"bad key"}' }

/** A clock and its one timer, whose time can be skipped. */
function skippableTime() {
  let skippedMs = 0
  let due: { readonly ms: number; readonly work: () => void } | null = null
  return {
    deps: {
      clock: () => Date.now() + skippedMs,
      after(ms: number, work: () => void) {
        const timer = { ms, work }
        due = timer
        return () => void (due = due === timer ? null : due)
      },
    },
    isPlanned: () => due !== null,
    /** Returns the skipped milliseconds. */
    skip(): number {
      const timer = due
      const ms = timer?.ms ?? 0
      skippedMs += ms
      // A timer that has fired is no longer planned.
      due = null
      timer?.work()
      return ms
    },
  }
}

test('retries a failing question a few times with growing pauses, then reports its failure', async () => {
  const pauses: number[] = []
  const time = skippableTime()
  const setup = await chatSetup({ deps: time.deps })
  setup.server.always({ dropped: true })
  const id = setup.begin(agent)
  const turn = await setup.ask(id, '1?', { waits: true })
  const questionId = turn.question.id
  const sent = (): number => setup.messages.filter(({ state }) => state === 'failed').length
  let tries = 1
  for (; tries < 50; tries++) {
    await eventually(() => expect(sent()).toBe(tries))
    await eventually(() => expect(setup.chats.busy()).toBe(false))
    if (setup.chats.message(questionId).state !== 'waiting') break
    // The network repeatedly appears to be back: that alone does not send it sooner.
    for (let n = 0; n < 5; n++) setup.chats.accountReady('account-1')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(sent()).toBe(tries)
    await eventually(() => expect(time.isPlanned()).toBe(true))
    pauses.push(time.skip())
  }
  expect(tries).toBeGreaterThan(3)
  expect(tries).toBeLessThan(12)
  expect(pauses.length).toBe(tries - 1)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(pauses.at(-1)).toBeGreaterThan(60_000)
  expect(setup.waiting.at(-1)).toBe(0)
  // It can be sent manually.
  setup.server.queue({ body: sse(agentAnswer(['At last'])) })
  const again = await setup.chats.send(questionId, setup.stream(), 'page')
  expect(await setup.over(again.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'At last' })
})

test('sends one question at a time to an account without a network, for as long as that lasts', async () => {
  const time = skippableTime()
  let isDown = true
  const setup: ChatSetup = await chatSetup({
    at: () => ({ url: isDown ? 'http://127.0.0.1:9' : setup.server.url, key: 'key' }),
    deps: time.deps,
  })
  const ids = [setup.begin(agent), setup.begin(agent), setup.begin(agent)]
  for (const id of ids) await setup.ask(id, `About ${id}`, { waits: true })
  const failed = (): number => setup.messages.filter(({ state }) => state === 'failed').length
  await eventually(() => expect(failed()).toBe(ids.length))
  for (let n = 0; n < 9; n++) {
    await eventually(() => expect([time.isPlanned(), setup.chats.busy()]).toEqual([true, false]))
    const before = failed()
    time.skip()
    await eventually(() => expect(failed()).toBeGreaterThan(before))
    // The first round finds out.
    if (n > 0) expect(failed()).toBe(before + 1)
  }
  isDown = false
  setup.server.always({ body: sse(agentAnswer(['At last'])) })
  setup.chats.accountReady('account-1')
  await eventually(() =>
    expect(ids.map((id) => setup.chats.get(id).state)).toEqual(['idle', 'idle', 'idle']),
  )
})

test('sends the other questions as soon as the answer to the first one starts', async () => {
  const time = skippableTime()
  let isDown = true
  const setup: ChatSetup = await chatSetup({
    at: () => ({ url: isDown ? 'http://127.0.0.1:9' : setup.server.url, key: 'key' }),
    deps: time.deps,
  })
  const ids = [setup.begin(agent), setup.begin(agent)]
  for (const id of ids) await setup.ask(id, `About ${id}`, { waits: true })
  const failed = (): number => setup.messages.filter(({ state }) => state === 'failed').length
  await eventually(() => expect(failed()).toBe(2))
  await eventually(() => expect([time.isPlanned(), setup.chats.busy()]).toEqual([true, false]))
  time.skip()
  await eventually(() => expect(failed()).toBeGreaterThan(2))
  await eventually(() => expect([time.isPlanned(), setup.chats.busy()]).toEqual([true, false]))
  isDown = false
  setup.server.always(begun('Half'))
  time.skip()
  await eventually(() => expect(setup.server.requests).toHaveLength(2))
})

test('sends a question that became due during another answer of its chat when that ends', async () => {
  const time = skippableTime()
  const setup = await chatSetup({ deps: time.deps })
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])) })
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  setup.server.always({ dropped: true })
  const second = await setup.ask(id, '2?', { waits: true })
  const stateOf = (): string => setup.chats.message(second.question.id).state
  await eventually(() => expect([stateOf(), time.isPlanned()]).toEqual(['waiting', true]))
  setup.server.always(begun('Half'))
  const better = { text: '1, better?', attachments: [], streamId: setup.stream(), waits: false }
  const edited = await setup.chats.edit(first.question.id, better, 'page')
  time.skip()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(stateOf()).toBe('waiting')
  setup.server.always({ body: sse(agentAnswer(['Two'])) })
  await setup.chats.stop(edited.answer?.id ?? '')
  await eventually(() => expect(stateOf()).toBe('done'))
})

test('resumes the other questions if one cannot be read', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const ids = [setup.begin(agent), setup.begin(agent)]
  const questions: string[] = []
  for (const id of ids) {
    const { question } = await setup.ask(id, '1?', { waits: true })
    questions.push(question.id)
  }
  const { message } = setup.store.chats
  setup.store.chats.message = (id) => {
    if (id === questions[0]) throw new AppError('DATABASE_DAMAGED', 'unreadable')
    return message(id)
  }
  setup.trouble = null
  setup.server.always({ body: sse(agentAnswer(['Yes'])) })
  setup.chats.accountReady('account-1')
  await eventually(() => expect(setup.chats.get(ids[1] ?? '').state).toBe('idle'))
  expect(setup.chats.get(ids[0] ?? '').state).toBe('waiting')
  setup.store.chats.message = message
  setup.chats.changed(ids)
  await eventually(() => expect(setup.chats.get(ids[0] ?? '').state).toBe('idle'))
})

test('sends nothing to an account that is not ready; one stuck question blocks no other', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const ids = [setup.begin(agent), setup.begin(agent), setup.begin(agent)]
  for (const id of ids) await setup.ask(id, `About ${id}`, { waits: true })
  setup.chats.accountReady('account-1')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(setup.server.requests).toHaveLength(0)

  setup.trouble = null
  const { add } = setup.store.chats
  setup.store.chats.add = (message) => {
    if (message.conversationId === ids[0]) throw new AppError('INTERNAL', 'no')
    return add(message)
  }
  setup.server.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'])) })
  setup.chats.accountReady('account-1')
  await eventually(() => expect(setup.server.requests).toHaveLength(2))
  await eventually(() => expect(setup.chats.busy()).toBe(false))
  expect(setup.chats.get(ids[0] ?? '').state).toBe('waiting')
  expect(setup.chats.get(ids[1] ?? '').state).toBe('idle')
})

test('sends waiting questions on two branches of a chat one after the other', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])) })
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  setup.trouble = offline
  await setup.ask(id, '2?', { waits: true })
  const better = { text: '1, better?', attachments: [], streamId: setup.stream(), waits: true }
  const edited = await setup.chats.edit(first.question.id, better, 'page')
  expect(edited.question.state).toBe('waiting')
  setup.trouble = null
  setup.server.queue(begun('Half'), { body: sse(agentAnswer(['Whole'], 's2')) })
  setup.chats.accountReady('account-1')
  const running = () => setup.store.chats.unfinished().filter(({ state }) => state === 'running')
  await eventually(() => expect(running()).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(running()).toHaveLength(1)
  expect(setup.server.requests).toHaveLength(2)
  await setup.chats.stop(running()[0]?.messageId ?? '')
  await eventually(() => expect(setup.server.requests).toHaveLength(3))
  await eventually(() => expect(setup.chats.get(id).state).toBe('idle'))
  expect(setup.waiting.at(-1)).toBe(0)
})

test('resumes a queue blocked by a full disk when there is space', async () => {
  const due: (() => void)[] = []
  const setup = await chatSetup({
    deps: {
      after(_, work) {
        due.push(work)
        return () => undefined
      },
    },
  })
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])), delayMs: 100 })
  await setup.ask(id, '1?')
  const second = await setup.ask(id, '2?')
  const { add } = setup.store.chats
  setup.store.chats.add = () => {
    throw new AppError('DISK_FULL', 'full')
  }
  await eventually(() => expect(due).toHaveLength(1))
  expect(setup.chats.message(second.question.id).state).toBe('queued')
  setup.store.chats.add = add
  setup.server.queue({ body: sse(agentAnswer(['Two'])) })
  due[0]?.()
  await eventually(() => expect(setup.messages.some(({ text }) => text === 'Two')).toBe(true))
})

test('tries questions of inactive accounts at startup, because they get no ready event', async () => {
  const first = await chatSetup()
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
  const again = await chatSetup({ over: first })
  again.server.queue({ body: sse(agentAnswer(['Yes'])) })
  again.chats.resume()
  await eventually(() => expect(again.chats.get(other).state).toBe('idle'))
  expect(again.chats.get(active).state).toBe('waiting')
})

test('does not count waiting questions of a chat in Trash, and restores them with it', async () => {
  const setup = await chatSetup()
  setup.trouble = offline
  const id = setup.begin(agent)
  await setup.ask(id, '1?', { waits: true })
  expect(setup.waiting.at(-1)).toBe(1)
  await setup.chats.forget([id])
  setup.store.items.remove([id], 5)
  setup.chats.changed([id])
  expect(setup.waiting.at(-1)).toBe(0)
  setup.trouble = null
  setup.server.queue({ body: sse(agentAnswer(['Yes'])) })
  setup.store.items.restore([id], 6)
  setup.chats.changed([id])
  await eventually(() => expect(setup.chats.get(id).state).toBe('idle'))
  expect(setup.server.requests).toHaveLength(1)
})

test('a chat can be deleted while its answer cannot be saved', async () => {
  const setup = await chatSetup()
  setup.server.queue(begun('Half'))
  const id = setup.begin(agent)
  const turn = await setup.ask(id, '1?')
  await eventually(() => expect(setup.chats.message(turn.answer?.id ?? '').text).toBe('Half'))
  const { settle } = setup.store.chats
  setup.store.chats.settle = () => {
    throw new AppError('DISK_FULL', 'full')
  }
  await setup.chats.forget([id])
  expect(setup.chats.busy()).toBe(false)
  // Only to Trash: Stop ends its stored part.
  setup.store.chats.settle = settle
  expect(await setup.chats.stop(turn.answer?.id ?? '')).toMatchObject({
    state: 'broken',
    text: 'Half',
  })
}, 20_000)

test('starts nothing in a chat that is being removed', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  setup.server.queue({ body: sse(agentAnswer(['One'])) }, begun('Half'))
  const first = await setup.ask(id, '1?')
  await setup.over(first.answer?.id ?? '')
  const second = await setup.ask(id, '2?')
  await eventually(() => expect(setup.chats.message(second.answer?.id ?? '').text).toBe('Half'))
  const gone = setup.chats.forget([id])
  // On a separate branch: it does not wait for a normal end.
  const edited = await setup.chats.edit(
    first.question.id,
    { text: '1, better?', attachments: [], streamId: setup.stream(), waits: false },
    'page',
  )
  expect(edited.question.state).toBe('queued')
  const late = await setup.ask(id, 'Late?')
  expect(late).toMatchObject({ answer: null, question: { state: 'queued' } })
  await gone
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(setup.server.requests).toHaveLength(2)
  expect(setup.chats.busy()).toBe(false)
  // If the removal failed, saved questions can be sent.
  setup.server.queue({ body: sse(agentAnswer(['Better'], 's2')) })
  const sent = await setup.chats.send(edited.question.id, setup.stream(), 'page')
  expect(await setup.over(sent.answer?.id ?? '')).toMatchObject({ text: 'Better' })
})

test('ends an answer that runs only according to its row before regenerating it', async () => {
  const setup = await chatSetup()
  const { settle } = setup.store.chats
  setup.store.chats.settle = () => {
    throw new AppError('INTERNAL', 'no')
  }
  setup.server.queue(
    { body: sse(agentAnswer(['Kept'])) },
    { body: sse(agentAnswer(['New'], 's2')) },
  )
  const turn = await setup.ask(setup.begin(agent), '1?')
  const leftId = turn.answer?.id ?? ''
  await eventually(() => expect(setup.chats.busy()).toBe(false))
  setup.store.chats.settle = settle
  const again = await setup.chats.regenerate(leftId, setup.stream(), 'page')
  expect(await setup.over(again.answer?.id ?? '')).toMatchObject({ text: 'New' })
  expect(setup.chats.message(leftId)).toMatchObject({ state: 'broken', text: 'Kept' })
  expect(setup.chats.get(again.conversation.id).state).toBe('idle')
})

test('saves but does not send questions while Lectern is closing', async () => {
  const setup = await chatSetup()
  const id = setup.begin(agent)
  const waits = setup.begin(agent)
  setup.trouble = offline
  await setup.ask(waits, 'Later?', { waits: true })
  setup.trouble = null
  const closed = setup.chats.shutdown()
  setup.chats.accountReady('account-1')
  const turn = await setup.ask(id, 'Last words')
  expect(turn).toMatchObject({ answer: null, question: { state: 'queued', text: 'Last words' } })
  await expect(setup.chats.send(turn.question.id, setup.stream(), 'page')).rejects.toBeInstanceOf(
    AppError,
  )
  await closed
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(setup.server.requests).toHaveLength(0)
  expect(setup.chats.busy()).toBe(false)
  expect(setup.chats.message(turn.question.id).state).toBe('queued')
})

test('an attempt without a result leaves no traces in the next one', async () => {
  const setup = await chatSetup()
  const id = setup.begin(assistant)
  const [opened = ''] = assistantAnswer(['']).split('\n\n')
  const cut = `${opened.replace('"content":""', '"content":null')}\n\n`
  setup.server.queue({ body: cut, cutAfter: Buffer.byteLength(cut) })
  const turn = await setup.ask(id, '1?')
  const failed = await setup.over(turn.answer?.id ?? '')
  expect(failed).toMatchObject({ state: 'failed', text: '', steps: [] })
  setup.chats.configure({ id, settings: agent })
  setup.server.queue(begun('New words'))
  const streamId = setup.stream()
  const sent = await setup.chats.send(turn.question.id, streamId, 'page')
  expect(sent.answer).toMatchObject({
    state: 'running',
    nextEvent: 0,
    error: null,
    endedAt: null,
    requestId: null,
    settings: agent,
    streamId,
  })
  await eventually(() => expect(setup.pushed(streamId)).toBe('New words'))
  expect(setup.chats.message(sent.answer?.id ?? '').text).toBe('New words')
  await setup.chats.stop(sent.answer?.id ?? '')
})

test('reports a saved draft so that other pages get it', async () => {
  const reported: (ChatDraft | null)[] = []
  const setup = await chatSetup({
    onConversation: ({ draft }) => void reported.push(draft),
  })
  const id = setup.begin(agent)
  setup.chats.saveDraft({ id, draft: { text: 'Half a thought', attachments: [] } })
  expect(reported.at(-1)).toEqual({ text: 'Half a thought', attachments: [] })
  setup.chats.saveDraft({ id, draft: null })
  expect(reported.at(-1)).toBeNull()
})

test('after an unsaved failure, reports the chat state and allows sending the question', async () => {
  const reported: string[] = []
  const setup = await chatSetup({
    onConversation: ({ state }) => void reported.push(state),
  })
  const { setState } = setup.store.chats
  setup.store.chats.setState = (id, change) => {
    if (change.state === 'waiting') throw new AppError('DISK_FULL', 'full')
    return setState(id, change)
  }
  setup.server.queue(rejected)
  const turn = await setup.ask(setup.begin(agent), '1?', { waits: true })
  await setup.over(turn.answer?.id ?? '')
  await eventually(() => expect(reported.at(-1)).toBe('idle'))
  setup.server.queue({ body: sse(agentAnswer(['Yes'])) })
  const sent = await setup.chats.send(turn.question.id, setup.stream(), 'page')
  expect(await setup.over(sent.answer?.id ?? '')).toMatchObject({ text: 'Yes' })
})

test('sends a question that used up its attempts immediately when its chat changes account', async () => {
  const setup = await chatSetup({ deps: { after: () => () => undefined } })
  setup.store.accounts.put({
    id: 'account-2',
    preset: 'custom',
    name: 'Other',
    profile: presets.bigmodel,
    createdAt: 2,
  })
  // No matter how often the connection is retried.
  setup.server.always({ dropped: true })
  const id = setup.begin(assistant)
  const turn = await setup.ask(id, '1?', { waits: true })
  await eventually(() => expect(setup.chats.message(turn.question.id).state).toBe('waiting'))
  await eventually(() => expect(setup.chats.busy()).toBe(false))
  setup.server.always({ body: assistantAnswer(['At last']) })
  setup.chats.configure({ id, settings: assistant, accountId: 'account-2' })
  await eventually(() => {
    expect(setup.chats.message(turn.question.id).state).toBe('done')
    expect(setup.waiting.at(-1)).toBe(0)
  })
})
