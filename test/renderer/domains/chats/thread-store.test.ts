import { expect, test } from 'vitest'
import {
  copyMarkdown,
  wholeText,
} from '../../../../src/renderer/src/domains/chats/thread/copy-message.ts'
import { useThread } from '../../../../src/renderer/src/domains/chats/thread/thread-store.ts'
import { localAccountId } from '../../../../src/shared/provider/profiles.ts'
import type { Failure } from '../../../../src/shared/contract/reply.ts'
import type { ChatMessage, Conversation } from '../../../../src/shared/model/chat.ts'
import { useToasts } from '../../../../src/renderer/src/kit/toasts.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import {
  answer,
  events,
  serveBranch,
  textEvent,
  question,
  runningAnswer,
  turns,
} from './messages.ts'

/** Waits long enough for the page to be notified. */
const frame = () => new Promise((resolve) => setTimeout(resolve, 60))

async function opened(
  branch: ChatMessage[],
  at: string | null = null,
  fail: Readonly<Record<string, Failure>> = {},
) {
  const app = rendererSetup({ fail })
  const saved = serveBranch(app.main, branch)
  const thread = app.run(useThread)
  void thread.open('c-1', at)
  await app.settle()
  return { ...app, saved, thread }
}
const attachAt = (nextSeq: number, nextEvent: number) => (request: { streamId: string }) => ({
  streamId: request.streamId,
  nextSeq,
  nextEvent,
})
const idsOf = (messages: readonly ChatMessage[]) => messages.map(({ id }) => id)

test('opens a chat at its end, or around a message', async () => {
  const { thread, settle } = await opened(turns(200))
  expect(thread.messages.at(-1)?.id).toBe('m199')
  expect(thread.messageWindow.before).toBe(200 - thread.messages.length)
  void thread.open('c-1', 'm50')
  await settle()
  expect(idsOf(thread.messages)).toContain('m50')
  expect(thread.messageWindow.before + thread.messages.length + thread.messageWindow.after).toBe(
    200,
  )
})

test('loads pages on both sides without a gap, and limits what is in memory', async () => {
  const { thread } = await opened(turns(400))
  let maxMessages = 0
  while (await thread.more('before')) {
    maxMessages = Math.max(maxMessages, thread.messages.length)
    const depths = thread.messages.map(({ depth }) => depth)
    expect(depths).toEqual(depths.map((_, at) => (depths[0] ?? 0) + at))
  }
  expect(thread.messages[0]?.id).toBe('m0')
  expect(maxMessages).toBeLessThanOrEqual(96)
  expect(thread.messageWindow.after).toBe(400 - thread.messages.length)
  while (await thread.more('after')) expect(thread.messages.length).toBeLessThanOrEqual(96)
  expect(thread.messages.at(-1)?.id).toBe('m399')
})

test('unloads very long answers before many of them are in memory', async () => {
  const long = 'x'.repeat(2_500_000)
  const branch = turns(60).map((one) => ({ ...one, text: one.role === 'user' ? 'q' : long }))
  const { thread } = await opened(branch)
  await thread.more('before')
  const chars = thread.messages.reduce((sum, { text }) => sum + text.length, 0)
  expect(chars).toBeLessThanOrEqual(12_000_000)
  expect(thread.messageWindow.after).toBeGreaterThan(0)
})

test('jumps to the beginning, the end, and any message', async () => {
  const { thread } = await opened(turns(300))
  await thread.toBegin()
  expect([thread.messages[0]?.id, thread.messageWindow.before]).toEqual(['m0', 0])
  await thread.toEnd()
  expect([thread.messages.at(-1)?.id, thread.messageWindow.after]).toEqual(['m299', 0])
  expect(await thread.hold('m150')).toBe(true)
  expect(idsOf(thread.messages)).toContain('m150')
})

