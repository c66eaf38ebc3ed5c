import { randomFillSync } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openReadIn } from '../../../../../src/main/domains/audio/worker/session-import.ts'
import { loadResampling } from '../../../../../src/system/audio/resample.ts'
import { openSession } from '../../../../../src/main/platform/audio/session-reader.ts'
import { createAudioProgram } from '../../../../../src/main/domains/audio/worker/audio-program.ts'
import { readFileSync } from 'node:fs'
import { chunk, id3, wave, waveFormat } from '../../../../fixtures/audio-bytes.ts'
import { madeKinds, audioFile } from '../../../../fixtures/audio-file.ts'

const home = mkdtempSync(join(tmpdir(), 'lectern-read-in-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const resampling = await loadResampling()
const deps = { resampling, now: () => 1_700_000_000_000, reserveBytes: 1 }
let count = 0

/** Returns a distinct voice: tones that start and stop, so that a shift or a swap is detected. */
function voice(seconds: number, rate: number, seed = 1): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, n) => {
    const t = n / rate
    const loud = 0.5 + 0.5 * Math.sin(2 * Math.PI * (0.7 + 0.13 * seed) * t)
    return 0.4 * loud * Math.sin(2 * Math.PI * (300 * t + 25 * seed * t * t))
  })
}

/** Imports bytes like a file; returns frames by channel, and the journal's content. */
async function read(bytes: Uint8Array, channels: 'auto' | 'split' | 'mix' = 'auto') {
  count += 1
  const path = join(home, `file-${count}`)
  const folder = join(home, `m${count}`)
  writeFileSync(path, bytes)
  const job = await openReadIn(
    { type: 'open', job: 'x', id: `m${count}`, title: 'T', path, folder, channels },
    deps,
  )
  let steps = 0
  while (!(await job.more(20)).done) expect(++steps).toBeLessThan(1000)
  const session = openSession(folder)
  const frames = session.read(0, session.frames())
  session.close()
  const audio = job.roles.map((_, channel) =>
    Float32Array.from(
      { length: frames.length / job.roles.length },
      (_each, n) => (frames[n * job.roles.length + channel] ?? 0) / 32_768,
    ),
  )
  const gaps = readFileSync(join(folder, 'journal.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"gap"'))
    .map(
      (line) =>
        (JSON.parse(line) as { event: { atMs: number; endMs: number; reason: string } }).event,
    )
  return { job, audio, gaps, head: session.head }
}

/** Returns the correlation of two signals, -1 to 1, over a range in samples. */
function similarity(
  a: Float32Array,
  b: Float32Array,
  from = 0,
  to = Math.min(a.length, b.length),
): number {
  let [aa, bb, ab] = [0, 0, 0]
  for (let i = from; i < to; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    aa += x * x
    bb += y * y
    ab += x * y
  }
  return ab / Math.sqrt(aa * bb)
}

const interleaved = (channels: readonly Float32Array[]): Float32Array =>
  Float32Array.from({ length: (channels[0]?.length ?? 0) * channels.length }, (_, i) => {
    return channels[i % channels.length]?.[Math.floor(i / channels.length)] ?? 0
  })

const pcm16 = (samples: Float32Array): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2)
  samples.forEach((v, i) => bytes.writeInt16LE(Math.round(v * 32_767), i * 2))
  return bytes
}

const wav16 = (channels: readonly Float32Array[], sampleRate: number): Buffer =>
  wave([
    chunk('fmt ', waveFormat({ channels: channels.length, sampleRate })),
    chunk('data', pcm16(interleaved(channels))),
  ])

/** Encodes an MP3 with Lectern's own encoder, through a session. */
async function mp3(channels: readonly Float32Array[], rate: number): Promise<Buffer> {
  const made = await read(wav16(channels, rate), channels.length > 1 ? 'split' : 'mix')
  const to = join(home, `made-${count}.mp3`)
  const program = createAudioProgram({ now: Date.now, reserveBytes: 1 })
  const folder = join(home, made.head.id)
  const channel = 'both' as const
  await program({ type: 'write', job: 'w', folder, to, format: 'mp3', channel, range: null })
  expect(await program({ type: 'more', job: 'w', seconds: 600 })).toMatchObject({ done: true })
  return readFileSync(to)
}

