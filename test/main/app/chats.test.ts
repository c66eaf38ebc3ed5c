import { expect, test } from 'vitest'
import { foldAnswer, emptyAnswer, type AnswerEvent } from '../../../src/shared/chats/answer.ts'
import {
  agent,
  agentAnswer,
  assistant,
  assistantAnswer,
  chatSetup,
  key,
  sse,
  streamId,
} from './chat-setup.ts'

const bodyOf = (request: { readonly body: Buffer } | undefined): Record<string, unknown> =>
  JSON.parse(request?.body.toString('utf8') ?? '{}') as Record<string, unknown>

test('stores question and answer immediately, and stores received text before pushing it', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const body = sse([
    { type: 'session_created', sessionId: 's1' },
    { type: 'thought', data: 'Looking.' },
    { type: 'tool_call', data: { callId: 'c1', toolName: 'retrieve', arguments: { query: 'x' } } },
    {
      type: 'tool_result',
      data: { callId: 'c1', toolName: 'retrieve', result: [1], status: 'success', durationMs: 5 },
    },
    { type: 'answer', data: 'Forty' },
    { type: 'answer', data: '-two<reference data-ref="1"></reference>' },
    {
      type: 'done',
      messageId: 'm1',
      data: 'Forty-two<reference data-ref="1"></reference>',
      usage: {
        prompt_tokens: 7,
        completion_tokens: 5,
        total_tokens: 12,
        completion_tokens_details: { reasoning_tokens: 2 },
        prompt_tokens_details: { cached_tokens: 1 },
      },
      engine: 'scripted',
      notice: 'by script',
    },
  ])
  fixture.queue({ body, splitAt: [120, 400], betweenMs: 60 })
  const { id } = await fixture.begin()
  const stream = streamId()
  const sent = await lectern.call('chats.ask', { id, text: 'How many?', streamId: stream })
  expect(sent).toMatchObject({
    conversation: { title: 'How many?', state: 'answering' },
    question: { state: 'done', role: 'user', text: 'How many?' },
    answer: { state: 'running', streamId: stream, resentTurns: 0 },
  })
  const answerId = sent.answer?.id ?? ''
  await lectern.until((event) => event.channel === 'stream' && event.event.type === 'events')
  const stored = await lectern.call('chats.events', { messageId: answerId })
  expect(stored.batches.length).toBeGreaterThan(0)
  const answer = await fixture.settled(answerId)
  expect(answer).toMatchObject({
    state: 'done',
    text: 'Forty-two<reference data-ref="1"></reference>',
    steps: [
      { kind: 'thought', text: 'Looking.' },
      {
        kind: 'call',
        callId: 'c1',
        tool: 'retrieve',
        arguments: { query: 'x' },
        result: { value: [1], status: 'success' },
        durationMs: 5,
      },
    ],
    usage: { prompt: 7, completion: 5, total: 12, reasoning: 2, cached: 1 },
    engine: 'scripted',
    notice: 'by script',
    serviceMessageId: 'm1',
    error: null,
  })
  // The pushed events add up to the stored answer.
  const pushed = lectern.events.flatMap((event) =>
    event.channel === 'stream' && event.event.type === 'events'
      ? (JSON.parse(event.event.batch.json) as AnswerEvent[])
      : [],
  )
  expect(pushed.reduce(foldAnswer, emptyAnswer).text).toBe(answer.text)
  expect(bodyOf(fixture.chats()[0])).toEqual({
    messages: [{ role: 'user', content: 'How many?' }],
    retrieval: { know_ids: ['k1'], enable_rerank: false },
    model: expect.any(String),
    enable_thinking: false,
  })
})

