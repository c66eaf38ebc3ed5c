import { afterAll, beforeAll, expect, test } from 'vitest'
import { sineWav } from '../fixtures/wav.ts'
import { outcomeOf, post, uploaded } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { wavOf } from './fixtures/audio-samples.ts'
import { dataOf } from './fixtures/streams.ts'

let service: TestService
let voice: string
const cloneOf = async (wav: Uint8Array, name: string): Promise<string> => {
  const file_id = await uploaded(service, wav, 'sample.wav', 'voice-clone-input')
  const body = { model: 'gen-tts-clone', voice_name: name, input: 'Hello', file_id }
  const response = await post(service, '/paas/v4/voice/clone', body)
  return ((await response.json()) as { voice: string }).voice
}
beforeAll(async () => {
  service = await startTestService()
  voice = await cloneOf(sineWav({ seconds: 2, hz: 500 }), 'Anna')
})
afterAll(() => service.stop())

const speak = (changes: Json = {}, init: RequestInit = {}): Promise<Response> =>
  post(
    service,
    '/paas/v4/audio/speech',
    { model: 'gen-tts', input: 'Hello', voice, ...changes },
    init,
  )
const pcmOf = async (changes: Json = {}): Promise<Int16Array> =>
  new Int16Array(await (await speak(changes)).arrayBuffer())

/** Returns the frequency of a pure tone at 24 kHz, by its rising zero crossings. */
const toneOf = (samples: Int16Array): number => {
  let rises = 0
  for (let i = 1; i < samples.length; i++)
    if ((samples[i - 1] ?? 0) < 0 && (samples[i] ?? 0) >= 0) rises++
  return (rises * 24_000) / samples.length
}
const peakOf = (samples: Int16Array): number =>
  samples.reduce((max, value) => Math.max(max, Math.abs(value)), 0)

test('returns the sample of a cloned voice as 16-bit mono PCM of 24 kHz', async () => {
  const response = await speak()
  expect(response.headers.get('content-type')).toBe('audio/pcm')
  const notice = decodeURIComponent(response.headers.get('x-notice')?.replace("UTF-8''", '') ?? '')
  expect(notice).toMatch(/Speech isn’t available on-device/)
  const samples = new Int16Array(await response.arrayBuffer())
  expect(samples).toHaveLength(48_000)
  expect(toneOf(samples)).toBeCloseTo(500, -1)
  expect(peakOf(samples)).toBeGreaterThan(7800)
  expect(peakOf(samples)).toBeLessThan(8200)
})

test('converts stereo of another rate to the same format', async () => {
  const stereo = wavOf({ bits: 24, rate: 44_100, channels: 2 }, 1, (time, channel) =>
    channel === 0 ? 0.5 * Math.sin(2 * Math.PI * 300 * time) : 0,
  )
  const other = await cloneOf(stereo, 'Stereo')
  const samples = await pcmOf({ voice: other })
  expect(samples).toHaveLength(24_000)
  expect(toneOf(samples)).toBeCloseTo(300, -1)
  expect(peakOf(samples) / 32_768).toBeCloseTo(0.25, 1)
})

test('returns wav with a correct header', async () => {
  const response = await speak({ response_format: 'wav' })
  expect(response.headers.get('content-type')).toBe('audio/wav')
  const wav = Buffer.from(await response.arrayBuffer())
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
  expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
    1, 24_000, 16,
  ])
  expect(wav.readUInt32LE(40)).toBe(96_000)
  expect(wav.length).toBe(44 + 96_000)
})

test('changes length and pitch by speed, and amplitude by volume', async () => {
  const fast = await pcmOf({ speed: 2 })
  expect(fast).toHaveLength(24_000)
  expect(toneOf(fast)).toBeCloseTo(1000, -1)
  expect(await pcmOf({ speed: 0.5 })).toHaveLength(96_000)
  expect(peakOf(await pcmOf({ volume: 0.5 }))).toBeCloseTo(4000, -2)
  const loud = await pcmOf({ volume: 10 })
  expect([Math.min(...loud), Math.max(...loud)]).toEqual([-32_768, 32_767])
})

