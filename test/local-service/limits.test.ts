import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chunk, mp2Frame, mp3Frame, xingFrame } from '../fixtures/audio-bytes.ts'
import { failureOf, startTestService, transcriptionForm } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { silence, wavOf } from './fixtures/audio-samples.ts'

// A model needs time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 })

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const short = silence(8_000)
const letters = (count: number): string => 'x'.repeat(count)
const words = (count: number): string[] => Array.from({ length: count }, (_, i) => `word${i}`)

type Fields = Parameters<typeof transcriptionForm>[1]

const answer = async (audio: Uint8Array | null, fields: Fields = {}): Promise<string> => {
  const response = await service.transcribe(transcriptionForm(audio, fields))
  if (response.status !== 200) return failureOf(response)
  const body = (await response.json()) as { text: unknown }
  return typeof body.text === 'string' ? 'ok' : 'no text'
}

describe('accepts a field at its limit and rejects one above (service-notes 4 and 16)', () => {
  const cases: readonly (readonly [string, Fields, string])[] = [
    ['request_id of 6 characters', { request_id: letters(6) }, 'ok'],
    ['request_id of 64 characters', { request_id: letters(64) }, 'ok'],
    ['request_id of 5 characters', { request_id: letters(5) }, '400 1214'],
    ['request_id of 65 characters', { request_id: letters(65) }, '400 1214'],
    ['user_id of 6 characters', { user_id: letters(6) }, 'ok'],
    ['user_id of 128 characters', { user_id: letters(128) }, 'ok'],
    ['user_id of 5 characters', { user_id: letters(5) }, '400 1214'],
    ['user_id of 129 characters', { user_id: letters(129) }, '400 1214'],
    ['100 hotwords', { hotwords: words(100) }, 'ok'],
    ['101 hotwords', { hotwords: words(101) }, '400 1214'],
    ['100 hotwords with brackets', { 'hotwords[]': words(100) }, 'ok'],
    ['101 hotwords with brackets', { 'hotwords[]': words(101) }, '400 1214'],
    ['101 hotwords in both forms', { hotwords: words(51), 'hotwords[]': words(50) }, '400 1214'],
    ['an invalid stream value', { stream: 'yes' }, '400 1214'],
    ['stream false', { stream: 'false' }, 'ok'],
    ['the model name of another provider', { model: 'glm-asr-2512' }, 'ok'],
    ['an unknown model', { model: 'gen-asr-2511' }, '400 1211'],
    ['a model with an invalid prefix', { model: '-asr-2512' }, '400 1211'],
    ['no model', { model: null }, '400 1213'],
    ['a prompt beyond the recommended length', { prompt: letters(20_000) }, 'ok'],
  ]
  test.each(cases)('%s', async (_, fields, expected) => {
    expect(await answer(short, fields)).toBe(expected)
  })
})

describe('audio (service-notes 4 and 16)', () => {
  test('accepts 30 seconds of wav and rejects one more sample', async () => {
    expect(await answer(silence(480_000))).toBe('ok')
    expect(await answer(silence(480_001))).toBe('400 1214')
  })

  test('measures mp3 by frames: accepts 30 seconds and rejects one more frame', async () => {
    // 1148 frames of 1152 samples at 44.1 kHz are 29.99 s, one more exceeds 30.
    const frame = mp3Frame()
    expect(await answer(Buffer.concat(Array(1148).fill(frame)))).toBe('ok')
    expect(await answer(Buffer.concat(Array(1149).fill(frame)))).toBe('400 1214')
  })

  test('accepts an mp3 of 30 seconds with silence of its encoder, and rejects one more frame', async () => {
    // 1150 frames are 30.041 s; without 1800 samples they are exactly 30 s, as Lectern's own client counts.
    const withFrames = (count: number): Buffer =>
      Buffer.concat([
        xingFrame(count, (count + 1) * 417, [576, 1224]),
        ...Array<Buffer>(count).fill(mp3Frame()),
      ])
    expect(await answer(withFrames(1150))).toBe('ok')
    expect(await answer(withFrames(1151))).toBe('400 1214')
  })

  test('rejects mp3 with minutes of another layer or rate after a few frames', async () => {
    const few = Buffer.concat(Array<Buffer>(3).fill(mp3Frame()))
    for (const other of [mp2Frame(), mp3Frame({ mpeg: 2, mono: true, rate: 1 })]) {
      expect(await answer(Buffer.concat([few, Buffer.alloc(500_000, other)]))).toBe('400 1214')
    }
  })

  test('measures audio beyond the length in the header', async () => {
    const declared = silence(480_000)
    expect(await answer(Buffer.concat([declared, Buffer.alloc(64_000)]))).toBe('400 1214')
  })

  test('accepts a sample rate of 192 kHz and rejects a higher one with a clear message', async () => {
    const wavAtRate = (rate: number): Buffer => wavOf({ bits: 8, rate, channels: 1 }, 0.3, () => 0)
    expect(await answer(wavAtRate(192_000))).toBe('ok')
    const response = await service.transcribe(transcriptionForm(wavAtRate(767_999)))
    const body = (await response.json()) as { error: unknown }
    expect(body.error).toMatchObject({
      code: '1214',
      message: expect.stringMatching(/sample rate is 767999 Hz.*192000 Hz/),
    })
  })

  test('accepts 25 MB and rejects one more byte', async () => {
    const sized = (bytes: number): Buffer =>
      Buffer.concat([short, chunk('JUNK', Buffer.alloc(bytes - short.length - 8))]).subarray(
        0,
        bytes,
      )
    expect(await answer(sized(25 * 1024 * 1024))).toBe('ok')
    expect(await answer(sized(25 * 1024 * 1024 + 1))).toBe('400 1214')
    expect(await answer(sized(40 * 1024 * 1024))).toBe('400 1214')
  })

  test('detects the format by content, not by name', async () => {
    expect(await answer(Buffer.from('fLaC and what follows it'))).toBe('400 1214')
    expect(await answer(Buffer.from('OggS'.repeat(40)))).toBe('400 1214')
    expect(await answer(Buffer.alloc(0))).toBe('400 1214')
    expect(await answer(short.subarray(0, 20))).toBe('400 1214')
  })

  test('accepts audio as Base64, requires Base64 or a file, and prefers the file', async () => {
    const base64 = short.toString('base64')
    expect(await answer(null, { file_base64: base64 })).toBe('ok')
    expect(await answer(null)).toBe('400 1213')
    expect(await answer(null, { file_base64: 'not base64 at all!' })).toBe('400 1214')
    expect(await answer(short, { file_base64: 'not base64 at all!' })).toBe('ok')
    expect(await answer(Buffer.from('not a sound'), { file_base64: base64 })).toBe('400 1214')
  })

  test('rejects Base64 of more than 25 MB', async () => {
    const large = Buffer.concat([short, Buffer.alloc(25 * 1024 * 1024)])
    expect(await answer(null, { file_base64: large.toString('base64') })).toBe('400 1214')
  })
})

