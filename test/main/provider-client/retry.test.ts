import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterMs } from '../../../src/main/provider-client/retry-after.ts'
import { bounded, delayBeforeNext, retryRules } from '../../../src/main/provider-client/retry.ts'
import type { Repeat } from '../../../src/main/provider-client/retry.ts'
import { AppError } from '../../../src/main/errors.ts'
import { errorCodes } from '../../../src/shared/contract/reply.ts'
import type { ErrorCode } from '../../../src/shared/contract/reply.ts'
import { apiSetup, delta, eventStream, failureOf } from './support.ts'

const failed = (
  code: ErrorCode,
  more: {
    retriable?: boolean
    sent?: boolean
    streamed?: boolean
    retryAfterMs?: number
    status?: number
  } = {},
  attempt = 1,
): Parameters<typeof delayBeforeNext>[0] => ({
  error: new AppError(code, 'm', {
    retriable: more.retriable ?? true,
    ...(more.retryAfterMs !== undefined && { retryAfterMs: more.retryAfterMs }),
    ...(more.status !== undefined && { service: { status: more.status } }),
  }),
  arrival: { sent: more.sent ?? true, streamed: more.streamed ?? false },
  attempt,
})

/** Failure, kind of call, and whether it is retried. */
const table: readonly (readonly [ReturnType<typeof failed>, Repeat, boolean])[] = [
  [failed('RATE_LIMITED'), 'safe', true],
  [failed('OVERLOADED'), 'safe', true],
  [failed('SERVER_ERROR'), 'safe', true],
  [failed('STREAM_CUT'), 'safe', true],
  [failed('OFFLINE', { sent: false }), 'safe', true],
  [failed('OFFLINE'), 'safe', true],
  [failed('TIMEOUT', { sent: false }), 'safe', true],
  [failed('TIMEOUT'), 'safe', false],
  [failed('RATE_LIMITED', { retriable: false }), 'safe', false],
  [failed('QUOTA_EXHAUSTED', { retriable: false }), 'safe', false],
  [failed('CONTENT_BLOCKED', { retriable: false }), 'safe', false],
  [failed('INVALID_INPUT', { retriable: false }), 'safe', false],
  [failed('CANCELLED', { retriable: false }), 'safe', false],
  [failed('SERVER_ERROR', { streamed: true }), 'safe', false],
  [failed('STREAM_CUT', { streamed: true }), 'safe', false],
  [failed('OFFLINE', { sent: false }), 'creating', true],
  [failed('TIMEOUT', { sent: false }), 'creating', true],
  [failed('OFFLINE'), 'creating', false],
  [failed('SERVER_ERROR'), 'creating', false],
  [failed('RATE_LIMITED'), 'creating', false],
  [failed('OVERLOADED'), 'creating', false],
  [failed('STREAM_CUT'), 'creating', false],
  [failed('RATE_LIMITED', { status: 429 }), 'creating', false],
  [failed('RATE_LIMITED', { status: 429 }), 'turn', true],
  [failed('OVERLOADED', { status: 429 }), 'turn', true],
  [failed('RATE_LIMITED', { status: 429, streamed: true }), 'turn', false],
  [failed('RATE_LIMITED', { status: 429, retryAfterMs: 60_001 }), 'turn', false],
  [failed('RATE_LIMITED', { status: 200 }), 'turn', false],
  [failed('OVERLOADED', { status: 503 }), 'turn', false],
  [failed('OFFLINE'), 'turn', false],
  [failed('OFFLINE', { sent: false }), 'turn', true],
  [failed('SERVER_ERROR', {}, 3), 'safe', true],
  [failed('SERVER_ERROR', {}, 4), 'safe', false],
  [failed('OFFLINE', {}, 2), 'safe', false],
  [failed('RATE_LIMITED', { retryAfterMs: 60_000 }), 'safe', true],
  [failed('RATE_LIMITED', { retryAfterMs: 60_001 }), 'safe', false],
]

test.each(table)('%o of a %s call: retried %s', (end, repeat, again) => {
  expect(delayBeforeNext(end, repeat, retryRules, () => 0.5) !== null).toBe(again)
})