test.each(['base64', 'hex'] as const)(
  'streams %s as the same PCM in chunks, a last chunk without delta, then [DONE]',
  async (encoding) => {
    const response = await speak({
      stream: true,
      encode_format: encoding,
      request_id: 'a-stream',
    })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = dataOf(await response.text())
    expect(events.at(-1)).toBe('[DONE]')
    const chunks = events.slice(0, -1).map(
      (text) =>
        JSON.parse(text) as {
          id: string
          request_id: string
          choices: {
            index: number
            delta?: { role: string; content: string; return_sample_rate: number }
            finish_reason: string | null
          }[]
          engine?: string
          notice?: string
        },
    )
    expect(chunks.length).toBeGreaterThan(5)
    const last = chunks.at(-1)
    expect(last?.choices).toEqual([{ index: 0, finish_reason: 'stop' }])
    expect(last?.notice).toMatch(/Speech isn’t available on-device/)
    expect(last?.engine).toEqual(expect.any(String))
    expect(new Set(chunks.map(({ id, request_id }) => `${id} ${request_id}`)).size).toBe(1)
    expect(last?.request_id).toBe('a-stream')
    const buffers = chunks.slice(0, -1).map(({ choices: [choice] }) => {
      expect(choice?.delta?.return_sample_rate).toBe(24_000)
      return Buffer.from(choice?.delta?.content ?? '', encoding)
    })
    const whole = Buffer.from(await (await speak()).arrayBuffer())
    expect(Buffer.concat(buffers).equals(whole)).toBe(true)
  },
)

test('encodes a stream as base64 by default', async () => {
  const first = dataOf(await (await speak({ stream: true })).text())[0] ?? '{}'
  const { choices } = JSON.parse(first) as { choices: { delta: { content: string } }[] }
  expect(choices[0]?.delta.content.length).toBe((9600 / 3) * 4)
})

test('reports that voices of the provider are not available on-device', async () => {
  for (const official of ['tongtong', 'jam']) {
    const response = await speak({ voice: official })
    const { error } = (await response.clone().json()) as { error: { message: string } }
    expect(await outcomeOf(response)).toBe('400 1212')
    expect(error.message).toMatch(/Speech isn’t available on-device/)
  }
  expect(await outcomeOf(await speak({ voice: 'nobody' }))).toBe('400 1214')
})

test.each<[string, Json, string]>([
  ['no model', { model: undefined }, '400 1213'],
  ['an unknown model', { model: 'gen-tts-clone' }, '400 1211'],
  ['the older model', { model: 'cogtts' }, 'ok'],
  ['no input', { input: undefined }, '400 1213'],
  ['the longest input', { input: '声'.repeat(1024) }, 'ok'],
  ['an input that is one character too long', { input: '声'.repeat(1025) }, '400 1214'],
  ['no voice', { voice: undefined }, '400 1213'],
  ['the minimum speed', { speed: 0.5 }, 'ok'],
  ['a speed below the minimum', { speed: 0.49 }, '400 1214'],
  ['the maximum speed', { speed: 2 }, 'ok'],
  ['a speed above the maximum', { speed: 2.01 }, '400 1214'],
  ['a volume of 0', { volume: 0 }, '400 1214'],
  ['a volume just above 0', { volume: 0.001 }, 'ok'],
  ['the maximum volume', { volume: 10 }, 'ok'],
  ['a volume above the maximum', { volume: 10.01 }, '400 1214'],
  ['a volume as text', { volume: 'loud' }, '400 1214'],
  ['an unsupported format', { response_format: 'mp3' }, '400 1214'],
  ['streaming in WAV', { stream: true, response_format: 'wav' }, '400 1215'],
  ['an unknown encoding', { stream: true, encode_format: 'base32' }, '400 1214'],
  ['stream as text', { stream: 'yes' }, '400 1214'],
  ['watermark_enabled as a number', { watermark_enabled: 1 }, '400 1214'],
  ['a request ID that is too short', { request_id: '12345' }, '400 1214'],
  ['a user ID of 6 characters', { user_id: '123456' }, 'ok'],
  ['a user ID that is too long', { user_id: 'x'.repeat(129) }, '400 1214'],
])('speech with %s: %s', async (_, changes, expected) => {
  expect(await outcomeOf(await speak(changes))).toBe(expected)
})

test('continues to serve others when a caller disconnects from a stream', async () => {
  const gone = new AbortController()
  const response = await speak({ stream: true }, { signal: gone.signal })
  await response.body?.getReader().read()
  gone.abort()
  expect(await pcmOf()).toHaveLength(48_000)
})
