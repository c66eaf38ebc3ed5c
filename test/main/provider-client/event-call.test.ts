import { expect, test } from 'vitest'
import type { AgentAnswer, AgentEvent } from '../../../src/main/provider-client/agent-chat.ts'
import { readEventReply, type EventReader } from '../../../src/main/provider-client/event-call.ts'
import type { HttpReply } from '../../../src/main/provider-client/http.ts'
import { StreamBroken } from '../../../src/main/provider-client/index.ts'
import { saveText } from '../../../src/main/provider-client/bounded-text.ts'
import { apiSetup, eventStream, failureOf, openStream, testKey, type ApiSetup } from './support.ts'

/** Texts with characters of one to four bytes. */
const words = ['我们', ' ask', '国家', '😀', 'é。']
const answers = words.map((data) => ({ type: 'answer', data }))
const done = { type: 'done', sessionId: 's' }
const question = {
  messages: [{ role: 'user', content: 'q' }],
  retrieval: { knowledgeIds: ['kb'] },
} as const

const once = { rules: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0, maxWaitMs: 0 } }

interface AgentOutcome {
  readonly text: string
  readonly outcome: unknown
}

/** Sends a request to the agent and records the streamed text and the outcome. */
async function askAgent(
  { api, target }: ApiSetup,
  signal?: AbortSignal,
  onText: (text: string) => void = () => undefined,
): Promise<AgentOutcome> {
  let text = ''
  const onEvent = (event: AgentEvent): void => {
    if (event.type !== 'answer') return
    text += event.text
    onText(text)
  }
  const outcome = await api.agentChat
    .chat(target(), question, { onEvent, ...(signal && { signal }) })
    .catch((error: unknown) => error)
  return { text, outcome }
}

/**
 * Returns what can be known after `n` bytes: the text of every event with complete JSON, and whether an end is among them.
 */
function knownAfter(body: Buffer, n: number): { readonly text: string; readonly ended: boolean } {
  const seen = body.subarray(0, n).toString('latin1')
  const complete = seen.match(/^data: \{"type":"answer".*\}(?=\n|$)/gm)?.length ?? 0
  const ended = /^data: (\{"type":"done".*\}(?=\n|$)|\[DONE\])/m.test(seen)
  return { text: words.slice(0, complete).join(''), ended }
}

test.each([
  ['done', Buffer.from(openStream([...answers, done]))],
  ['[DONE]', Buffer.from(eventStream(answers))],
])(
  'neither loses nor repeats text of a stream closed by %s and cut after any number of bytes',
  async (_, body) => {
    const made = await apiSetup({ tuning: once })
    for (let n = 0; n <= body.length; n++) {
      const cutBy = n % 2 === 0 ? 'close' : 'reset'
      const splitAt = Array.from({ length: 20 }, (__, i) => Math.max(1, n - 40) + i * (1 + (n % 7)))
      made.server.queue({ body, cutAfter: n, cutBy, splitAt })
      const { text, outcome } = await askAgent(made)
      const known = knownAfter(body, n)
      if (outcome instanceof Error) {
        // A reset may overtake bytes in transit; the received text is then a prefix of what was sent.
        expect([n, known.text.startsWith(text)]).toEqual([n, true])
        expect(outcome).toMatchObject({ retriable: true })
        if (outcome instanceof StreamBroken)
          expect([n, outcome.partial]).toMatchObject([n, { answer: text, complete: false }])
        else expect([n, text]).toEqual([n, ''])
        if (cutBy === 'close') {
          expect([n, text, known.ended]).toEqual([n, known.text, false])
          expect(outcome).toMatchObject({ code: 'STREAM_CUT' })
        }
      } else {
        expect([n, known.ended, text]).toEqual([n, true, words.join('')])
        expect(outcome).toMatchObject({ value: { answer: words.join(''), complete: true } })
      }
    }
    expect(made.server.requests).toHaveLength(body.length + 1)
  },
  120_000,
)

test('treats a stream without an end as cut, though the connection closed properly', async () => {
  const made = await apiSetup()
  const body = openStream(answers.slice(0, 2))
  made.server.queue({ body })
  expect((await askAgent(made)).outcome).toMatchObject({
    name: 'StreamBroken',
    code: 'STREAM_CUT',
    retriable: true,
    params: { reason: 'no-end' },
    partial: { answer: '我们 ask' },
    raw: { status: 200, body },
  })
})