test('continues a running answer from its message, and then from its stream', async () => {
  const running = runningAnswer('a', { parentId: 'q', text: 'By ', nextEvent: 1 })
  const app = rendererSetup()
  const saved = serveBranch(app.main, [question('q'), running])
  app.main.answer('streams.attach', attachAt(1, 1))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  const push = (seq: number, first: number, text: string) =>
    app.main.stream({
      streamId: 'stream-a',
      seq,
      type: 'events',
      batch: events(first, textEvent(text)),
    })
  push(1, 1, 'the ')
  push(2, 2, 'sun')
  await frame()
  expect(thread.running?.text).toBe('By the sun')
  expect(app.main.requests.filter(({ route }) => route === 'chats.events')).toEqual([])
  saved.branch = [question('q'), answer('a', { parentId: 'q', text: 'By the sun.' })]
  app.main.stream({ streamId: 'stream-a', seq: 3, type: 'end' })
  await app.settle()
  expect(thread.messages.at(-1)).toMatchObject({ state: 'done', text: 'By the sun.' })
  expect(thread.running).toBeNull()
})

test('reads missed events from the store, in order and once each', async () => {
  const app = rendererSetup()
  const saved = serveBranch(app.main, [question('q'), runningAnswer('a', { parentId: 'q' })])
  saved.stored = [events(0, textEvent('one '), textEvent('two ')), events(2, textEvent('three '))]
  app.main.answer('streams.attach', attachAt(3, 3))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  app.main.stream({
    streamId: 'stream-a',
    seq: 3,
    type: 'events',
    batch: events(3, textEvent('four')),
  })
  await frame()
  expect(thread.running?.text).toBe('one two three four')
})

test('adds only new events of an overlapping batch', async () => {
  const app = rendererSetup()
  serveBranch(app.main, [
    question('q'),
    runningAnswer('a', { parentId: 'q', text: 'ab', nextEvent: 2 }),
  ])
  app.main.answer('streams.attach', attachAt(0, 2))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  const batch = events(1, textEvent('b'), textEvent('c'))
  app.main.stream({ streamId: 'stream-a', seq: 0, type: 'events', batch })
  await frame()
  expect(thread.running?.text).toBe('abc')
})

test('catches up with a stream when its page is shown again', async () => {
  const app = rendererSetup()
  const saved = serveBranch(app.main, [question('q'), runningAnswer('a', { parentId: 'q' })])
  app.main.answer('streams.attach', attachAt(0, 0))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  thread.close()
  await app.settle()
  expect(app.main.requests.some(({ route }) => route === 'streams.detach')).toBe(true)
  saved.stored = [events(0, textEvent('written meanwhile'))]
  app.main.answer('streams.attach', attachAt(1, 1))
  void thread.open('c-1')
  await app.settle()
  await frame()
  expect(thread.running?.text).toBe('written meanwhile')
})

test('reads the result of an answer whose stream is unknown from the message itself', async () => {
  const app = rendererSetup()
  const saved = serveBranch(app.main, [
    question('q'),
    runningAnswer('a', { parentId: 'q', text: 'half', nextEvent: 1 }),
  ])
  const thread = app.run(useThread)
  app.main.answer('streams.attach', () => ({ streamId: 'x', nextSeq: 1, nextEvent: 1 }))
  void thread.open('c-1')
  await app.settle()
  saved.branch = [question('q'), answer('a', { parentId: 'q', state: 'broken', text: 'half' })]
  const error = { code: 'STREAM_CUT', message: 'cut', retriable: true, at: 1 } as const
  app.main.stream({ streamId: 'stream-a', seq: 1, type: 'error', error })
  await app.settle()
  expect(thread.messages.at(-1)).toMatchObject({ state: 'broken', text: 'half' })
})

test('appends a question with its answer at the end, reported before or after the reply', async () => {
  const { thread, main, saved, settle } = await opened(turns(2))
  const q = question('q', { parentId: 'm1', depth: 2 })
  const a = runningAnswer('a', { parentId: 'q', depth: 3 })
  main.answer('streams.attach', attachAt(0, 0))
  main.answer('chats.ask', () => {
    main.app({ type: 'chat.message', message: q })
    main.app({ type: 'chat.message', message: a })
    const next = { ...saved.conversation, leafId: 'a', updatedAt: 2000 }
    main.app({ type: 'chat.changed', conversation: next })
    return { conversation: next, question: q, answer: a }
  })
  void thread.ask('How?', [])
  await settle()
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1', 'q', 'a'])
  expect(thread.answering).toBe(true)
  const request = main.requests.find(({ route }) => route === 'chats.ask')?.payload
  expect(request).toMatchObject({ id: 'c-1', text: 'How?', waits: false })
})

