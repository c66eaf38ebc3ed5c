import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pcmOf, audioOfSample, voiceRate } from '../../src/local-service/voices/voice-audio.ts'
import { turnsDuring } from '../fixtures/turns.ts'
import { sineWav } from '../fixtures/wav.ts'
import { outcomeOf, post, uploaded } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

let service: TestService
let sample: string
beforeAll(async () => {
  service = await startTestService()
  sample = await uploaded(
    service,
    sineWav({ seconds: 3, hz: 440 }),
    'sample.wav',
    'voice-clone-input',
  )
})
afterAll(() => service.stop())

interface Row {
  voice: string
  voice_name: string
  voice_type: string
  download_url?: string
  create_time?: string
}

const order = (changes: Json = {}): Json => ({
  model: 'gen-tts-clone',
  voice_name: 'Anna',
  input: 'Hello',
  file_id: sample,
  ...changes,
})
const clone = (changes: Json = {}): Promise<Response> =>
  post(service, '/paas/v4/voice/clone', order(changes))
const list = async (query = '', from = service): Promise<Row[]> => {
  const response = await from.call(`/paas/v4/voice/list${query}`)
  return ((await response.json()) as { voice_list: Row[] }).voice_list
}
const cloned = async (name: string): Promise<{ voice: string; file_id: string }> =>
  (await (await clone({ voice_name: name })).json()) as { voice: string; file_id: string }
const remove = (voice: string): Promise<Response> =>
  post(service, '/paas/v4/voice/delete', { voice, request_id: 'delete' })

