import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { readAudioHeader } from '../../../../src/main/platform/files/audio-header.ts'
import { sourceOf } from '../../../../src/shared/audio/byte-source.ts'
import { readAudioHeader as readHeader } from '../../../../src/shared/audio/header.ts'
import type { AudioHeader } from '../../../../src/shared/audio/header.ts'
import {
  chunk,
  id3,
  mp2Frame,
  mp3Frame,
  wave,
  waveFormat,
  xingFrame,
} from '../../../fixtures/audio-bytes.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-audio-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads the header of these bytes; each call uses a separate file. */
let files = 0
async function header(bytes: Uint8Array): Promise<AudioHeader> {
  const path = join(folder, String((files += 1)))
  writeFileSync(path, bytes)
  try {
    return await readAudioHeader(path)
  } finally {
    rmSync(path)
  }
}

/** Returns the code of the failure, with its type or reason. */
async function failure(bytes: Uint8Array): Promise<string> {
  const outcome = await header(bytes).catch((error: unknown) => error)
  if (!(outcome instanceof AppError)) throw new Error('Expected an AppError', { cause: outcome })
  return [outcome.code, ...Object.values(outcome.params ?? {})].join(' ')
}

/** Returns the number of reads of the header reader, and their bytes in total. */
async function countReads(
  content: Uint8Array,
): Promise<{ readonly count: number; readonly bytes: number }> {
  let count = 0
  let bytes = 0
  const source = sourceOf(content)
  await readHeader({
    size: source.size,
    async bytes(offset, length) {
      const given = await source.bytes(offset, length)
      count += 1
      bytes += given.length
      return given
    },
  }).catch(() => undefined)
  return { count, bytes }
}

const fmt = chunk('fmt ', waveFormat({}))
const second = Buffer.alloc(32_000, 1)

test('a plain WAV', async () => {
  expect(await header(wave([fmt, chunk('data', second)]))).toEqual({
    mime: 'audio/wav',
    seconds: 1,
    sampleRate: 16_000,
    channels: 1,
    bitsPerSample: 16,
    encoding: 'pcm',
    dataOffset: 44,
    dataBytes: 32_000,
    sizeRepaired: false,
  })
})

test.each([
  ['stereo 24 bit', waveFormat({ channels: 2, bits: 24, sampleRate: 8000 }), 'pcm', 48_000],
  ['float', waveFormat({ tag: 3, bits: 32, sampleRate: 8000 }), 'float', 32_000],
  ['mu-law', waveFormat({ tag: 7, bits: 8, sampleRate: 32_000 }), 'mulaw', 32_000],
  ['a-law', waveFormat({ tag: 6, bits: 8, sampleRate: 32_000 }), 'alaw', 32_000],
  ['extensible PCM', waveFormat({ tag: 0xfffe, subTag: 1 }), 'pcm', 32_000],
  [
    'extensible float',
    waveFormat({ tag: 0xfffe, subTag: 3, bits: 32, sampleRate: 8000 }),
    'float',
    32_000,
  ],
  ['ADPCM', waveFormat({ tag: 2, bits: 4, blockAlign: 256, byteRate: 8000 }), 'other', 8192],
])('wav: %s', async (_, format, encoding, bytes) => {
  const found = await header(wave([chunk('fmt ', format), chunk('data', Buffer.alloc(bytes))]))
  expect(found).toMatchObject({ encoding })
  expect(found.seconds).toBeCloseTo(encoding === 'other' ? 8192 / 8000 : 1)
})

test('wav: other chunks before, between and after, including odd sizes', async () => {
  const odd = chunk('LIST', Buffer.alloc(13))
  const bytes = wave([chunk('JUNK', Buffer.alloc(7)), fmt, odd, chunk('data', second), odd])
  expect(await header(bytes)).toMatchObject({ seconds: 1, sizeRepaired: false })
})

test.each([
  ['zero', 0],
  ['unknown', 0xffff_ffff],
  ['more than the file has', 64_000],
  ['half of it, from an earlier update', 16_000],
])('wav: repairs a data size of %s using the file size', async (_, size) => {
  const bytes = wave([fmt, chunk('data', second, size)])
  expect(await header(bytes)).toMatchObject({ seconds: 1, dataBytes: 32_000, sizeRepaired: true })
})