test('sends a question to the chat where it was asked, whichever is open by then', async () => {
  const { thread, main, saved, settle } = await opened(turns(2))
  const q = question('q', { parentId: 'm1', depth: 2 })
  main.answer('chats.ask', () => ({ conversation: saved.conversation, question: q, answer: null }))
  thread.close()
  expect(await thread.ask('How?', [], false, 'c-1')).toEqual(q)
  await settle()
  expect(main.requests.find(({ route }) => route === 'chats.ask')?.payload).toMatchObject({
    id: 'c-1',
  })
  expect([thread.conversation, thread.messages]).toEqual([null, []])
})

test('reports a rejection and changes nothing', async () => {
  const error = { code: 'NO_KEY', message: 'no', retriable: false, at: 1 } as const
  const app = rendererSetup({ fail: { 'chats.ask': error } })
  serveBranch(app.main, turns(2))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  expect(await thread.ask('How?', [])).toBeNull()
  expect(thread.actionFailure?.code).toBe('NO_KEY')
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1'])
})

test('branches at an edited question and at a regenerated answer', async () => {
  const { thread, main, saved, settle } = await opened(turns(6))
  main.answer('streams.attach', attachAt(0, 0))
  const q = question('m2b', { parentId: 'm1', depth: 2, siblings: ['m2', 'm2b'] })
  const a = runningAnswer('m3b', { parentId: 'm2b', depth: 3 })
  main.answer('chats.edit', () => ({
    conversation: { ...saved.conversation, leafId: 'm3b', updatedAt: 2000 },
    question: q,
    answer: a,
  }))
  void thread.edit('m2', 'In other words', [])
  await settle()
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1', 'm2b', 'm3b'])
  const again = runningAnswer('m3c', { parentId: 'm2b', depth: 3, siblings: ['m3b', 'm3c'] })
  main.answer('chats.regenerate', () => ({
    conversation: { ...saved.conversation, leafId: 'm3c', updatedAt: 3000 },
    question: q,
    answer: again,
  }))
  void thread.regenerate('m3b')
  await settle()
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1', 'm2b', 'm3c'])
})

/** Returns an open chat of another account, and to which account it was moved so far. */
async function openedElsewhere(fail: Readonly<Record<string, Failure>> = {}) {
  const settings = {
    kind: 'assistant',
    assistantId: 'x',
    model: null,
    doSample: null,
    translate: null,
  }
  const app = await opened(turns(2), null, fail)
  const { thread, main, saved } = app
  main.answer('streams.attach', attachAt(0, 0))
  const chat = { ...saved.conversation, settings, accountId: 'other' } as Conversation
  thread.conversation = chat
  const moves: { readonly id: string; readonly accountId: string }[] = []
  main.answer('chats.configure', (move: { id: string; accountId: string }) => {
    moves.push(move)
    return { ...chat, accountId: move.accountId, updatedAt: 2000 + moves.length }
  })
  main.answer('chats.regenerate', () => ({
    conversation: { ...chat, accountId: localAccountId, leafId: 'm1b', updatedAt: 3000 },
    question: question('m0', { depth: 0 }),
    answer: runningAnswer('m1b', { parentId: 'm0', siblings: ['m1', 'm1b'] }),
  }))
  return { ...app, moves, settings, toasts: app.run(useToasts) }
}

test('moves a chat to This computer and asks there again, which can be undone', async () => {
  const { thread, toasts, moves, settings, settle } = await openedElsewhere()
  void thread.answerOnDevice('m1')
  await settle()
  expect(moves).toEqual([{ id: 'c-1', settings, accountId: localAccountId }])
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1b'])
  expect(thread.conversation?.accountId).toBe(localAccountId)
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['chatMessage.moved'])
  toasts.actNewest()
  await settle()
  expect(moves[1]).toEqual({ id: 'c-1', settings, accountId: 'other' })
})

