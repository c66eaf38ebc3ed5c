import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FaultRule } from '../../src/local-service/faults/rules.ts'
import { failureOf, startTestService, transcriptionForm } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { silence } from './fixtures/sounds.ts'
import { readAsFarAsPossible } from './fixtures/streams.ts'

// A model on a machine that is busy with other tests takes its time.
vi.setConfig({ testTimeout: 60_000 })

let service: TestService
beforeAll(async () => {
  service = await startTestService({ faults: true })
})
afterAll(() => service.stop())
afterEach(() => service.call('/__faults', { method: 'DELETE' }))

const voices = '/paas/v4/voice/list'
const plain = { voice_list: [] }

const set = async (...rules: readonly FaultRule[]): Promise<void> => {
  const body = JSON.stringify(rules)
  const response = await service.call('/__faults', { method: 'POST', body })
  expect(response.status, await response.text()).toBe(200)
}

describe('wrong answers', () => {
  test.each([
    ['401', '401 1000'],
    ['429', '429 1302'],
    ['500', '500 1200'],
    ['200-error', '200 1234'],
  ] as const)('%s', async (answer, code) => {
    await set({ answer })
    expect(await failureOf(await service.call(voices))).toBe(code)
  })

  test('429 says when to come back only where asked to', async () => {
    await set({ answer: '429', times: 1 }, { answer: '429', retryAfter: '7' })
    expect((await service.call(voices)).headers.get('retry-after')).toBeNull()
    expect((await service.call(voices)).headers.get('retry-after')).toBe('7')
  })

  test('a 503 and an HTML page instead of JSON', async () => {
    await set({ answer: '503', times: 1 }, { answer: 'html' })
    expect((await service.call(voices)).status).toBe(503)
    const page = await service.call(voices)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html')
    expect(await page.text()).toMatch(/^<!doctype html>/)
  })

  test('half of a JSON text, and nothing at all', async () => {
    await set({ answer: 'malformed', times: 1 }, { answer: 'empty' })
    await expect((await service.call(voices)).json()).rejects.toThrow(/JSON/)
    expect(await (await service.call(voices)).text()).toBe('')
  })

  test('the right answer under a wrong content type, or none', async () => {
    await set({ contentType: 'text/html', times: 1 }, { contentType: '' })
    const wrong = await service.call(voices)
    expect(wrong.headers.get('content-type')).toBe('text/html')
    expect(await wrong.json()).toMatchObject(plain)
    const none = await service.call(voices)
    expect(none.headers.get('content-type')).toBeNull()
    expect(await none.json()).toMatchObject(plain)
  })

  test('a scripted answer, for a path that is not served otherwise too', async () => {
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

  test('a scripted stream', async () => {
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

describe('bad delivery', () => {
  const text = 'data: 会议 😀 done\n\n'
  const bytes = Buffer.from(text)
  const reply = { events: [{ raw: text }] }

  test('late, before the answer and between its pieces', async () => {
    await set({ delayMs: 150, chunkDelayMs: 40, pieceBytes: 10, reply })
    const start = performance.now()
    const response = await service.call(voices)
    expect(performance.now() - start).toBeGreaterThan(140)
    expect(await response.text()).toBe(text)
    expect(performance.now() - start).toBeGreaterThan(140 + 40)
  })

  test('cut after any number of bytes, its last one included: what came before is right, and it is no whole answer', async () => {
    for (let cutAfterBytes = 0; cutAfterBytes <= bytes.length; cutAfterBytes += 3) {
      await set({ cutAfterBytes, times: 1, reply })
      const got = await readAsFarAsPossible(await service.call(voices))
      expect(got.whole).toBe(false)
      expect(got.bytes).toEqual(bytes.subarray(0, cutAfterBytes))
    }
    await set({ cutAfterBytes: bytes.length + 1, reply })
    expect(await (await service.call(voices)).text()).toBe(text)
  })

  test('an answer of known length can be cut too', async () => {
    await set({ cutAfterBytes: 5 })
    expect(await readAsFarAsPossible(await service.call(voices))).toMatchObject({
      whole: false,
      bytes: Buffer.from('{"voi'),
    })
  })

  test('no answer at all', async () => {
    await set({ hangUp: true, times: 1 })
    await expect(service.call(voices)).rejects.toThrow('fetch failed')
    expect((await service.call(voices)).status).toBe(200)
  })

  test('in pieces of one byte, and split inside every character', async () => {
    await set(
      { pieceBytes: 1, chunkDelayMs: 2, times: 1, reply },
      { splitCharacters: true, chunkDelayMs: 5, reply },
    )
    const single = await readAsFarAsPossible(await service.call(voices))
    expect(single.bytes.toString()).toBe(text)
    expect(single.pieces).toBeGreaterThan(bytes.length / 2)

    const response = await service.call(voices)
    const parts: Uint8Array[] = []
    for await (const part of response.body ?? []) parts.push(part)
    expect(Buffer.concat(parts)).toEqual(bytes)
    const broken = parts.filter((part) => Buffer.from(part).toString().includes('�'))
    expect(broken.length).toBeGreaterThan(3)
  })

  test('a real transcription can be spoiled as well', async () => {
    await set({ path: '/paas/v4/audio/*', pieceBytes: 7 })
    const form = transcriptionForm(silence(16_000), { stream: 'true' })
    expect(await (await service.transcribe(form)).text()).toMatch(
      /"text":"".*\n\ndata: \[DONE\]\n\n$/,
    )
  })
})

describe('the switchboard', () => {
  test('a rule is used so many times, on its method and path only, first come first served', async () => {
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

  test('one call may bring its own fault in a header', async () => {
    const headers = { 'x-fault': JSON.stringify({ answer: '503' }) }
    expect((await service.call(voices, { headers })).status).toBe(503)
    expect((await service.call(voices)).status).toBe(200)
    const odd = await service.call(voices, { headers: { 'x-fault': '{' } })
    expect(await failureOf(odd)).toBe('400 1210')
  })

  test('a misspelled fault is refused', async () => {
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

  test('it needs the key', async () => {
    expect((await fetch(`${service.url}/__faults/log`)).status).toBe(401)
  })

  test('the log tells what was received, and never the key', async () => {
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
