import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { NewActivityCall } from '../../../src/main/library-database/types.ts'
import { apiSetup, delta, eventStream, failureOf, testKey } from './support.ts'

test('records an attempt once, with everything Activity shows', async () => {
  const { api, server, target, request, calls } = await apiSetup()
  const body = JSON.stringify({
    text: 'private words',
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  })
  server.queue({ body, headers: { 'x-log-id': 'log-1' }, delayMs: 60 })
  const before = Date.now()
  await api.transcriptions.create(target(), request({ prompt: 'private context' }), {
    requestId: 'request-0001',
  })
  const sent = server.requests[0]?.body.length
  expect(calls).toEqual([
    {
      at: expect.any(Number),
      accountId: 'account-1',
      accountName: 'Test account',
      operation: 'transcriptions.create',
      method: 'POST',
      path: '/paas/v4/audio/transcriptions',
      model: 'glm-asr-2512',
      status: 200,
      outcome: 'ok',
      errorCode: null,
      queuedMs: expect.any(Number),
      sentMs: expect.any(Number),
      firstByteMs: expect.any(Number),
      durationMs: expect.any(Number),
      bytesSent: sent ?? NaN,
      bytesReceived: body.length,
      promptTokens: 3,
      completionTokens: 5,
      totalTokens: 8,
      attempt: 1,
      requestId: 'request-0001',
      logId: 'log-1',
    } satisfies NewActivityCall,
  ])
  const [call] = calls
  expect(call?.at).toBeGreaterThanOrEqual(before)
  expect(call?.firstByteMs).toBeGreaterThanOrEqual(50)
  expect(call?.durationMs).toBeGreaterThanOrEqual(call?.firstByteMs ?? Infinity)
  expect(JSON.stringify(calls)).not.toMatch(/private|0123456789abcdef/)
})

test('records tokens of a stream too', async () => {
  const { api, server, target, request, calls } = await apiSetup()
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 'three' }
  server.queue({ body: eventStream([delta('x'), { type: 'transcript.text.done', usage }]) })
  await api.transcriptions.create(target(), request({ stream: true }), {})
  expect(calls[0]).toMatchObject({ promptTokens: 1, completionTokens: 2, totalTokens: null })
})

test('records nothing for a call that is canceled in the queue', async () => {
  const { api, server, target, request, calls } = await apiSetup()
  server.always({ body: '{"text":"ok"}', delayMs: 150 })
  const to = target({ concurrency: 1 })
  const first = api.transcriptions.create(to, request(), {})
  const stop = new AbortController()
  const second = failureOf(api.transcriptions.create(to, request(), { signal: stop.signal }))
  setTimeout(() => stop.abort(), 30)
  expect(await second).toMatchObject({ code: 'CANCELLED' })
  await first
  expect(calls).toHaveLength(1)
})

test('names its operation in the check and sends its ID as a header', async () => {
  const { api, server, target, calls } = await apiSetup()
  server.queue({ body: '{"voice_list":[]}' })
  const { ms } = await api.connection.check(target(), { requestId: 'request-0001' })
  expect(ms).toBeGreaterThanOrEqual(0)
  expect(calls[0]).toMatchObject({
    operation: 'connection.check',
    method: 'GET',
    path: '/paas/v4/voice/list',
    model: null,
    requestId: 'request-0001',
    bytesSent: 0,
  })
  expect(server.requests[0]?.headers['request-id']).toBe('request-0001')
})

test('leaks no key in errors, records or texts, even if the provider repeats it everywhere', async () => {
  const { api, server, target, request, calls } = await apiSetup({
    tuning: { rules: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0, maxWaitMs: 0 } },
  })
  const encodings = [
    testKey,
    encodeURIComponent(testKey),
    Buffer.from(`key=${testKey}`).toString('base64'),
    Buffer.from(testKey).toString('base64url'),
    JSON.stringify(testKey),
    `Authorization: Bearer ${testKey}`,
  ]
  const shown: unknown[] = []
  for (const echo of encodings)
    for (const [status, body] of [
      [401, JSON.stringify({ error: { code: '1000', message: `bad ${echo}` } })],
      [400, JSON.stringify({ code: 1214, message: echo })],
      [500, `<html><title>${echo}</title></html>`],
      [200, `<html><title>${echo}</title></html>`],
      [200, JSON.stringify({ error: echo })],
      [200, `data: {"error":{"message":${JSON.stringify(echo)}}}\n\n`],
      [200, `event: error\ndata: ${echo}\n\n`],
    ] as const) {
      server.queue({ status, body, headers: { location: 'https://example.com/' } })
      shown.push(await failureOf(api.transcriptions.create(target(), request(), {})))
    }
  const everything = shown.map((error) => inspect(error, { depth: 9, showHidden: true })).join('\n')
  for (const form of [
    ...encodings,
    testKey.slice(0, 24),
    Buffer.from(testKey).toString('base64').slice(0, 40),
  ])
    expect(everything + JSON.stringify(calls)).not.toContain(form)
  expect(everything).toContain('[redacted]')

  // Even as a transcript, a header or a URL.
  const echo = { 'x-log-id': testKey, 'content-type': `text/plain; key=${testKey}` }
  server.queue({ body: JSON.stringify({ text: `it is ${testKey}` }), headers: echo })
  server.queue({ body: eventStream([delta(testKey)]), headers: echo })
  server.queue({ body: `data: ${JSON.stringify(delta(testKey))}\n\n`, headers: echo })
  const deltas: string[] = []
  const results: unknown[] = []
  for (let i = 0; i < 3; i++)
    results.push(
      await api.transcriptions
        .create(target(), request(), { onDelta: (text) => deltas.push(text) })
        .catch((error: unknown) => error),
    )
  expect(inspect([results, deltas, calls], { depth: 9 })).not.toMatch(/0123456789abcdef0123|CaNaRy/)
  expect(deltas).toEqual(['it is [redacted]', '[redacted]', '[redacted]'])
})