test('continues a session only from its end; a branch begins a new one and resends history', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin()
  fixture.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'])) })
  const first = await lectern.call('chats.ask', { id, text: 'First?', streamId: streamId() })
  await fixture.settled(first.answer?.id ?? '')
  const second = await lectern.call('chats.ask', { id, text: 'Second?', streamId: streamId() })
  await fixture.settled(second.answer?.id ?? '')
  expect(fixture.chats()[1]?.headers['x-session-id']).toBe('s1')
  expect(bodyOf(fixture.chats()[1])['messages']).toEqual([{ role: 'user', content: 'Second?' }])

  fixture.queue({ body: sse(agentAnswer(['Two, otherwise'], 's2')) })
  const edited = await lectern.call('chats.edit', {
    messageId: second.question.id,
    text: 'Second, otherwise?',
    streamId: streamId(),
  })
  expect(edited.answer).toMatchObject({ resentTurns: 2 })
  expect(edited.question.siblings).toEqual([second.question.id, edited.question.id])
  await fixture.settled(edited.answer?.id ?? '')
  expect(fixture.chats()[2]?.headers['x-session-id']).toBeUndefined()
  const sentMessages = JSON.stringify(bodyOf(fixture.chats()[2])['messages'])
  expect(sentMessages).toContain('First?')
  expect(sentMessages).toContain('One')
  expect(sentMessages).not.toContain('Second?')
  expect(sentMessages).toMatch(/Second, otherwise\?"/)

  // Its own session continues.
  fixture.queue({ body: sse(agentAnswer(['Three'], 's2')) })
  const third = await lectern.call('chats.ask', { id, text: 'Third?', streamId: streamId() })
  await fixture.settled(third.answer?.id ?? '')
  expect(fixture.chats()[3]?.headers['x-session-id']).toBe('s2')

  fixture.queue({ body: sse(agentAnswer(['Otherwise again'], 's3')) })
  const again = await lectern.call('chats.regenerate', {
    messageId: edited.answer?.id ?? '',
    streamId: streamId(),
  })
  expect(again.answer?.siblings).toEqual([edited.answer?.id, again.answer?.id])
  await fixture.settled(again.answer?.id ?? '')
  const shown = await lectern.call('chats.window', { id })
  expect(shown.messages.map(({ text }) => text)).toEqual([
    'First?',
    'One',
    'Second, otherwise?',
    'Otherwise again',
  ])
})

test('begins a new session with resent history when an old one is refused, once', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin()
  fixture.queue({ body: sse(agentAnswer(['One'])) })
  const first = await lectern.call('chats.ask', { id, text: 'First?', streamId: streamId() })
  await fixture.settled(first.answer?.id ?? '')
  fixture.queue(
    { status: 404, body: '{"code":404,"message":"There is no such session"}' },
    { body: sse(agentAnswer(['Two'], 's2')) },
  )
  const second = await lectern.call('chats.ask', { id, text: 'Second?', streamId: streamId() })
  expect(await fixture.settled(second.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: 'Two',
    resentTurns: 2,
  })
  expect(JSON.stringify(bodyOf(fixture.chats()[2]))).toContain('First?')
})

test('keeps the partial text of a stopped answer, and continues it on request', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin(assistant)
  const whole = assistantAnswer(['The first ', 'part'])
  fixture.queue({
    body: whole.slice(
      0,
      whole.indexOf('{"conversation_id":"c1","choices":[{"index":0,"delta":{}') - 6,
    ),
    hang: true,
  })
  const sent = await lectern.call('chats.ask', { id, text: 'Tell me', streamId: streamId() })
  await lectern.until(
    (event) =>
      event.channel === 'stream' &&
      event.event.type === 'events' &&
      event.event.batch.json.includes('part'),
  )
  const stopped = await lectern.call('chats.stop', { messageId: sent.answer?.id ?? '' })
  expect(stopped).toMatchObject({ state: 'stopped', text: 'The first part', error: null })
  fixture.queue({ body: assistantAnswer([' and the second']) })
  const active = await lectern.call('chats.continue', {
    messageId: stopped.id,
    streamId: streamId(),
  })
  expect(active.question).toMatchObject({ parentId: stopped.id, attachments: [] })
  expect(active.question.text).toMatch(/exactly where/)
  expect(await fixture.settled(active.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: ' and the second',
  })
  // The session of a stopped answer is not continued: the received text is sent again.
  const body = bodyOf(fixture.chats()[1])
  expect(body['conversation_id']).toBeUndefined()
  expect(JSON.stringify(body)).toContain('The first part')
})

test('queues questions and sends them in order; a failed answer holds them', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin()
  const cut = sse(agentAnswer(['Half']).slice(0, 2))
  fixture.queue(
    { body: sse(agentAnswer(['One'])), delayMs: 300 },
    { body: sse(agentAnswer(['Two'])) },
    { body: cut, cutAfter: cut.length },
    { body: sse(agentAnswer(['Three'], 's3')) },
    { body: sse(agentAnswer(['Four'], 's3')) },
  )
  const ask = (text: string) => lectern.call('chats.ask', { id, text, streamId: streamId() })
  const first = await ask('1?')
  const second = await ask('2?')
  const third = await ask('3?')
  const fourth = await ask('4?')
  expect([second, third, fourth].map(({ question, answer }) => [question.state, answer])).toEqual([
    ['queued', null],
    ['queued', null],
    ['queued', null],
  ])
  expect(first.conversation.state).toBe('answering')
  // The third is cut off: the fourth is held.
  await lectern.until(
    (event) =>
      event.channel === 'app' &&
      event.event.type === 'chat.message' &&
      event.event.message.state === 'broken',
  )
  const held = await lectern.call('chats.window', { id })
  expect(held.messages.map(({ text, state }) => [text, state])).toEqual([
    ['1?', 'done'],
    ['One', 'done'],
    ['2?', 'done'],
    ['Two', 'done'],
    ['3?', 'done'],
    ['Half', 'broken'],
    ['4?', 'queued'],
  ])
  // The retry succeeds, and the held question follows.
  const broken = held.messages[5]?.id ?? ''
  await lectern.call('chats.regenerate', { messageId: broken, streamId: streamId() })
  await lectern.until(
    (event) =>
      event.channel === 'app' &&
      event.event.type === 'chat.message' &&
      event.event.message.text === 'Four',
  )
  const shown = await lectern.call('chats.window', { id })
  expect(shown.messages.map(({ text }) => text)).toEqual([
    '1?',
    'One',
    '2?',
    'Two',
    '3?',
    'Three',
    '4?',
    'Four',
  ])
  expect(shown.messages.at(-3)?.siblings).toHaveLength(2)
})