test.each([
  [
    'an error event as JSON',
    'event: error\ndata: {"code":"1302","message":"slow"}\n\n',
    'RATE_LIMITED',
  ],
  ['an error event as text', 'event: error\ndata: it broke\n\n', 'SERVICE_FAILED'],
  [
    'an error event of an agent',
    'event: error\ndata: {"type":"error","data":"it broke"}\n\n',
    'SERVICE_FAILED',
  ],
  ['an error object', 'data: {"error":{"code":1301,"message":"no"}}\n\n', 'CONTENT_BLOCKED'],
  ['an error as text', 'data: {"error":"broken"}\n\n', 'SERVICE_FAILED'],
  [
    'an error type',
    'data: {"type":"error","error":{"code":"overloaded","message":"x"}}\n\n',
    'OVERLOADED',
  ],
  ['a failed status', 'data: {"status":"failed","message":"x"}\n\n', 'SERVICE_FAILED'],
  ['a gateway error page', 'data: <html><title>502</title></html>\n\n', 'MALFORMED_REPLY'],
  ['a truncated event', 'data: {"type":"answer"\n\n', 'MALFORMED_REPLY'],
])('keeps the partial answer on %s in a stream, without a retry', async (_, failure, code) => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(answers.slice(0, 2)) + failure + openStream([done]) })
  const { text, outcome } = await askAgent(made)
  expect(text).toBe('我们 ask')
  expect(outcome).toBeInstanceOf(StreamBroken)
  expect(outcome).toMatchObject({ code, partial: { answer: '我们 ask', complete: false } })
  expect(made.server.requests).toHaveLength(1)
  expect(made.calls).toMatchObject([{ outcome: 'failed', errorCode: code }])
})

test('retries a failure before any event, with the same request', async () => {
  const made = await apiSetup()
  made.server.queue(
    { status: 503, body: '<html><title>busy</title></html>' },
    { body: openStream([{ type: 'error', data: { code: 1305, message: 'overloaded' } }]) },
    { body: ': hello\n\n', cutAfter: 9 },
    { body: openStream([...answers, done]) },
  )
  const { text, outcome } = await askAgent(made)
  expect(outcome).toMatchObject({ value: { complete: true } })
  expect(text).toBe(words.join(''))
  expect(made.sleeps).toHaveLength(3)
  expect(new Set(made.server.requests.map(({ body }) => String(body))).size).toBe(1)
})

test('does not retry a failure after a first event, however small', async () => {
  const made = await apiSetup()
  const body = openStream([{ type: 'session_created', sessionId: 's-1' }])
  made.server.queue({ body, cutAfter: body.length })
  expect((await askAgent(made)).outcome).toMatchObject({
    code: 'STREAM_CUT',
    partial: { sessionId: 's-1', answer: '' },
  })
  expect(made.server.requests).toHaveLength(1)
})

test.each([
  [401, '{"code":1000,"message":"who?"}', 'KEY_REJECTED'],
  [400, '{"error":{"code":"1214","message":"bad"}}', 'INVALID_INPUT'],
  [502, '<html><head><title>Bad gateway</title></head></html>', 'SERVER_ERROR'],
])('reports a failure with status %i with the message of its body', async (status, body, code) => {
  const made = await apiSetup({ tuning: once })
  made.server.queue({ status, body })
  const { outcome } = await askAgent(made)
  expect(outcome).not.toBeInstanceOf(StreamBroken)
  expect(outcome).toMatchObject({
    code,
    service: { status, message: expect.stringMatching(/^(who\?|bad|Bad gateway)$/) },
  })
})

test.each([
  ['HTML', '<!doctype html><title>Sign in</title>', 'MALFORMED_REPLY', 'html'],
  ['nothing', '', 'MALFORMED_REPLY', 'empty'],
  ['truncated JSON', '{"type":"answer"', 'MALFORMED_REPLY', 'not-json'],
  ['an empty list', '[]', 'MALFORMED_REPLY', 'empty'],
  ['an object without an answer', '{"ok":1}', 'MALFORMED_REPLY', 'no-answer'],
])('treats a 200 with %s as malformed', async (_, body, code, reason) => {
  const made = await apiSetup()
  made.server.queue({ body, headers: { 'content-type': 'text/event-stream' } })
  expect((await askAgent(made)).outcome).toMatchObject({ code, params: { reason } })
})

test.each([
  ['an envelope', '{"code":1301,"message":"no"}'],
  ['an error event', '{"type":"error","data":{"code":"1301","message":"no"}}'],
  ['a list that ends in an error', '[{"type":"error","code":1301,"data":"no"}]'],
])('treats a 200 with JSON that is %s of failure as that failure', async (_, body) => {
  const made = await apiSetup()
  made.server.queue({ body })
  const { outcome } = await askAgent(made)
  expect(outcome).toMatchObject({ code: 'CONTENT_BLOCKED', service: { message: 'no' } })
})

test('treats a list of events without an end as cut', async () => {
  const made = await apiSetup()
  made.server.queue({ body: JSON.stringify(answers) })
  expect((await askAgent(made)).outcome).toMatchObject({
    code: 'STREAM_CUT',
    partial: { answer: words.join('') },
  })
})

test('allows silent reasoning for the first-token timeout, and no longer', async () => {
  const made = await apiSetup({ tuning: { longCall: { replyMs: 4000, idleMs: 100 } } })
  const body = openStream([...answers, done])
  made.server.queue({ body, splitAt: [60, 130], betweenMs: 400 })
  made.server.queue({ body: openStream(answers), hang: true })
  expect((await askAgent(made)).outcome).toMatchObject({ value: { complete: true } })
  const start = Date.now()
  const { outcome } = await askAgent(made)
  expect(Date.now() - start).toBeGreaterThan(3900)
  expect(outcome).toMatchObject({
    code: 'STREAM_CUT',
    retriable: true,
    params: { phase: 'idle' },
    partial: { answer: words.join('') },
  })
})