test('never retries a creating call that may have been received, whatever failed', () => {
  fc.assert(
    fc.property(fc.constantFrom(...errorCodes), fc.boolean(), (code, streamed) => {
      const end = failed(code, { sent: true, streamed })
      expect(delayBeforeNext(end, 'creating', retryRules, Math.random)).toBeNull()
    }),
  )
})

test('lets an operation lower the limits of the retry rules, never raise them', () => {
  const strict = bounded(retryRules, { attempts: 2, maxWaitMs: 2000 })
  expect(strict).toEqual({ ...retryRules, attempts: 2, maxWaitMs: 2000 })
  expect(bounded(strict, { attempts: 9, maxWaitMs: 9000 })).toEqual(strict)
  expect(bounded(strict, {})).toEqual(strict)
})

test('never waits longer than the limit, whoever requested it', () => {
  const waits = (end: ReturnType<typeof failed>): number | null =>
    delayBeforeNext(end, 'safe', { ...retryRules, attempts: 9, maxWaitMs: 2000 }, () => 1)
  expect(waits(failed('SERVER_ERROR', {}, 3))).toBe(2000)
  expect(waits(failed('SERVER_ERROR', {}, 4))).toBeNull()
  expect(waits(failed('RATE_LIMITED', { retryAfterMs: 2000 }))).toBe(2000)
  expect(waits(failed('RATE_LIMITED', { retryAfterMs: 2001 }))).toBeNull()
})

test('increases delays, with jitter between half and full, and respects Retry-After', () => {
  const delay = (attempt: number, random: number, requestedMs?: number): number | null =>
    delayBeforeNext(
      failed('OVERLOADED', requestedMs === undefined ? {} : { retryAfterMs: requestedMs }, attempt),
      'safe',
      { ...retryRules, attempts: 20 },
      () => random,
    )
  expect([1, 2, 3, 4, 5, 9].map((attempt) => delay(attempt, 1))).toEqual([
    500, 1000, 2000, 4000, 8000, 8000,
  ])
  expect(delay(2, 0)).toBe(500)
  expect(delay(1, 0, 3000)).toBe(3000)
  expect(delay(4, 1, 3000)).toBe(4000)
})

test.each([
  ['3', 3000],
  ['0', 0],
  ['1.5', 1500],
  [' 7 ', 7000],
  ['999999', 3_600_000],
  ['Sat, 21 Nov 2026 06:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 05:00:00 GMT', 0],
  ['Mon, 21 Nov 2050 05:00:00 GMT', 3_600_000],
  // The two older formats, and nonstandard formats that are used in practice.
  ['Saturday, 21-Nov-26 06:00:30 GMT', 30_000],
  ['Sat Nov 21 06:00:30 2026', 30_000],
  ['21 Nov 2026 06:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 06:00:30 +0000', 30_000],
  ['2026-11-21T06:00:30Z', 30_000],
  ['2026-11-21', null],
  ['-3', null],
  ['soon', null],
  ['2', 2000],
  ['', null],
  ['1e9', null],
  ['12; x', null],
])('parses Retry-After %j as %s ms', (header, ms) => {
  expect(retryAfterMs(header, Date.UTC(2026, 10, 21, 6, 0, 0))).toBe(ms)
})

test('retries a call with the same request ID and records each attempt', async () => {
  const { api, server, target, request, calls, sleeps } = await apiSetup()
  server.queue({ status: 429, headers: { 'retry-after': '2' } }, { body: '{"text":"at last"}' })
  const result = await api.transcriptions.create(target(), request(), {})
  expect(result.text).toBe('at last')
  expect(sleeps).toEqual([2000])
  expect(calls.map(({ attempt, status, outcome }) => [attempt, status, outcome])).toEqual([
    [1, 429, 'failed'],
    [2, 200, 'ok'],
  ])
  expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(1)
  const ids = server.requests.map(
    ({ body }) => /name="request_id"\r\n\r\n(.*)/.exec(String(body))?.[1],
  )
  expect(new Set(ids)).toEqual(new Set([calls[0]?.requestId]))
})

