import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FaultRule } from '../../src/local-service/fault-injection/rules.ts'
import {
  failureOf,
  numericFailureOf,
  startTestService,
  transcriptionForm,
} from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { silence } from './fixtures/audio-samples.ts'
import { dataOf, readAsFarAsPossible } from './fixtures/streams.ts'

// A model needs time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 })

let service: TestService
beforeAll(async () => {
  service = await startTestService({ faults: true })
})
afterAll(() => service.stop())
afterEach(() => service.call('/__faults', { method: 'DELETE' }))

const voices = '/paas/v4/voice/list'
const plain = { voice_list: expect.any(Array) }

const set = async (...rules: readonly FaultRule[]): Promise<void> => {
  const body = JSON.stringify(rules)
  const response = await service.call('/__faults', { method: 'POST', body })
  expect(response.status, await response.text()).toBe(200)
}

describe('wrong responses', () => {
  test.each([
    ['401', '401 1000'],
    ['429', '429 1302'],
    ['500', '500 1200'],
    ['200-error', '200 1234'],
    ['quota', '429 1113'],
    ['content', '400 1301'],
    ['context', '400 1261'],
    ['no-model', '400 1211'],
    ['permission', '403 1220'],
    ['not-found', '404 404'],
  ] as const)('%s', async (answer, code) => {
    await set({ answer })
    expect(await failureOf(await service.call(voices))).toBe(code)
    for (const path of ['/zrag/agent/chat', '/llm-application/open/knowledge'])
      expect(await numericFailureOf(await service.call(path))).toBe(code)
    const chat = await service.call('/paas/v4/assistant', { method: 'POST', body: '{}' })
    expect(await numericFailureOf(chat)).toBe(code)
    const list = await service.call('/paas/v4/assistant/list', { method: 'POST', body: '{}' })
    expect(await failureOf(list)).toBe(code)
  })

  test.each([
    ['401', '401 invalid_api_key'],
    ['429', '429 rate_limit_exceeded'],
    ['500', '500 server_error'],
    ['200-error', '200 server_error'],
    ['quota', '429 insufficient_quota'],
    ['content', '400 content_filter'],
    ['context', '400 context_length_exceeded'],
    ['no-model', '400 model_not_found'],
    ['permission', '403 permission_denied'],
    ['not-found', '404 invalid_request'],
  ] as const)('%s in the form of the Response API', async (answer, code) => {
    await set({ answer })
    expect(await failureOf(await service.call('/v1/responses/resp-1'))).toBe(code)
  })

  test('returns a 403 of a gateway on every path, with the status as the code', async () => {
    await set({ answer: '403' })
    for (const path of [voices, '/v1/responses/resp-1', '/zrag/agent/chat'])
      expect(await numericFailureOf(await service.call(path))).toBe('403 403')
  })

  test('sends Retry-After with 429 only when requested', async () => {
    await set({ answer: '429', times: 1 }, { answer: '429', retryAfter: '7' })
    expect((await service.call(voices)).headers.get('retry-after')).toBeNull()
    expect((await service.call(voices)).headers.get('retry-after')).toBe('7')
  })

  test('returns a 503 and an HTML page instead of JSON', async () => {
    await set({ answer: '503', times: 1 }, { answer: 'html' })
    expect((await service.call(voices)).status).toBe(503)
    const page = await service.call(voices)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html')
    expect(await page.text()).toMatch(/^<!doctype html>/)
  })

  test('returns truncated JSON and an empty body', async () => {
    await set({ answer: 'malformed', times: 1 }, { answer: 'empty' })
    await expect((await service.call(voices)).json()).rejects.toThrow(/JSON/)
    expect(await (await service.call(voices)).text()).toBe('')
  })

  test('returns the right response with a wrong content type, or none', async () => {
    await set({ contentType: 'text/html', times: 1 }, { contentType: '' })
    const wrong = await service.call(voices)
    expect(wrong.headers.get('content-type')).toBe('text/html')
    expect(await wrong.json()).toMatchObject(plain)
    const none = await service.call(voices)
    expect(none.headers.get('content-type')).toBeNull()
    expect(await none.json()).toMatchObject(plain)
  })

  test('returns a scripted response, also for a path that is not served otherwise', async () => {
    await set({
      method: 'POST',
      path: '/v1/anything',
      reply: { status: 418, headers: { 'x-own': 'yes' }, body: { a: '一' } },
    })
    const response = await service.call('/v1/anything', { method: 'POST', body: 'x' })
    expect(response.status).toBe(418)
    expect(response.headers.get('x-own')).toBe('yes')
    expect(await response.json()).toEqual({ a: '一' })
    expect((await service.call('/v1/anything')).status).toBe(500)
  })

  test('returns a scripted stream', async () => {
    await set({
      reply: {
        events: [
          { data: { a: 1 } },
          { event: 'error', data: 'two\nlines', delayMs: 30 },
          { raw: ': ping\n\n' },
        ],
      },
    })
    const response = await service.call(voices)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toBe(
      'data: {"a":1}\n\nevent: error\ndata: two\ndata: lines\n\n: ping\n\n',
    )
  })
})