test('keeps the received text when stopped', async () => {
  const made = await apiSetup()
  made.server.queue({ body: openStream(answers), hang: true })
  const stop = new AbortController()
  const { text, outcome } = await askAgent(made, stop.signal, (received) => {
    if (received === words.join('')) stop.abort()
  })
  expect(outcome).toMatchObject({ code: 'CANCELLED', partial: { answer: text } })
  expect(text).toBe(words.join(''))
  expect(made.calls).toMatchObject([{ outcome: 'cancelled' }])
})

test('removes a key that the provider repeats from events and stored text', async () => {
  const made = await apiSetup()
  made.server.queue({ body: openStream([{ type: 'answer', data: `your key ${testKey}` }, done]) })
  const { text, outcome } = await askAgent(made)
  expect(text).toBe('your key [redacted]')
  expect(JSON.stringify(outcome)).not.toContain(testKey)
})

test('counts the tokens reported before a break', async () => {
  const made = await apiSetup()
  made.server.queue({
    body: openStream([{ type: 'answer', data: 'a', usage: { total_tokens: 5 } }]),
  })
  await askAgent(made)
  expect(made.calls).toMatchObject([{ outcome: 'failed', totalTokens: 5 }])
})

test('reports engine, notice and request ID from any event', async () => {
  const made = await apiSetup()
  const events = [
    { ...answers[0], request_id: 'r-1' },
    { ...done, engine: 'e', notice: 'n' },
  ]
  made.server.queue({ body: openStream(events) })
  expect((await askAgent(made)).outcome).toMatchObject({
    requestId: 'r-1',
    engine: 'e',
    notice: 'n',
  })
})

test('keeps the beginning of a long stream and notes how much is missing', () => {
  const text = saveText({ maxSaved: 10, maxTotal: 30 }, (all) => all)
  for (const chunk of ['12345', '67890abc', 'defg']) text.add(chunk)
  expect(text.join()).toBe('1234567890\n\n: 7 more characters were received and not saved\n')
  expect(() => text.add('x'.repeat(14))).toThrow(/size limit/)
})

test('leaves no partial key where the retained beginning ends', () => {
  const secret = 'SECRET-KEY-0001'
  const hide = (all: string): string => all.replaceAll(secret, '[hidden]')
  for (let before = 0; before < 40; before += 1)
    for (const after of [0, 5, 20_000]) {
      const text = saveText({ maxSaved: 30, maxTotal: 1e6 }, hide)
      text.add(`${'x'.repeat(before)}${secret}${'y'.repeat(after)}`)
      expect(text.join()).not.toContain('SEC')
    }
})

test('never keeps the key of a stream, wherever chunks and lines break', () => {
  const line = `data: ${'word '.repeat(30)}SECRET-KEY-0001 ${'more '.repeat(30)}\n\n`
  const whole = line.repeat(2000)
  const hide = (all: string): string => all.replaceAll('SECRET-KEY-0001', '[hidden]')
  for (const size of [7, 1000, 16_384, 70_000]) {
    const text = saveText({ maxSaved: 1e7, maxTotal: 1e7 }, hide)
    for (let at = 0; at < whole.length; at += size) text.add(whole.slice(at, at + size))
    expect(text.join()).toBe(hide(whole))
  }
})

test('aborts a stream beyond all limits, with what it returned', async () => {
  const reply = {
    status: 200,
    contentType: '',
    body: (async function* () {
      for (;;) yield Buffer.from(openStream([{ n: 1 }]))
    })(),
  } as unknown as HttpReply
  let count = 0
  const reader: EventReader<number> = {
    take: () => (count++, null),
    whole: () => null,
    end: 'open',
    value: () => count,
  }
  const context = {
    requestId: 'r',
    trace: { host: 'h' },
    mask: (text: string) => text,
    usage: () => {},
  } as unknown as Parameters<typeof readEventReply>[1]
  const error = await failureOf(
    readEventReply(reply, context, {
      open: () => reader,
      broken: (reason, partial, raw) => new StreamBroken(reason, partial, raw),
      bounds: { maxSaved: 100, maxTotal: 1000 },
    }),
  )
  expect(error).toMatchObject({ code: 'MALFORMED_REPLY', params: { reason: 'too-large' } })
  expect((error as StreamBroken<number>).partial).toBe(Math.floor(1000 / 15))
})

test('preserves order and number of many events', async () => {
  const made = await apiSetup()
  const many = Array.from({ length: 20_000 }, (_, i) => ({ type: 'answer', data: `${i} ` }))
  made.server.queue({ body: openStream([...many, done]) })
  const { text, outcome } = await askAgent(made)
  expect(text).toBe(many.map(({ data }) => data).join(''))
  expect((outcome as { value: AgentAnswer }).value.answer).toBe(text)
})
