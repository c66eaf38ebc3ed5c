import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type AudioWork,
  createAudioWork,
} from '../../../../../src/main/domains/audio/service/audio-worker.ts'
import { chunk, wave, waveFormat } from '../../../../fixtures/audio-bytes.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'

let home: string
let work: AudioWork | null = null
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'lectern-sound-work-'))))
afterEach(async () => {
  await work?.close()
  rmSync(home, { recursive: true, force: true })
})

const program = workerUrl('audio')
const log = { info: () => {}, warn: () => {}, error: () => {} }
const made = (url = program): AudioWork =>
  (work = createAudioWork({ workerUrl: () => url, folderOf: (id) => join(home, id), log }))

/** A tone of the given seconds at 16 kHz. */
function tone(name: string, seconds: number): string {
  const data = Buffer.alloc(seconds * 32_000)
  for (let n = 0; n < seconds * 16_000; n++)
    data.writeInt16LE(Math.round(9000 * Math.sin(n * 0.1)), n * 2)
  const path = join(home, name)
  writeFileSync(path, wave([chunk('fmt ', waveFormat({})), chunk('data', data)]))
  return path
}

const job = (id: string, path: string) => ({ id, title: id, path, channels: 'auto' }) as const
const noProgress = { opened: () => {}, step: () => {} }
const never = new AbortController().signal

test('imports a file in steps, and cuts segments and writes files from it', async () => {
  const audioWork = made()
  const steps: number[] = []
  const opened: unknown[] = []
  const on = { opened: (info: unknown) => opened.push(info), step: (ms: number) => steps.push(ms) }
  const { durationMs } = await audioWork.readIn(job('a', tone('a.wav', 150)), on, never)
  expect(durationMs).toBe(150_000)
  expect(opened).toMatchObject([{ roles: ['mono'], sampleRate: 16_000, seconds: 150 }])
  expect(steps.at(-1)).toBe(150_000)
  expect(steps.length).toBeGreaterThan(2)

  const segment = await audioWork.extractSegment('a', 0, { startMs: 1000, endMs: 2500 })
  expect(segment.length).toBe(44 + 48_000)
  const samples = new Int16Array(segment.slice(44).buffer)
  expect(samples[0]).toBe(Math.round(9000 * Math.sin(1600)))

  const to = join(home, 'out.wav')
  const range = { startMs: 1000, endMs: 2500 }
  await audioWork.writeAudio({ id: 'a', to, format: 'wav', channel: 'both', range }, never)
  expect(readFileSync(to)).toEqual(Buffer.from(segment))
  const again = audioWork.writeAudio({ id: 'a', to, format: 'wav', channel: 0, range: null }, never)
  await expect(again).rejects.toMatchObject({ code: 'REFUSED' })
  const nothing = { startMs: 200_000, endMs: 210_000 }
  await expect(
    audioWork.writeAudio(
      { id: 'a', to: `${to}2`, format: 'mp3', channel: 0, range: nothing },
      never,
    ),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(audioWork.extractSegment('b', 0, range)).rejects.toMatchObject({
    code: 'FILE_MISSING',
  })
})

test('stopped work leaves nothing behind', async () => {
  const audioWork = made()
  const path = tone('a.wav', 200)
  const readAbort = new AbortController()
  const on = { ...noProgress, step: () => readAbort.abort() }
  await expect(audioWork.readIn(job('a', path), on, readAbort.signal)).rejects.toMatchObject({
    code: 'CANCELLED',
  })
  expect(readdirSync(home)).toEqual(['a.wav'])
  await audioWork.readIn(job('a', path), noProgress, never)
  const writing = AbortSignal.abort()
  const to = join(home, 'out.mp3')
  await expect(
    audioWork.writeAudio({ id: 'a', to, format: 'mp3', channel: 0, range: null }, writing),
  ).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(readdirSync(home).toSorted()).toEqual(['a', 'a.wav'])
})

test('errors keep their codes across the thread boundary', async () => {
  const audioWork = made()
  const bad = join(home, 'bad.mp3')
  writeFileSync(
    bad,
    Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(500)]),
  )
  await expect(audioWork.readIn(job('a', bad), noProgress, never)).rejects.toMatchObject({
    code: 'DAMAGED_FILE',
    params: { kind: 'mp3' },
  })
  await expect(audioWork.readIn(job('a', `${bad}x`), noProgress, never)).rejects.toMatchObject({
    code: 'FILE_MISSING',
  })
})

test('a file that crashes the program fails alone: other files and the app continue', async () => {
  // The real program, except that it crashes on one file, as with a broken decoder.
  const broken = join(home, 'dies.mjs')
  writeFileSync(
    broken,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', (message) => {
       if (message.request?.job === 'read bad' && message.request.type === 'more') process.exit(3)
     })
     await import(${JSON.stringify(program.href)})`,
  )
  const audioWork = made(new URL(`file://${broken}`))
  const good = audioWork.readIn(job('good', tone('good.wav', 150)), noProgress, never)
  const bad = audioWork.readIn(job('bad', tone('bad.wav', 150)), noProgress, never)
  await expect(bad).rejects.toMatchObject({ code: 'DAMAGED_FILE' })
  expect(await good).toEqual({ durationMs: 150_000 })
  expect(existsSync(join(home, 'bad'))).toBe(false)
})