test('wav: omits an incomplete last sample', async () => {
  const format = chunk('fmt ', waveFormat({ channels: 2 }))
  const bytes = wave([format, chunk('data', Buffer.alloc(64_003), 0)]).subarray(0, -1)
  expect(await header(bytes)).toMatchObject({ seconds: 1, dataBytes: 64_000 })
})

test('wav: ignores a few stray bytes after the audio', async () => {
  const bytes = Buffer.concat([wave([fmt, chunk('data', second)]), Buffer.alloc(5)])
  expect(await header(bytes)).toMatchObject({ seconds: 1, sizeRepaired: false })
})

test('RF64 with its 64-bit size', async () => {
  const ds64 = Buffer.alloc(28)
  ds64.writeBigUInt64LE(32_000n, 8)
  const tail = chunk('LIST', Buffer.alloc(2000))
  const bytes = wave([chunk('ds64', ds64), fmt, chunk('data', second, 0xffff_ffff), tail], 'RF64')
  expect(await header(bytes)).toMatchObject({ seconds: 1, dataBytes: 32_000, sizeRepaired: false })
})

test('distinguishes damaged and empty WAVs', async () => {
  const data = chunk('data', second)
  expect(await failure(wave([fmt, chunk('data', Buffer.alloc(0))]))).toBe('EMPTY_FILE')
  expect(await failure(wave([fmt]))).toBe('DAMAGED_FILE wav no-data')
  expect(await failure(wave([data]))).toBe('DAMAGED_FILE wav no-format')
  expect(await failure(wave([chunk('fmt ', Buffer.alloc(16)), data]))).toBe(
    'DAMAGED_FILE wav format',
  )
  expect(await failure(wave([chunk('fmt ', Buffer.alloc(6)), data]))).toBe(
    'DAMAGED_FILE wav format',
  )
  const odd = chunk('fmt ', waveFormat({ blockAlign: 3 }))
  expect(await failure(wave([odd, data]))).toBe('DAMAGED_FILE wav format')
  for (const length of [4, 11, 12, 20, 30, 43])
    expect(await failure(wave([fmt, data]).subarray(0, length))).toMatch(/^DAMAGED_FILE wav/)
  expect(await failure(Buffer.alloc(0))).toBe('EMPTY_FILE')
})

const frames = (count: number, frame = mp3Frame()): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => frame))

test('mp3: counts frames where their number is not specified', async () => {
  expect(await header(frames(100))).toEqual({
    mime: 'audio/mpeg',
    seconds: (100 * 1152) / 44_100,
    sampleRate: 44_100,
    channels: 2,
    frames: 100,
    countedBy: 'frames',
    dataOffset: 0,
  })
})

test.each([
  ['MPEG 2 mono', mp3Frame({ mpeg: 2, mono: true }), 576 / 22_050],
  ['MPEG 2.5', mp3Frame({ mpeg: 2.5 }), 576 / 11_025],
  ['padded', mp3Frame({ padding: true }), 1152 / 44_100],
])('mp3: %s', async (_, frame, each) => {
  const found = await header(frames(50, frame))
  expect(found.seconds).toBeCloseTo(50 * each)
})

test('mp3: walks changing bit rates exactly', async () => {
  const mixed = Array.from({ length: 90 }, (_, i) => mp3Frame({ rate: 1 + (i % 14) }))
  expect(await header(Buffer.concat(mixed))).toMatchObject({ frames: 90 })
})

test('mp3: ignores tags around the audio', async () => {
  const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])
  const bytes = Buffer.concat([id3(300_000), id3(20), frames(40), id3v1])
  expect(await header(bytes)).toMatchObject({ frames: 40, dataOffset: 300_040 })
})