test('stores the sample of a clone: a list entry that plays it, a preview file, and a notice', async () => {
  const response = await clone({ request_id: 'clone-1', text: 'what the sample says' })
  const body = (await response.json()) as Json & { voice: string; file_id: string }
  expect(body).toMatchObject({
    file_purpose: 'voice-clone-output',
    request_id: 'clone-1',
    notice: expect.stringMatching(/Cloning isn’t available/),
    engine: expect.any(String),
  })
  const [row] = await list('?voiceType=PRIVATE')
  expect(row).toMatchObject({ voice: body.voice, voice_name: 'Anna', voice_type: 'PRIVATE' })
  expect(row?.create_time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  // The link works without the key.
  const played = await fetch(row?.download_url ?? '')
  expect(played.headers.get('content-type')).toBe('audio/wav')
  const wav = Buffer.from(await played.arrayBuffer())
  expect(wav.readUInt32LE(24)).toBe(24_000)
  expect(wav.length).toBe(44 + 3 * 48_000)
  const preview = await service.call(`/paas/v4/files/${body.file_id}/content`)
  expect(Buffer.from(await preview.arrayBuffer()).equals(wav)).toBe(true)
  expect(await outcomeOf(await remove(body.voice))).toBe('ok')
  expect((await fetch(row?.download_url ?? '')).status).toBe(500)
  expect(await outcomeOf(await service.call(`/paas/v4/files/${body.file_id}/content`))).toBe(
    '400 1214',
  )
})

test('accepts an mp3 as a sample, which may be deleted from the files afterwards', async () => {
  const mp3 = await readFile(new URL('fixtures/paper.mp3', import.meta.url))
  const id = await uploaded(service, mp3, 'paper.mp3', 'voice-clone-input')
  const { voice } = (await (await clone({ voice_name: 'Paper', file_id: id })).json()) as Row
  await service.call(`/paas/v4/files/${id}`, { method: 'DELETE' })
  const [row] = await list('?voiceName=paper')
  expect((await fetch(row?.download_url ?? '')).status).toBe(200)
  expect(await outcomeOf(await remove(voice))).toBe('ok')
})

test('requires unique names, also for concurrent calls', async () => {
  const outcomes = await Promise.all(
    ['Twice', 'Twice', 'Twice'].map(async (name) => outcomeOf(await clone({ voice_name: name }))),
  )
  expect(outcomes.toSorted()).toEqual(['400 1215', '400 1215', 'ok'])
  const [row] = await list('?voiceName=twice')
  await remove(row?.voice ?? '')
  expect(await outcomeOf(await clone({ voice_name: 'Twice' }))).toBe('ok')
  await remove((await list('?voiceName=twice'))[0]?.voice ?? '')
})

test('filters the list by name and type, without previews for voices of the provider', async () => {
  const first = await cloned('Café 声音')
  const second = await cloned('Boris')
  expect((await list()).map((row) => row.voice_name)).toEqual([
    'Boris',
    'Café 声音',
    'Tongtong',
    'Chuichui',
    'Xiaochen',
  ])
  const official = await list('?voiceType=OFFICIAL')
  expect(official.length).toBeGreaterThan(1)
  for (const row of official) expect(row).not.toHaveProperty('download_url')
  expect(await list(`?voiceName=${encodeURIComponent('声')}`)).toMatchObject([
    { voice: first.voice },
  ])
  expect(await list('?voiceName=BOR&voiceType=PRIVATE')).toMatchObject([{ voice: second.voice }])
  expect(await list('?voiceName=nobody')).toEqual([])
  expect(await outcomeOf(await service.call('/paas/v4/voice/list?voiceType=private'))).toBe(
    '400 1214',
  )
  await Promise.all([remove(first.voice), remove(second.voice)])
})

test.each<[string, Json, string]>([
  ['no model', { model: undefined }, '400 1213'],
  ['an unknown model', { model: 'gen-tts' }, '400 1211'],
  ['the model name of another provider', { model: 'glm-tts-clone' }, 'ok'],
  ['no name', { voice_name: undefined }, '400 1213'],
  ['an empty name', { voice_name: '' }, '400 1213'],
  ['no input', { input: undefined }, '400 1213'],
  ['an empty input', { input: '' }, '400 1213'],
  ['a long input (no limit is documented)', { input: 'x'.repeat(100_000) }, 'ok'],
  ['no file', { file_id: undefined }, '400 1213'],
  ['a missing file', { file_id: 'file-unknown' }, '400 1214'],
  ['the shortest request ID', { request_id: '123456' }, 'ok'],
  ['a request ID that is too short', { request_id: '12345' }, '400 1214'],
  ['the longest request ID', { request_id: 'x'.repeat(64) }, 'ok'],
  ['a request ID that is too long', { request_id: 'x'.repeat(65) }, '400 1214'],
  ['a number as the sample transcript', { text: 5 }, '400 1214'],
])('a clone with %s: %s', async (_, changes, expected) => {
  const response = await clone(changes)
  const copy = response.clone()
  expect(await outcomeOf(response)).toBe(expected)
  if (expected === 'ok') await remove(((await copy.json()) as Row).voice)
})

test('accepts only audio uploaded for cloning as a sample', async () => {
  const other = await uploaded(service, Buffer.from('words'), 'words.txt', 'agent')
  expect(await outcomeOf(await clone({ file_id: other }))).toBe('400 1214')
  const noise = await uploaded(service, Buffer.from('noise'), 'noise.wav', 'voice-clone-input')
  expect(await outcomeOf(await clone({ file_id: noise }))).toBe('400 1214')
  expect(await list('?voiceType=PRIVATE')).toEqual([])
})

test('reads the request ID of the list from a header, with the common limits', async () => {
  const status = async (id: string): Promise<string> =>
    outcomeOf(await service.call('/paas/v4/voice/list', { headers: { 'Request-Id': id } }))
  expect(await status('x'.repeat(64))).toBe('ok')
  expect(await status('x'.repeat(65))).toBe('400 1214')
  expect(await status('12345')).toBe('400 1214')
})

test('serves other requests between all steps of processing a long sample', async () => {
  // A clock with which every step takes long.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
  try {
    const long = sineWav({ seconds: 120, hz: 440 })
    let audio = new Float32Array()
    const [read, played] = [120 * 16_000, 120 * voiceRate]
    expect(
      await turnsDuring(async () => (audio = await audioOfSample(long))),
    ).toBeGreaterThanOrEqual(Math.floor(read / 65_536) + Math.floor(played / 8192))
    expect(audio).toHaveLength(played)
    expect(await turnsDuring(() => pcmOf(audio))).toBeGreaterThanOrEqual(
      Math.floor(played / 65_536),
    )
  } finally {
    clock.mockRestore()
  }
})

test('deletes only a cloned voice, and only once', async () => {
  const { voice } = await cloned('Gone')
  const response = await remove(voice)
  expect(await response.json()).toMatchObject({
    voice,
    update_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  })
  expect(await outcomeOf(await remove(voice))).toBe('400 1214')
  expect(await outcomeOf(await remove('tongtong'))).toBe('400 1214')
  expect(await outcomeOf(await post(service, '/paas/v4/voice/delete', {}))).toBe('400 1213')
})

test('preserves voices after a restart, with links to the new URL', async () => {
  const { voice } = await cloned('Lasting')
  await service.restart()
  const [row] = await list('?voiceType=PRIVATE')
  expect(row).toMatchObject({ voice, voice_name: 'Lasting' })
  expect((await fetch(row?.download_url ?? '')).status).toBe(200)
})