test('moves a chat back when This computer rejects its question', async () => {
  const { thread, toasts, moves, settle } = await openedElsewhere({
    'chats.regenerate': failure('REFUSED'),
  })
  void thread.answerOnDevice('m1')
  await settle()
  expect(moves.map(({ accountId }) => accountId)).toEqual([localAccountId, 'other'])
  expect(thread.conversation?.accountId).toBe('other')
  expect(thread.actionFailure?.code).toBe('REFUSED')
  expect(toasts.toasts).toEqual([])
})

test('asks a moved chat again although another one was opened meanwhile', async () => {
  const { thread, main, moves, settle } = await openedElsewhere()
  void thread.answerOnDevice('m1')
  void thread.open('c-2')
  await settle()
  expect(moves.map(({ id }) => id)).toEqual(['c-1'])
  expect(main.requests.filter(({ route }) => route === 'chats.regenerate')).toHaveLength(1)
  expect(idsOf(thread.messages)).not.toContain('m1b')
})

test('does not add an answer that ends on another branch to the shown one', async () => {
  const { thread, main } = await opened(turns(4))
  main.app({
    type: 'chat.message',
    message: answer('other', { parentId: 'm2', depth: 3, siblings: ['m3', 'other'] }),
  })
  main.app({ type: 'chat.message', message: answer('far', { parentId: 'm3', depth: 4 }) })
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1', 'm2', 'm3'])
})

test('chooses another branch, and loads one that was chosen elsewhere', async () => {
  const { thread, main, saved, settle } = await opened(turns(4))
  const other = [...turns(3), answer('m3b', { parentId: 'm2', depth: 3, siblings: ['m3', 'm3b'] })]
  main.answer('chats.choose', () => {
    saved.branch = other
    return { ...saved.conversation, leafId: 'm3b', updatedAt: 2000 }
  })
  void thread.choose('m3b')
  await settle()
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1', 'm2', 'm3b'])
  saved.branch = turns(4)
  const elsewhere = { ...saved.conversation, leafId: 'm3', updatedAt: 3000 }
  main.app({ type: 'chat.changed', conversation: elsewhere })
  await expect.poll(() => idsOf(thread.messages)).toEqual(['m0', 'm1', 'm2', 'm3'])
})

test('removes a withdrawn question, and restores it as a draft', async () => {
  const branch = [
    ...turns(2),
    question('q', { parentId: 'm1', depth: 2, state: 'queued', text: 'Later' }),
  ]
  const { thread, main, saved } = await opened(branch)
  const draft = { text: 'Later', attachments: [] }
  main.answer('chats.unqueue', () => ({
    ...saved.conversation,
    leafId: 'm1',
    draft,
    updatedAt: 2000,
  }))
  expect(await thread.unqueue('q')).toEqual(draft)
  expect(idsOf(thread.messages)).toEqual(['m0', 'm1'])
})

test('shows questions at their new position when they are moved after another answer', async () => {
  const place = (parentId: string, depth: number) =>
    ({ parentId, depth, state: 'queued', text: 'Later' }) as const
  const before = [...turns(2), question('q', place('m1', 2)), question('r', place('q', 3))]
  const { thread, main, saved } = await opened(before)
  // The first one is sent, and the second follows its answer.
  const sent = question('q', { ...place('m1', 2), state: 'done' })
  const running = runningAnswer('a', { parentId: 'q', depth: 3 })
  main.answer('streams.attach', attachAt(0, 0))
  saved.branch = [...turns(2), sent, running, question('r', place('a', 4))]
  for (const message of saved.branch.slice(2)) main.app({ type: 'chat.message', message })
  const changed = { ...saved.conversation, leafId: 'r', updatedAt: 2000 }
  main.app({ type: 'chat.changed', conversation: changed })
  await expect.poll(() => idsOf(thread.messages)).toEqual(['m0', 'm1', 'q', 'a', 'r'])

  // A question followed by others is taken back.
  saved.branch = before
  await thread.load()
  saved.branch = [...turns(2), question('r', place('m1', 2))]
  main.app({ type: 'chat.message', message: question('r', place('m1', 2)) })
  main.app({ type: 'chat.changed', conversation: { ...changed, updatedAt: 3000 } })
  await expect.poll(() => idsOf(thread.messages)).toEqual(['m0', 'm1', 'r'])
})