describe('request body', () => {
  const post = (body: string, type: string): Promise<Response> =>
    service.call('/paas/v4/audio/transcriptions', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })

  const formOf = (parts: Iterable<readonly [string, string | Blob]>): FormData => {
    const form = transcriptionForm(short)
    for (const [name, value] of parts)
      if (typeof value === 'string') form.append(name, value)
      else form.append(name, value, 'more.wav')
    return form
  }
  const send = async (form: FormData): Promise<string> => {
    const response = await service.transcribe(form)
    return response.status === 200 ? 'ok' : failureOf(response)
  }

  test('rejects more parts, files or field bytes than any valid request has', async () => {
    const fields = (count: number): [string, string][] =>
      Array.from({ length: count }, (_, i) => [`field${i}`, 'x'])
    expect(await send(formOf(fields(198)))).toBe('ok')
    expect(await send(formOf(fields(199)))).toBe('400 1210')
    expect(await send(formOf([['other', new Blob(['x'])]]))).toBe('ok')
    const others: [string, Blob][] = [1, 2].map((i) => [`other${i}`, new Blob(['x'])])
    expect(await send(formOf(others))).toBe('400 1210')
    const large = letters(20 * 1024 * 1024)
    expect(await send(formOf([['user_text', large]]))).toBe('ok')
    expect(
      await send(
        formOf([
          ['a', large],
          ['b', large],
        ]),
      ),
    ).toBe('400 1210')
  })

  test('ignores a file with another field name', async () => {
    const large = new Blob([new Uint8Array(24 * 1024 * 1024)])
    const form = new FormData()
    form.append('model', 'gen-asr-2512')
    form.append('other', large, 'first.wav')
    form.append('file', new Blob([Uint8Array.from(short)]), 'sound.wav')
    expect(await send(form)).toBe('ok')
    form.delete('file')
    expect(await send(form)).toBe('400 1213')
  })

  test('rejects anything but a complete multipart form', async () => {
    expect(await failureOf(await post('{}', 'application/json'))).toBe('400 1210')
    expect(await failureOf(await post('x', 'multipart/form-data'))).toBe('400 1210')
    const cut = '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\ngen-asr'
    expect(await failureOf(await post(cut, 'multipart/form-data; boundary=b'))).toBe('400 1210')
  })
})

test('returns the fields of service-notes 4, the same request ID, and the engine', async () => {
  const form = transcriptionForm(short, { request_id: 'request-1', model: 'brand-asr-2512' })
  const response = await service.transcribe(form)
  const body = (await response.json()) as Record<string, unknown>
  expect(body).toMatchObject({ request_id: 'request-1', model: 'brand-asr-2512', text: '' })
  expect(body['engine']).toBe('Moonshine tiny (English)')
  expect(body['id']).toMatch(/.{10,}/)
  expect(Math.abs(Number(body['created']) - Date.now() / 1000)).toBeLessThan(600)
  const another = (await (await service.transcribe(transcriptionForm(short))).json()) as {
    request_id: string
  }
  expect(another.request_id.length).toBeGreaterThanOrEqual(6)
  expect(another.request_id.length).toBeLessThanOrEqual(64)
})