test('mp3: finds the audio despite an oversized tag, junk and a truncated last frame', async () => {
  const lying = id3(100)
  lying[6] = 0x7f
  const cases = [
    Buffer.concat([lying, frames(30)]),
    Buffer.concat([id3(10), Buffer.alloc(5000, 0xff), frames(30)]),
    Buffer.concat([frames(15), Buffer.alloc(3000, 'junk'), frames(15)]),
    Buffer.concat([frames(30), mp3Frame().subarray(0, 200)]),
  ]
  for (const bytes of cases) expect(await header(bytes)).toMatchObject({ frames: 30 })
})

test('mp3: uses a Xing header that matches the file, including its delays', async () => {
  const size = 61 * 417
  const audio = frames(60)
  expect(await header(Buffer.concat([xingFrame(60, size), audio]))).toMatchObject({
    frames: 60,
    countedBy: 'header',
    seconds: (60 * 1152) / 44_100,
  })
  expect(await header(Buffer.concat([xingFrame(60, size, [576, 1000]), audio]))).toMatchObject({
    seconds: (60 * 1152 - 1576) / 44_100,
  })
})

test('mp3: ignores a Xing header of another length, and does not count its frame', async () => {
  const cut = Buffer.concat([xingFrame(6000, 6001 * 417), frames(60)])
  expect(await header(cut)).toMatchObject({ frames: 60, countedBy: 'frames' })
  const withoutLength = xingFrame(60, 0)
  withoutLength.writeUInt32BE(1, 40)
  expect(await header(Buffer.concat([withoutLength, frames(70)]))).toMatchObject({ frames: 70 })
})

test('mp3: detects audio of another layer or rate after the frames, since decoders play it', async () => {
  const other = [frames(500, mp2Frame()), frames(500, mp3Frame({ mpeg: 2, mono: true, rate: 1 }))]
  for (const audio of other) {
    const mixed = [
      [frames(3), audio],
      [frames(3), Buffer.alloc(200_000), audio],
      [frames(3), Buffer.from('TAG'), Buffer.alloc(125), audio],
      [frames(3), audio, frames(3)],
      [xingFrame(3, 4 * 417), frames(3), audio],
      [id3(20), audio, frames(3)],
    ]
    for (const [index, parts] of mixed.entries()) {
      expect(await failure(Buffer.concat(parts)), `case ${index}`).toBe('DAMAGED_FILE mp3 mixed')
    }
  }
})

test('mp3: counts audio after a tag, as decoders play it', async () => {
  const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])
  expect(await header(Buffer.concat([frames(30), tag, id3(50), frames(20)]))).toMatchObject({
    frames: 50,
  })
})

test('mp3: ignores a header that specifies fewer frames than there are', async () => {
  expect(await header(Buffer.concat([xingFrame(10, 2001 * 417), frames(2000)]))).toMatchObject({
    frames: 2000,
    countedBy: 'frames',
  })
})

test('mp3: gives up early on a file of isolated sync words', async () => {
  const lone = Buffer.alloc(4_000_000, Buffer.from([0xff, 0xfb, 0x90, 0xc0]))
  const bytes = Buffer.concat([frames(3), lone])
  expect(await failure(bytes)).toBe('DAMAGED_FILE mp3')
  // The first 20,000 of a million, each of which takes three reads.
  expect((await countReads(bytes)).count).toBeLessThan(70_000)
})

test('mp3: uses a VBRI header', async () => {
  const first = mp3Frame()
  first.write('VBRI', 36, 'latin1')
  first.writeUInt32BE(61 * 417, 46)
  first.writeUInt32BE(60, 50)
  expect(await header(Buffer.concat([first, frames(60)]))).toMatchObject({
    frames: 60,
    countedBy: 'header',
  })
})

test('mp3: treats free format, isolated sync words and tags without audio as damage', async () => {
  const free = mp3Frame()
  free[2] = 0
  expect(await failure(frames(20, free))).toBe('DAMAGED_FILE mp3')
  expect(await failure(Buffer.concat([mp3Frame(), Buffer.alloc(5000, 'x')]))).toBe(
    'DAMAGED_FILE mp3',
  )
  expect(await failure(id3(500))).toBe('DAMAGED_FILE mp3')
  expect(await failure(Buffer.concat([id3(5), Buffer.alloc(400_000, 'noise')]))).toBe(
    'DAMAGED_FILE mp3',
  )
})