const widths: readonly [string, object, (v: number) => Buffer][] = [
  ['8 bit', { bits: 8 }, (v) => Buffer.of(Math.round(v * 127) + 128)],
  [
    '24 bit',
    { bits: 24 },
    (v) => {
      const b = Buffer.alloc(3)
      b.writeIntLE(Math.round(v * 8_388_607), 0, 3)
      return b
    },
  ],
  [
    '32 bit',
    { bits: 32 },
    (v) => {
      const b = Buffer.alloc(4)
      b.writeInt32LE(Math.round(v * 2_147_483_647))
      return b
    },
  ],
  [
    'float',
    { bits: 32, tag: 3 },
    (v) => {
      const b = Buffer.alloc(4)
      b.writeFloatLE(v)
      return b
    },
  ],
  [
    'double',
    { bits: 64, tag: 3 },
    (v) => {
      const b = Buffer.alloc(8)
      b.writeDoubleLE(v)
      return b
    },
  ],
  [
    'extensible 24 bit',
    { bits: 24, tag: 0xfffe, subTag: 1 },
    (v) => {
      const b = Buffer.alloc(3)
      b.writeIntLE(Math.round(v * 8_388_607), 0, 3)
      return b
    },
  ],
]
for (const [name, format, sample] of widths)
  test(`wav: ${name}, 22,050 Hz`, async () => {
    const source = voice(3, 22_050)
    const data = Buffer.concat(Array.from(source, sample))
    const bytes = wave([
      chunk('fmt ', waveFormat({ sampleRate: 22_050, ...format })),
      chunk('data', data),
    ])
    const { audio, job } = await read(bytes)
    expect(job.roles).toEqual(['mono'])
    expect(audio[0]?.length).toBe(48_000)
    expect(similarity(audio[0] ?? source, voice(3, 16_000))).toBeGreaterThan(0.999)
  })

test('imports WAV with A-law and mu-law telephone audio', async () => {
  // Silence, the maximum positive and the maximum negative code of G.711, decoded by the standard's tables.
  const codes = { 6: [0xd5, 0xaa, 0x2a], 7: [0xff, 0x80, 0x00] } as const
  for (const tag of [6, 7] as const) {
    const data = Buffer.concat(codes[tag].map((code) => Buffer.alloc(8000, code)))
    const bytes = wave([
      chunk('fmt ', waveFormat({ tag, bits: 8, sampleRate: 8000 })),
      chunk('data', data),
    ])
    const [audio] = (await read(bytes)).audio
    const at = [8000, 24_000, 40_000].map((n) => audio?.[n] ?? 9)
    expect(Math.abs(at[0] ?? 9)).toBeLessThan(0.001)
    expect(at[1]).toBeCloseTo(tag === 6 ? 0.984 : 0.98, 2)
    expect(at[2]).toBeCloseTo(tag === 6 ? -0.984 : -0.98, 2)
  }
})

test('imports 16-bit WAV at 16 kHz bit for bit, also RF64; mixes six channels into one', async () => {
  const source = voice(2, 16_000)
  const { audio } = await read(wav16([source], 16_000))
  const exact = Float32Array.from(source, (v) => (Math.round(v * 32_767) || 0) / 32_768)
  expect(audio[0]).toEqual(exact)
  const six = await read(
    wav16(
      Array.from({ length: 6 }, () => source),
      16_000,
    ),
  )
  expect(six.job.roles).toEqual(['mono'])
  expect(similarity(six.audio[0] ?? source, source)).toBeGreaterThan(0.999)
  const ds64 = Buffer.alloc(28)
  ds64.writeBigUInt64LE(BigInt(source.length * 2), 8)
  const data = chunk('data', pcm16(source))
  data.writeUInt32LE(0xffff_ffff, 4)
  const rf64 = wave([chunk('ds64', ds64), chunk('fmt ', waveFormat({})), data], 'RF64')
  expect((await read(rf64)).audio[0]).toEqual(exact)
})

for (const kind of madeKinds)
  test(`${kind} keeps its length, its time and its channels`, async () => {
    const source = [voice(4, 48_000, 1), voice(4, 48_000, 3)]
    const { audio, job, gaps } = await read(await audioFile(kind, source), 'split')
    expect(job.roles).toEqual(['left', 'right'])
    expect(Math.abs((audio[0]?.length ?? 0) - 64_000)).toBeLessThan(500)
    expect(similarity(audio[0] ?? new Float32Array(1), voice(4, 16_000, 1))).toBeGreaterThan(0.98)
    expect(similarity(audio[1] ?? new Float32Array(1), voice(4, 16_000, 3))).toBeGreaterThan(0.98)
    expect(gaps).toEqual([])
  })