test('counts new messages while older ones are read, without fetching them', async () => {
  const { thread, main } = await opened(turns(300), 'm20')
  const before = thread.messages.length
  const { after } = thread.messageWindow
  const message = question('new', { parentId: 'm299', depth: 300 })
  main.app({ type: 'chat.message', message })
  expect([thread.messages.length, thread.messageWindow.after]).toEqual([before, after + 1])
})

test('stops an answer that is not loaded', async () => {
  const branch = [...turns(301), runningAnswer('a', { parentId: 'm300', depth: 301 })]
  const { thread, main } = await opened(branch, 'm20')
  main.answer('chats.stop', () => answer('a', { state: 'stopped', depth: 301 }))
  expect(thread.running).toBeNull()
  await thread.stop()
  const request = main.requests.find(({ route }) => route === 'chats.stop')?.payload
  expect(request).toEqual({ messageId: 'a' })
})

test('closes a removed chat, without overwriting one that is opened', async () => {
  const { thread, main, run, settle } = await opened(turns(2))
  void thread.open('other')
  void thread.open('c-1')
  await settle()
  expect(thread.id).toBe('c-1')
  expect(thread.messages.length).toBe(2)
  main.app({ type: 'chat.removed', ids: ['c-1'] })
  expect([run(useThread).id, thread.messages.length]).toEqual([null, 0])
})

test('loads more of a shortened answer on demand and retains it', async () => {
  const whole = 'abcdefghij'.repeat(10)
  const [ask, reply] = turns(2)
  if (!ask || !reply) throw new Error('There are two messages')
  const short = { ...reply, text: whole.slice(0, 40), shortened: { text: 100, steps: false } }
  const { main, thread, settle } = await opened([ask, short])
  main.answer('chats.text', ({ from }: { from: number }) => ({
    text: whole.slice(from, from + 40),
  }))
  const shown = () => thread.messages.at(-1)?.text
  expect(shown()).toBe(whole.slice(0, 40))
  expect(await thread.loadMoreText('m1')).toBe(true)
  expect(shown()).toBe(whole.slice(0, 80))
  // The message is reported again, for example with its sources: the loaded text stays.
  main.push({ channel: 'app', event: { type: 'chat.message', message: short } })
  await settle()
  expect(shown()).toBe(whole.slice(0, 80))
  const slices = [{ requestId: 'r', nodeId: 'n', at: 1, data: [] }]
  main.push({
    channel: 'app',
    event: { type: 'chat.message', message: { ...short, slices } },
  })
  await settle()
  expect(thread.messages.at(-1)).toMatchObject({ text: whole.slice(0, 80), slices })
  // The text is loaded up to the position of a match.
  await thread.loadTextUpTo('m1', 95)
  expect(shown()).toBe(whole)
  expect(await thread.loadMoreText('m1')).toBe(false)
})

test('copies the complete text of a long answer', async () => {
  const app = rendererSetup()
  const whole = 'abcdefghij'.repeat(10)
  app.main.answer('chats.text', ({ from }: { from: number }) => ({
    text: whole.slice(from, from + 30),
  }))
  const short = answer('m1', { text: whole.slice(0, 40), shortened: { text: 100, steps: false } })
  expect(await wholeText(app.client, short)).toBe(whole)
  expect(wholeText(app.client, answer('m2'))).toBe('Answer m2')
})

test('does not copy the beginning of a long answer as its whole text', async () => {
  const app = rendererSetup()
  app.main.answer('chats.text', ({ from }: { from: number }) => ({
    text: from < 60 ? 'x'.repeat(20) : '',
  }))
  const text = 'x'.repeat(40)
  const shortened = { text: 100, steps: false }
  const rejected = async (message: ChatMessage) => {
    await expect(wholeText(app.client, message)).rejects.toThrow(/running|missing/)
    expect(await copyMarkdown(message, wholeText(app.client, message))).toBe('incomplete')
  }
  await rejected(answer('m1', { text, shortened }))
  await rejected(runningAnswer('m2', { text, shortened }))
})