test.each([
  ['m4a', '\0\0\0\x20ftypM4A '],
  ['mp4', '\0\0\0\x20ftypisom'],
  ['ogg', 'OggS\0\x02'],
  ['flac', 'fLaC\0\0\0\x22'],
  ['webm', '\x1aE\xdf\xa3\x01'],
  ['aac', '\xff\xf1\x50\x80'],
  ['aiff', 'FORM\0\0\0\0AIFF'],
  ['avi', 'RIFF\0\0\0\0AVI LIST'],
  ['amr', '#!AMR\n'],
  ['wma', '0&\xb2u\x8ef\xcf\x11'],
  ['pdf', '%PDF-1.7'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpg', '\xff\xd8\xff\xe0'],
  ['zip', 'PK\x03\x04'],
  ['html', '\n<!DOCTYPE html>'],
  ['json', '{"text": 1}'],
])('identifies %s by its content', async (kind, start) => {
  const bytes = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(300)])
  expect(await failure(bytes)).toBe(`UNSUPPORTED_FORMAT ${kind}`)
})

test('reports no type for unknown content', async () => {
  expect(await failure(Buffer.from('just words'))).toBe('UNSUPPORTED_FORMAT')
})

test('a missing file', async () => {
  await expect(readAudioHeader(join(folder, 'absent'))).rejects.toMatchObject({
    code: 'FILE_MISSING',
  })
})

test('any bytes return a sane header or a known failure, with a few reads at most', async () => {
  const good = [
    wave([chunk('LIST', Buffer.alloc(9)), fmt, chunk('data', Buffer.alloc(3000, 3))]),
    Buffer.concat([id3(20), xingFrame(9, 10 * 417, [576, 576]), frames(9)]),
    frames(12, mp3Frame({ mpeg: 2 })),
  ]
  const damage = fc.record({
    base: fc.constantFrom(...good),
    length: fc.nat(6000),
    edits: fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 12 }),
    tail: fc.uint8Array({ maxLength: 40 }),
  })
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }),
    damage.map(({ base, length, edits, tail }) => {
      const copy = Buffer.concat([base.subarray(0, length), tail])
      for (const [at, value] of edits) if (at < copy.length) copy[at] = value
      return copy
    }),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const found = await header(content).catch((error: unknown) => error)
      const { count, bytes: read } = await countReads(content)
      expect(count).toBeLessThan(40 + content.length)
      expect(read).toBeLessThan(4000 + 16 * content.length)
      if (found instanceof AppError) {
        expect(found.code).toMatch(/^(EMPTY_FILE|DAMAGED_FILE|UNSUPPORTED_FORMAT)$/)
        return
      }
      const sane = found as AudioHeader
      expect(Number.isFinite(sane.seconds) && sane.seconds >= 0).toBe(true)
      expect(sane.sampleRate).toBeGreaterThan(0)
      expect(sane.channels).toBeGreaterThan(0)
    }),
    { numRuns: 1500 },
  )
})

test('real encoders agree', async () => {
  const speech = join(folder, 'speech.wav')
  execFileSync('espeak-ng', ['-w', speech, 'Ask not what your country can do for you.'])
  const wav = await readAudioHeader(speech)
  expect(wav).toMatchObject({ mime: 'audio/wav', sampleRate: 22_050, channels: 1 })
  expect(wav.seconds).toBeGreaterThan(1)
  expect(wav.seconds).toBeLessThan(6)
})

const samples = join(import.meta.dirname, '../../../../../shared/samples')
test('the samples, if available next to the project, have their documented length', async () => {
  if (!existsSync(samples)) return console.log('extra check left out: ../shared/samples is absent')
  for (const [name, seconds] of [
    ['jfk.wav', 11],
    ['jfk.mp3', 11],
    ['meeting-two-channels.mp3', 198.5],
  ] as const)
    expect((await readAudioHeader(join(samples, name))).seconds).toBeCloseTo(seconds, 0)
})