test('moves a canceled queued question to the draft; those after it stay', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin()
  fixture.queue({ body: sse(agentAnswer(['One']).slice(0, 2)), hang: true })
  const ask = (text: string) => lectern.call('chats.ask', { id, text, streamId: streamId() })
  const first = await ask('1?')
  const second = await ask('2?')
  await ask('3?')
  const conversation = await lectern.call('chats.unqueue', { messageId: second.question.id })
  expect(conversation.draft).toEqual({ text: '2?', attachments: [] })
  const shown = await lectern.call('chats.window', { id })
  expect(shown.messages.map(({ text }) => text)).toEqual(['1?', expect.any(String), '3?'])
  expect(shown.messages[2]?.parentId).toBe(first.answer?.id)
  expect(await lectern.raw('chats.unqueue', { messageId: first.question.id })).toMatchObject({
    error: { code: 'REFUSED' },
  })
})

test('deletes a chat that contains nothing when it ends, and no other', async () => {
  const { begin, lectern } = await chatSetup()
  const chats = [await begin(), await begin(), await begin()]
  const [titled, starred, tagged] = chats.map(({ id }) => id)
  if (!titled || !starred || !tagged) throw new Error('There is no chat')
  await lectern.call('library.rename', { id: titled, title: 'A plan' })
  await lectern.call('library.organize', { ids: [starred], starred: true })
  await lectern.call('library.organize', { ids: [tagged], addTags: ['coast'] })
  for (const id of [titled, starred, tagged])
    expect(await lectern.raw('chats.end', { id })).toMatchObject({ error: { code: 'REFUSED' } })
  const empty = await begin()
  await lectern.call('chats.end', { id: empty.id })
  const { conversations } = await lectern.call('chats.list', {})
  expect(conversations.map(({ id }) => id).toSorted()).toEqual([titled, starred, tagged].toSorted())
})

test('marks running answers as broken at the next start; queued questions stay queued', async () => {
  const fixture = await chatSetup()
  const { id } = await fixture.begin()
  fixture.queue({ body: sse(agentAnswer(['Some of it']).slice(0, 2)), hang: true })
  const running = await fixture.lectern.call('chats.ask', { id, text: '1?', streamId: streamId() })
  await fixture.lectern.call('chats.ask', { id, text: '2?', streamId: streamId() })
  await fixture.lectern.until(
    (event) =>
      event.channel === 'stream' &&
      event.event.type === 'events' &&
      event.event.batch.json.includes('Some'),
  )
  await fixture.restart()
  expect(await fixture.settled(running.answer?.id ?? '')).toMatchObject({
    state: 'broken',
    text: 'Some of it',
    error: { code: 'LEFT_UNFINISHED' },
  })
  const { messages } = await fixture.lectern.call('chats.window', { id })
  expect(messages.at(-1)).toMatchObject({ text: '2?', state: 'queued' })
  expect(fixture.chats()).toHaveLength(1)
  fixture.queue({ body: sse(agentAnswer(['Sent'], 's2')) })
  const sent = await fixture.lectern.call('chats.send', {
    messageId: messages.at(-1)?.id ?? '',
    streamId: streamId(),
  })
  expect(await fixture.settled(sent.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: 'Sent',
    resentTurns: 2,
  })
})