describe('delivery faults', () => {
  const text = 'data: 会议 😀 done\n\n'
  const bytes = Buffer.from(text)
  const reply = { events: [{ raw: text }] }

  test('delays the response and its chunks', async () => {
    await set({ delayMs: 150, chunkDelayMs: 40, pieceBytes: 10, reply })
    const start = performance.now()
    const response = await service.call(voices)
    expect(performance.now() - start).toBeGreaterThan(140)
    expect(await response.text()).toBe(text)
    expect(performance.now() - start).toBeGreaterThan(140 + 40)
  })

  test('cuts after any number of bytes: the received part is right, and the response incomplete', async () => {
    for (let cutAfterBytes = 0; cutAfterBytes <= bytes.length; cutAfterBytes += 3) {
      await set({ cutAfterBytes, times: 1, reply })
      const got = await readAsFarAsPossible(await service.call(voices))
      expect(got.whole).toBe(false)
      expect(got.bytes).toEqual(bytes.subarray(0, cutAfterBytes))
    }
    await set({ cutAfterBytes: bytes.length + 1, reply })
    expect(await (await service.call(voices)).text()).toBe(text)
  })

  test('cuts a response of known length', async () => {
    await set({ cutAfterBytes: 5 })
    expect(await readAsFarAsPossible(await service.call(voices))).toMatchObject({
      whole: false,
      bytes: Buffer.from('{"voi'),
    })
  })

  test('returns no response at all', async () => {
    await set({ hangUp: true, times: 1 })
    await expect(service.call(voices)).rejects.toThrow('fetch failed')
    expect((await service.call(voices)).status).toBe(200)
  })

  test('sends chunks of one byte, and splits inside every character', async () => {
    await set(
      { pieceBytes: 1, chunkDelayMs: 2, times: 1, reply },
      { splitCharacters: true, chunkDelayMs: 5, reply },
    )
    const single = await readAsFarAsPossible(await service.call(voices))
    expect(single.bytes.toString()).toBe(text)
    expect(single.chunks).toBeGreaterThan(bytes.length / 2)

    const response = await service.call(voices)
    const parts: Uint8Array[] = []
    for await (const part of response.body ?? []) parts.push(part)
    expect(Buffer.concat(parts)).toEqual(bytes)
    const broken = parts.filter((part) => Buffer.from(part).toString().includes('�'))
    expect(broken.length).toBeGreaterThan(3)
  })

  test('applies faults to a real transcription', async () => {
    await set({ path: '/paas/v4/audio/*', pieceBytes: 7 })
    const form = transcriptionForm(silence(16_000), { stream: 'true' })
    expect(await (await service.transcribe(form)).text()).toMatch(
      /"text":"".*\n\ndata: \[DONE\]\n\n$/,
    )
  })
})

