import { randomFillSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import { openReadIn } from '../../../../../src/main/domains/audio/worker/session-import.ts'
import { loadResampling } from '../../../../../src/system/audio/resample.ts'
import { chunk, wave, waveFormat, xingFrame, mp3Frame } from '../../../../fixtures/audio-bytes.ts'
import { madeKinds, audioFile } from '../../../../fixtures/audio-file.ts'

const home = mkdtempSync(join(tmpdir(), 'lectern-hostile-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const deps = { resampling: await loadResampling(), now: () => 0, reserveBytes: 1 }
const path = join(home, 'file')
const folder = join(home, 'session')

/** Imports bytes: returns the resulting milliseconds, or the code of the refusal. */
async function outcome(bytes: Uint8Array): Promise<number | string> {
  writeFileSync(path, bytes)
  try {
    const job = await openReadIn(
      { type: 'open', job: 'x', id: 'h', title: 'T', path, folder, channels: 'auto' },
      deps,
    )
    for (let step = 0; step < 1000; step++) {
      const { done, doneMs } = await job.more(60)
      if (done) return doneMs
    }
    return 'endless'
  } catch (error) {
    // A refused file leaves no session behind; any other error is a bug.
    if (!(error instanceof AppError)) throw error
    expect(existsSync(folder)).toBe(false)
    return error.code
  }
}

const refusals = ['DAMAGED_FILE', 'UNSUPPORTED_FORMAT', 'EMPTY_FILE']

/** Whether bytes were refused with a known code, or produced audio of a plausible length. */
function isFair(result: number | string, maxMs: number): boolean {
  return typeof result === 'number' ? result >= 0 && result <= maxMs : refusals.includes(result)
}

const tone = Float32Array.from({ length: 48_000 * 2 }, (_, n) => 0.4 * Math.sin(n * 0.05))

for (const kind of madeKinds)
  test(`${kind} truncated or overwritten anywhere yields the remaining audio or an error message`, async () => {
    const whole = await audioFile(kind, [tone])
    const cuts = [0.999, 0.4, 0.02]
    for (const part of cuts) {
      const result = await outcome(whole.subarray(0, Math.floor(whole.length * part)))
      expect(isFair(result, 2100), `${part}: ${result}`).toBe(true)
    }
    for (const part of [0.05, 0.6]) {
      const hurt = whole.slice()
      const at = Math.floor(hurt.length * part)
      randomFillSync(hurt, at, Math.min(4000, hurt.length - at))
      // Times may be damaged as well: silence of an hour is accepted, but not more.
      expect(isFair(await outcome(hurt), 4 * 3_600_000 + 10_000), `${part}`).toBe(true)
    }
  })

test('rejects random bytes after the signature of every format with a message', async () => {
  const heads = [
    'OggS\0\x02',
    'fLaC\0\0\0\x22',
    '\x1aE\xdf\xa3',
    '\0\0\0\x20ftypisom',
    '\0\0\0\x20ftypM4A ',
    'RIFF\xff\xff\xff\xffWAVEfmt ',
    'ID3\x04\0\0\0\0\x10\0',
    '\xff\xfb\x90\0',
    '',
  ]
  for (const head of heads) {
    const bytes = Buffer.alloc(100_000)
    randomFillSync(bytes)
    bytes.write(head, 'latin1')
    const result = await outcome(bytes)
    expect(isFair(result, 60_000), `${JSON.stringify(head)}: ${result}`).toBe(true)
  }
})

test('rejects headers with impossible values, and does not trust claimed lengths', async () => {
  const data = chunk('data', Buffer.alloc(64_000))
  const wav = (format: Parameters<typeof waveFormat>[0]): Buffer =>
    wave([chunk('fmt ', waveFormat(format)), data])
  expect(await outcome(wav({ sampleRate: 0 }))).toBe('DAMAGED_FILE')
  expect(await outcome(wav({ sampleRate: 4_000_000_000, byteRate: 1 }))).toBe('DAMAGED_FILE')
  expect(await outcome(wav({ channels: 30_000, bits: 16, byteRate: 1 }))).toBe('DAMAGED_FILE')
  expect(await outcome(wave([chunk('fmt ', waveFormat({})), chunk('data', Buffer.alloc(0))]))).toBe(
    'EMPTY_FILE',
  )
  expect(await outcome(new Uint8Array(0))).toBe('EMPTY_FILE')
  // Ten gigabytes in the header, a tenth of a second in the file.
  const frames = Array.from({ length: 4 }, () => mp3Frame())
  const claims = Buffer.concat([xingFrame(24_000_000, 10_000_000_000 % 2 ** 32), ...frames])
  expect(isFair(await outcome(claims), 200)).toBe(true)
})

test('has separate messages for protected audio, and for video without audio', async () => {
  const whole = Buffer.from(await audioFile('m4a', [tone.subarray(0, 9600)]))
  const at = whole.indexOf('mp4a')
  for (const entry of ['drms', 'enca']) {
    const locked = Buffer.from(whole)
    locked.write(entry, at, 'latin1')
    expect(await outcome(locked), entry).toBe('PROTECTED_SOUND')
  }
  const silent = Buffer.from(whole)
  // The track is marked as video.
  silent.write('vide', silent.indexOf('soun'), 'latin1')
  expect(await outcome(silent)).toBe('NO_SOUND')
})

test('reports an unsupported format or codec as such, not as damaged', async () => {
  const data = chunk('data', Buffer.alloc(4096))
  const adpcm = { tag: 2, bits: 4, blockAlign: 1024, byteRate: 8000 }
  expect(await outcome(wave([chunk('fmt ', waveFormat(adpcm)), data]))).toBe('UNSUPPORTED_FORMAT')
  // A stream of bare AAC frames, which no decoder here supports.
  const adts = Buffer.concat(
    Array.from({ length: 20 }, () =>
      Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc, ...Array(9).fill(0)]),
    ),
  )
  expect(await outcome(adts)).toBe('UNSUPPORTED_FORMAT')
})