test('preserves the length of an MP3 to the sample, with and without a leading tag', async () => {
  const source = voice(5, 48_000)
  const bytes = await mp3([source], 48_000)
  // A cover of ten megabytes, in which every byte might begin a frame.
  const cover = id3(10_000_000).fill(0xff, 10)
  for (const file of [bytes, Buffer.concat([id3(70_000), bytes]), Buffer.concat([cover, bytes])]) {
    const { audio, gaps } = await read(file)
    expect(audio[0]?.length).toBe(80_000)
    expect(similarity(audio[0] ?? source, voice(5, 16_000))).toBeGreaterThan(0.98)
    expect(gaps).toEqual([])
  }
})

test('replaces missing data in an MP3 with silence, reports a gap, and preserves later timing', async () => {
  const bytes = await mp3([voice(10, 16_000)], 16_000)
  const hole = [Math.round(bytes.length * 0.4), Math.round(bytes.length * 0.6)] as const
  randomFillSync(bytes, hole[0], hole[1] - hole[0])
  const { audio, gaps } = await read(bytes)
  const [decoded = new Float32Array(0)] = audio
  expect(decoded.length).toBe(160_000)
  expect(gaps).toHaveLength(1)
  expect(gaps[0]).toMatchObject({ reason: 'lost' })
  expect(Math.abs((gaps[0]?.atMs ?? 0) - 4000)).toBeLessThan(150)
  expect(Math.abs((gaps[0]?.endMs ?? 0) - 6000)).toBeLessThan(150)
  const source = voice(10, 16_000)
  expect(similarity(decoded, source, 0, 60_000)).toBeGreaterThan(0.98)
  expect(similarity(decoded, source, 100_000, 160_000)).toBeGreaterThan(0.98)
})

test('splits two channels with two voices, and mixes everything else', async () => {
  const rate = 16_000
  const [a, b] = [voice(12, rate, 1), voice(12, rate, 4)]
  // They speak in turns of two seconds, over the noise of their own microphones.
  const turn = (n: number): boolean => Math.floor(n / rate / 2) % 2 === 0
  let state = 7
  const hiss = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state / 2 ** 31) * 0.003
  }
  const left = a.map((v, n) => (turn(n) ? v : 0) + hiss())
  const right = b.map((v, n) => (turn(n) ? 0 : v) + hiss())
  const cases: readonly [string, readonly Float32Array[], readonly string[]][] = [
    ['two voices', [left, right], ['left', 'right']],
    [
      'two voices that leak',
      [
        left.map((v, n) => v + 0.1 * (right[n] ?? 0)),
        right.map((v, n) => v + 0.1 * (left[n] ?? 0)),
      ],
      ['left', 'right'],
    ],
    ['dual mono', [a, a], ['mono']],
    ['dual mono, one side quieter', [a, a.map((v) => v * 0.2)], ['mono']],
    [
      'a stereo picture',
      [a.map((v, n) => v + 0.6 * (b[n] ?? 0)), b.map((v, n) => v + 0.6 * (a[n] ?? 0))],
      ['mono'],
    ],
    ['both sides at once, unlike', [a, b], ['mono']],
    ['one silent side', [a, new Float32Array(a.length)], ['mono']],
    ['silence', [new Float32Array(rate), new Float32Array(rate)], ['mono']],
  ]
  for (const [name, channels, roles] of cases)
    expect((await read(wav16(channels, rate))).job.roles, name).toEqual(roles)
  expect((await read(wav16([left, right], rate), 'mix')).job.roles).toEqual(['mono'])
  expect((await read(wav16([left], rate), 'split')).job.roles).toEqual(['mono'])
})

test('restarts an import that was cut off, and never deletes a recording', async () => {
  const path = join(home, 'again.wav')
  const folder = join(home, 'again')
  const live = join(home, 'again-live')
  writeFileSync(path, wav16([voice(50, 16_000)], 16_000))
  const request = {
    type: 'open',
    job: 'x',
    id: 'again',
    title: 'T',
    path,
    folder,
    channels: 'auto',
  } as const
  const first = await openReadIn({ ...request, folder: live }, deps)
  await first.more(20)
  // The state on disk when the process ends.
  cpSync(live, folder, { recursive: true })
  await first.abandon()
  const second = await openReadIn(request, deps)
  while (!(await second.more(20)).done);
  const session = openSession(folder)
  expect([session.frames(), session.head.state]).toEqual([800_000, 'closed'])
  session.close()
  const head = { ...session.head, roles: ['mic', 'others'] }
  writeFileSync(join(folder, 'session.json'), JSON.stringify(head))
  await expect(openReadIn(request, deps)).rejects.toMatchObject({ code: 'REFUSED' })
})