describe('stream faults', () => {
  const transcribed = async (rule: FaultRule): Promise<readonly string[]> => {
    await set(rule)
    const form = transcriptionForm(silence(16_000), { stream: 'true' })
    return dataOf(await (await service.transcribe(form)).text())
  }
  const failed = {
    error: { code: '1200', message: expect.stringContaining('while the response was being sent') },
  }

  test('ends the stream with a failure in the middle: in the form of the family, or bare', async () => {
    for (const answer of ['mid-error', 'mid-error-bare'] as const) {
      const data = await transcribed({ answer, times: 1 })
      expect(data).toHaveLength(2)
      expect(JSON.parse(data[0] ?? '')).toMatchObject({ type: 'transcript.text.done' })
      expect(JSON.parse(data[1] ?? '')).toEqual(failed)
    }
  })

  test('fails before the first event, or after more than there are', async () => {
    expect(await transcribed({ answer: 'mid-error', afterEvents: 0, times: 1 })).toHaveLength(1)
    const all = await transcribed({ answer: 'mid-error', afterEvents: 9 })
    expect(all).toHaveLength(3)
    expect(JSON.parse(all[2] ?? '')).toEqual(failed)
  })

  test('fails with a named event, and with an abnormal finish_reason', async () => {
    const named = await transcribed({ answer: 'mid-error-named', times: 1 })
    expect(named[1]).toMatch(/^event: error\ndata: \{"error":/)
    const finish = await transcribed({ answer: 'mid-error-finish' })
    expect(JSON.parse(finish[1] ?? '')).toMatchObject({
      type: 'transcript.text.done',
      choices: [{ finish_reason: 'network_error' }],
    })
  })

  test('omits the end: both the mark and the equivalent event', async () => {
    expect(await transcribed({ answer: 'no-end' })).toEqual([])
  })

  test('rejects stream faults for a response that is not a stream', async () => {
    await set({ answer: 'mid-error', times: 1 }, { answer: 'no-end' })
    expect(await failureOf(await service.call(voices))).toBe('400 1210')
    expect(await failureOf(await service.call(voices))).toBe('400 1210')
  })
})

describe('fault injection endpoints', () => {
  test('applies a rule a number of times, only to its method and path, in order', async () => {
    await set(
      { method: 'get', path: '/paas/v4/voice/*', times: 2, answer: '500' },
      { answer: '429' },
    )
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await service.call(voices)).status)
    expect(statuses).toEqual([500, 500, 429, 429])
    await service.call('/__faults', { method: 'DELETE' })
    expect((await service.call(voices)).status).toBe(200)
  })

  test('accepts a fault in a header of a single call', async () => {
    const headers = { 'x-fault': JSON.stringify({ answer: '503' }) }
    expect((await service.call(voices, { headers })).status).toBe(503)
    expect((await service.call(voices)).status).toBe(200)
    const odd = await service.call(voices, { headers: { 'x-fault': '{' } })
    expect(await failureOf(odd)).toBe('400 1210')
  })

  test('rejects a misspelled fault', async () => {
    for (const rule of [
      { answr: '500' },
      { answer: '418' },
      { times: '2' },
      { pieceBytes: 0 },
      [[]],
    ]) {
      const body = JSON.stringify(rule)
      const response = await service.call('/__faults', { method: 'POST', body })
      expect(await failureOf(response)).toBe('400 1210')
    }
  })

  test('requires the key', async () => {
    expect((await fetch(`${service.url}/__faults/log`)).status).toBe(401)
  })

  test('logs received requests without the key', async () => {
    const form = transcriptionForm(silence(16_000), { prompt: 'a secret prompt' })
    await (await service.transcribe(form)).text()
    await service.call(`${voices}?voiceType=PRIVATE`, { headers: { 'x-own': 'value' } })
    const text = await (await service.call('/__faults/log')).text()
    const { calls } = JSON.parse(text) as { calls: Record<string, unknown>[] }
    expect(calls).toHaveLength(2)
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/paas/v4/audio/transcriptions',
      status: 200,
    })
    expect(Number(calls[0]?.['bytes'])).toBeGreaterThan(32_000)
    expect(calls[1]).toMatchObject({ query: '?voiceType=PRIVATE', bytes: 0 })
    expect(calls[1]?.['headers']).toContain('x-own')
    expect(text).not.toContain(service.key)
    expect(text).not.toContain('secret')
  })
})