test('sends a transcription at most twice: its job waits visibly and retries', async () => {
  const { api, server, target, request, sleeps } = await apiSetup()
  server.always({ status: 503 })
  expect(await failureOf(api.transcriptions.create(target(), request(), {}))).toMatchObject({
    code: 'OVERLOADED',
    retriable: true,
  })
  expect(server.requests).toHaveLength(2)
  expect(sleeps).toEqual([375])
})

test.each(['1113', '1308', '1301', '1210', '1399'])(
  'never retries business code %s',
  async (code) => {
    const { api, server, target, request } = await apiSetup()
    server.always({ status: 429, body: JSON.stringify({ error: { code, message: 'm' } }) })
    await failureOf(api.transcriptions.create(target(), request(), {}))
    expect(server.requests).toHaveLength(1)
  },
)

test.each([3, 30, 600])('passes a Retry-After of %i s to the job immediately', async (seconds) => {
  const { api, server, target, request, sleeps } = await apiSetup()
  server.always({ status: 429, headers: { 'retry-after': String(seconds) } })
  const error = await failureOf(api.transcriptions.create(target(), request(), {}))
  expect(error).toMatchObject({ retryAfterMs: seconds * 1000, params: { seconds } })
  expect(server.requests).toHaveLength(1)
  expect(sleeps).toEqual([])
})

test('retries a stream cut before its first text, but not after it', async () => {
  const { api, server, target, request } = await apiSetup()
  const body = eventStream([delta('first'), delta(' second')])
  server.queue({ body: `: welcome\n\n${body}`, cutAfter: 14 }, { body })
  const result = await api.transcriptions.create(target(), request({ stream: true }), {})
  expect(result.text).toBe('first second')
  expect(server.requests).toHaveLength(2)
  server.queue({ body, cutAfter: body.indexOf('second') })
  const error = await failureOf(api.transcriptions.create(target(), request({ stream: true }), {}))
  expect(error).toMatchObject({ code: 'STREAM_CUT', text: 'first' })
  expect(server.requests).toHaveLength(3)
})

test('stops immediately when canceled while waiting for the next attempt', async () => {
  const stop = new AbortController()
  const { api, server, target, request } = await apiSetup({
    tuning: {
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('woken')))
          stop.abort()
        }),
    },
  })
  server.always({ status: 500 })
  const { signal } = stop
  expect(await failureOf(api.transcriptions.create(target(), request(), { signal }))).toMatchObject(
    { code: 'CANCELLED' },
  )
  expect(server.requests).toHaveLength(1)
})

test('sends the connection check once, for a fast result', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ status: 503 })
  await failureOf(api.connection.check(target(), {}))
  expect(server.requests).toHaveLength(1)
})

test('interprets a Retry-After date by the clock of its sender', async () => {
  const { api, server, target, request, sleeps } = await apiSetup({ tuning: { patient: true } })
  server.queue(
    {
      status: 429,
      headers: {
        date: 'Sat, 21 Nov 2020 06:00:00 GMT',
        'retry-after': 'Sat, 21 Nov 2020 06:00:07 GMT',
      },
    },
    { body: '{"text":"at last"}' },
  )
  expect((await api.transcriptions.create(target(), request(), {})).text).toBe('at last')
  expect(sleeps).toEqual([7000])
})

test('waits as long as the provider requests, up to a minute, if no job retries', async () => {
  const refusal = { status: 429, headers: { 'retry-after': '50' } }
  const app = await apiSetup()
  app.server.queue(refusal)
  const failure = await failureOf(app.api.transcriptions.create(app.target(), app.request(), {}))
  expect(failure).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 50_000 })
  const alone = await apiSetup({ tuning: { patient: true } })
  alone.server.queue(refusal, refusal, { body: '{"text":"at last"}' })
  await alone.api.transcriptions.create(alone.target(), alone.request(), {})
  expect(alone.sleeps).toEqual([50_000, 50_000])
})