test('lets a question wait for a key if requested; otherwise it fails and can be sent again', async () => {
  const fixture = await chatSetup(false)
  const { lectern, accountId } = fixture
  const { id } = await fixture.begin()
  const plain = await lectern.call('chats.ask', { id, text: '1?', streamId: streamId() })
  const failed = await fixture.settled(plain.answer?.id ?? '')
  expect(failed).toMatchObject({ state: 'failed', text: '', error: { code: 'NO_KEY' } })
  const other = await fixture.begin()
  const waiting = await lectern.call('chats.ask', {
    id: other.id,
    text: '2?',
    streamId: streamId(),
    waits: true,
  })
  expect(['waiting', 'done']).toContain(waiting.question.state)
  await lectern.until(
    (event) =>
      event.channel === 'app' &&
      event.event.type === 'chat.message' &&
      event.event.message.state === 'waiting',
  )
  fixture.queue({ body: sse(agentAnswer(['By itself'])) })
  await lectern.call('accounts.setKey', { id: accountId, key: 'scripted-key-0123456789' })
  await lectern.until(
    (event) =>
      event.channel === 'app' &&
      event.event.type === 'chat.message' &&
      event.event.message.text === 'By itself',
  )
  fixture.queue({ body: sse(agentAnswer(['By hand'])) })
  const sent = await lectern.call('chats.send', {
    messageId: plain.question.id,
    streamId: streamId(),
  })
  // It replaces the attempt without a result.
  expect(sent.answer?.siblings).toEqual([sent.answer?.id])
  expect(await fixture.settled(sent.answer?.id ?? '')).toMatchObject({
    state: 'done',
    text: 'By hand',
    error: null,
  })
  expect(await lectern.raw('chats.message', { id: failed.id })).toMatchObject({
    error: { code: 'NOT_FOUND' },
  })
})

test('rejects invalid questions before anything is stored', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin({ ...agent, knowledgeIds: [] })
  expect(await lectern.raw('chats.ask', { id, text: 'x', streamId: streamId() })).toMatchObject({
    error: { code: 'BAD_REQUEST', params: { what: 'knowledgeIds' } },
  })
  await lectern.call('chats.configure', { id, settings: agent })
  expect(await lectern.raw('chats.ask', { id, text: ' ', streamId: streamId() })).toMatchObject({
    error: { code: 'BAD_REQUEST', params: { what: 'text' } },
  })
  const file = { kind: 'file', mediaId: 'm', name: 'x.pdf', fileId: null }
  expect(
    await lectern.raw('chats.ask', { id, text: 'x', attachments: [file], streamId: streamId() }),
  ).toMatchObject({ error: { code: 'BAD_REQUEST', params: { what: 'attachments' } } })
  const image = { kind: 'image', mediaId: 'm', name: 'x.png' }
  expect(
    await lectern.raw('chats.ask', { id, text: 'x', attachments: [image], streamId: streamId() }),
  ).toMatchObject({ error: { code: 'FILE_MISSING' } })
  expect((await lectern.call('chats.window', { id })).messages).toEqual([])
})

test('deletes a temporary chat permanently when it ends, and at the next start', async () => {
  const fixture = await chatSetup()
  const make = () => fixture.lectern.call('chats.create', { settings: agent, temporary: true })
  const ended = await make()
  await fixture.lectern.call('chats.end', { id: ended.id })
  await fixture.lectern.until(
    (event) =>
      event.channel === 'app' &&
      event.event.type === 'chat.removed' &&
      event.event.ids.includes(ended.id),
  )
  expect(await fixture.lectern.raw('chats.get', { id: ended.id })).toMatchObject({
    error: { code: 'NOT_FOUND' },
  })
  const left = await make()
  const retained = await fixture.begin()
  await fixture.lectern.call('chats.draft', {
    id: retained.id,
    draft: { text: 'Half a thought', attachments: [] },
  })
  await fixture.restart()
  // The first question waits for the repair.
  await fixture.lectern.raw('chats.regenerate', { messageId: 'none', streamId: streamId() })
  expect(await fixture.lectern.raw('chats.get', { id: left.id })).toMatchObject({
    error: { code: 'NOT_FOUND' },
  })
  expect(await fixture.lectern.call('chats.get', { id: retained.id })).toMatchObject({
    id: retained.id,
  })
  expect(await fixture.lectern.raw('chats.end', { id: retained.id })).toMatchObject({
    error: { code: 'REFUSED' },
  })
})

test('neither stores nor emits a key that a provider repeats in chunks', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin()
  fixture.queue({
    body: sse([
      ...agentAnswer(['Your key is ']).slice(0, 2),
      { type: 'thought', data: key.slice(0, 9) },
      { type: 'thought', data: key.slice(9) },
      { type: 'answer', data: key.slice(0, 12) },
      { type: 'answer', data: `${key.slice(12)}, is it not?` },
      { type: 'done', messageId: 'm1' },
    ]),
  })
  const sent = await lectern.call('chats.ask', { id, text: 'x', streamId: streamId() })
  const answer = await fixture.settled(sent.answer?.id ?? '')
  expect(answer).toMatchObject({ state: 'done' })
  expect(answer.text).toMatch(/^Your key is .*, is it not\?$/)
  expect(JSON.stringify(answer)).not.toContain(key)
  expect(JSON.stringify(lectern.events)).not.toContain(key)
})
