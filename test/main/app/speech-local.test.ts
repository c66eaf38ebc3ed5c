import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import type { SpeechSegment } from '../../../src/shared/model/speech.ts'
import { synthesize } from '../../fixtures/speaking-service.ts'

let lectern: TestApp
let voice = { id: '', name: 'Mine' }
const sample = 'The quick brown fox jumps over the lazy dog. '

beforeAll(async () => {
  lectern = await testApp()
  const saved = await lectern.intake('sample.wav', synthesize(sample))
  if (!saved.ok) throw new Error('The sample was not kept')
  const run = async (
    operation: string,
    input: Record<string, unknown>,
  ): Promise<Record<string, string>> => {
    const streamId = `speech-local-${operation.replace('.', '-')}`
    const { id } = await lectern.call('runs.start', { operation, input, streamId })
    await eventually(async () => {
      if ((await lectern.call('runs.get', { id })).state === 'running') throw new Error('it runs')
    })
    return (await lectern.call('runs.get', { id })).value as Record<string, string>
  }
  const file = await run('files.upload', {
    file: saved.data.media.id,
    purpose: 'voice-clone-input',
  })
  const clone = await run('voices.clone', { voiceName: 'mine', input: 'Hello', fileId: file['id'] })
  voice = { id: clone['voice'] ?? '', name: 'Mine' }
}, 60_000)
afterAll(() => lectern.remove())

const settled = (id: string): Promise<readonly SpeechSegment[]> =>
  eventually(async () => {
    const { segments } = await lectern.call('speech.segments', { id })
    if (segments.some(({ state }) => /queued|speaking|checking/.test(state)))
      throw new Error('open')
    return segments
  })

test('synthesizes the sample on-device, verifies it, and raises no alarm if it cannot verify', async () => {
  const text = `${sample}Something else altogether stands in this sentence here. 今天天气很好，我们一起去公园里散步吧。`
  const { speech } = await lectern.call('speech.create', {
    text,
    settings: { voice, pieceLength: 60 },
  })
  await lectern.call('speech.speak', { id: speech.id })
  const [same, other, chinese] = await settled(speech.id)
  expect(same?.take).toMatchObject({ notice: expect.stringContaining('Speech isn’t available') })
  const check = same?.take?.check
  expect(check).toMatchObject({ state: 'heard', engine: 'Moonshine tiny (English)' })
  // The small engine may confuse words, but transcribes all of them.
  expect(check?.state === 'heard' && check.score).toBeGreaterThan(0.7)
  expect(check?.state === 'heard' && check.marks.filter(({ kind }) => kind === 'missing')).toEqual(
    [],
  )
  // The audio is the sample: the words differ, and another attempt would change nothing.
  expect(other).toMatchObject({ state: 'done', takes: 1 })
  expect(other?.take?.check).toMatchObject({ state: 'heard' })
  expect(other?.take?.check?.state === 'heard' && other.take.check.score).toBeLessThan(0.4)
  expect(chinese?.take?.check).toMatchObject({ state: 'unchecked', reason: 'language' })
})

test('reports a provider voice that is missing on-device as a failure', async () => {
  const { speech } = await lectern.call('speech.create', {
    text: sample,
    settings: { voice: { id: 'tongtong', name: 'Tongtong' } },
  })
  await lectern.call('speech.speak', { id: speech.id })
  const [segment] = await settled(speech.id)
  expect(segment).toMatchObject({ state: 'failed', error: { service: { code: '1212' } } })
})
