import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  planJoin,
  type JoinOptions,
  type JoinSegment,
} from '../../../../../../src/main/domains/voices/worker/speech-output/join-audio.ts'
import { inspectTake } from '../../../../../../src/main/domains/voices/worker/speech-output/inspect-audio.ts'
import {
  writeSpeechOutput,
  type Written,
} from '../../../../../../src/main/domains/voices/worker/speech-output/write-audio.ts'
import { loadResampling } from '../../../../../../src/system/audio/resample.ts'
import { waveHeader } from '../../../../../../src/shared/audio/wave-header.ts'
import { randomFrom } from '../../../../../fixtures/random.ts'
import { temporaryFolder } from '../fixture.ts'

const resampling = await loadResampling()

const folderOf = (): string => {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  return folder.path
}

function wavOf(samples: Float32Array, rate: number): Buffer {
  const pcm = Int16Array.from(samples, (sample) => Math.round(sample * 32_767))
  const header = waveHeader({ channels: 1, sampleRate: rate }, pcm.byteLength)
  return Buffer.concat([header, new Uint8Array(pcm.buffer)])
}

/** Returns noise with silence around it: independent noise preserves its power through a crossfade. */
function noise(
  seed: number,
  rate: number,
  seconds: number,
  level: number,
  lead = 0,
  tail = 0,
): Float32Array {
  const random = randomFrom(seed)
  const samples = new Float32Array(Math.round((lead + seconds + tail) * rate))
  const from = Math.round(lead * rate)
  for (let i = 0; i < Math.round(seconds * rate); i++)
    samples[from + i] = (random() * 2 - 1) * level
  return samples
}

async function segmentOf(
  folder: string,
  id: string,
  samples: Float32Array,
  rate: number,
  pauseMs: number,
): Promise<JoinSegment> {
  const path = join(folder, `${id}.wav`)
  writeFileSync(path, wavOf(samples, rate))
  return { id, path, audio: await inspectTake(path), pauseMs }
}

async function joined(
  folder: string,
  segments: readonly JoinSegment[],
  options: JoinOptions,
): Promise<Written & { readonly audio: Int16Array; readonly path: string }> {
  const path = join(folder, 'all.wav')
  const work = {
    kind: 'join',
    segments,
    options,
    to: path,
    peaksTo: join(folder, 'all.dat'),
  } as const
  const steps = writeSpeechOutput(work, resampling)
  let step = await steps.next()
  while (!step.done) step = await steps.next()
  const bytes = readFileSync(path)
  return { ...step.value, path, audio: new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44)) }
}

const rms = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length)

test('trims silence, adds pauses, and has every length right to the sample', async () => {
  const folder = folderOf()
  const segments = [
    await segmentOf(folder, 'a', noise(1, 24_000, 1, 0.3, 0.5, 0.7), 24_000, 250),
    await segmentOf(folder, 'b', noise(2, 24_000, 0.8, 0.3, 0.2, 0.3), 24_000, 700),
    await segmentOf(folder, 'c', noise(3, 24_000, 0.5, 0.3), 24_000, 700),
  ]
  // At most 40 ms of silence before and 80 after; there is no pause after the last segment.
  const lengths = segments.map(({ audio }) => audio.to - audio.from)
  expect(lengths.map((length) => Math.round(length / 240))).toEqual([112, 92, 50])
  const made = await joined(folder, segments, { crossfadeMs: 100, matchLoudness: false })
  const expected = lengths.reduce((sum, each) => sum + each, 0) + 24 * (250 + 700)
  expect(made.samples).toBe(expected)
  expect(made.audio.length).toBe(expected)
  expect(made.segments.map(({ start }) => start)).toEqual([
    0,
    (lengths[0] ?? 0) + 6000,
    (lengths[0] ?? 0) + (lengths[1] ?? 0) + 6000 + 16_800,
  ])
  const pause = made.audio.subarray(lengths[0] ?? 0, (lengths[0] ?? 0) + 6000)
  expect(pause.every((sample) => sample === 0)).toBe(true)
})

test('overlaps segments without a pause by the crossfade, at constant power', async () => {
  const folder = folderOf()
  const rate = 24_000
  const segments = [
    await segmentOf(folder, 'a', noise(11, rate, 2, 0.3), rate, 0),
    await segmentOf(folder, 'b', noise(12, rate, 2, 0.3), rate, 0),
  ]
  const made = await joined(folder, segments, { crossfadeMs: 200, matchLoudness: false })
  expect(made.samples).toBe(4 * rate - 0.2 * rate)
  const start = made.segments[1]?.start ?? 0
  expect(start).toBe(1.8 * rate)
  const before = rms(made.audio.subarray(start - 24_000, start))
  const within = rms(made.audio.subarray(start, start + 4800))
  expect(20 * Math.log10(within / before)).toBeGreaterThan(-0.5)
  expect(20 * Math.log10(within / before)).toBeLessThan(0.5)
  // Both are audible in the middle: neither is a copy of the other.
  const plan = planJoin(segments, { crossfadeMs: 200, matchLoudness: false })
  expect(plan.segments.map(({ overlap }) => overlap)).toEqual([4800, 0])
})

test('limits a crossfade to half a segment', async () => {
  const folder = folderOf()
  const segments = [
    await segmentOf(folder, 'a', noise(21, 8000, 0.1, 0.3), 8000, 0),
    await segmentOf(folder, 'b', noise(22, 8000, 1, 0.3), 8000, 0),
  ]
  const made = await joined(folder, segments, { crossfadeMs: 200, matchLoudness: false })
  expect(made.samples).toBe(800 + 8000 - 400)
})

test('resamples other rates to the highest, preserving their length', async () => {
  const folder = folderOf()
  const segments = [
    await segmentOf(folder, 'a', noise(31, 16_000, 1, 0.3), 16_000, 100),
    await segmentOf(folder, 'b', noise(32, 24_000, 1, 0.3), 24_000, 100),
    await segmentOf(folder, 'c', noise(33, 22_050, 1, 0.3), 22_050, 100),
  ]
  const made = await joined(folder, segments, { crossfadeMs: 0, matchLoudness: false })
  expect(made.rate).toBe(24_000)
  expect(made.segments.map(({ length }) => length)).toEqual([24_000, 24_000, 24_000])
  expect(made.samples).toBe(3 * 24_000 + 2 * 2400)
})

/** Returns the EBU R128 loudness measured by ffmpeg for a range of a file. */
function measured(path: string, from: number, seconds: number): number {
  const args = [
    '-hide_banner',
    '-nostats',
    '-ss',
    String(from),
    '-t',
    String(seconds),
    '-i',
    path,
    '-af',
    'ebur128',
    '-f',
    'null',
    '-',
  ]
  const output = execFileSync('bash', [
    '-c',
    `ffmpeg ${args.map((each) => `'${each}'`).join(' ')} 2>&1`,
  ]).toString()
  return Number(/Integrated loudness:\s+I:\s+(-?[\d.]+)/.exec(output)?.[1])
}

test('matches the loudness of segments within one decibel, without clipping', async () => {
  const folder = folderOf()
  const levels = [0.05, 0.4, 0.15]
  const segments = []
  for (const [at, level] of levels.entries())
    segments.push(
      await segmentOf(folder, String(at), noise(41 + at, 24_000, 3, level), 24_000, 500),
    )
  const plain = await joined(folder, segments, { crossfadeMs: 0, matchLoudness: false })
  const of = (made: typeof plain) =>
    made.segments.map(({ start }) => measured(made.path, start / made.rate, 3))
  const before = of(plain)
  expect(Math.max(...before) - Math.min(...before)).toBeGreaterThan(10)
  // Lectern's own measurement matches the standard's.
  for (const [at, { audio }] of segments.entries())
    expect(Math.abs((audio.loudness ?? 0) - (before[at] ?? 0))).toBeLessThan(0.3)
  const after = of(await joined(folder, segments, { crossfadeMs: 0, matchLoudness: true }))
  expect(Math.max(...after) - Math.min(...after)).toBeLessThan(1)
})

test('lowers the level of all segments rather than clipping loud ones', async () => {
  const folder = folderOf()
  const spike = noise(51, 24_000, 2, 0.02)
  spike[1000] = 0.98
  const segments = [
    await segmentOf(folder, 'a', spike, 24_000, 0),
    await segmentOf(folder, 'b', noise(52, 24_000, 2, 0.5), 24_000, 0),
  ]
  const made = await joined(folder, segments, { crossfadeMs: 0, matchLoudness: true })
  expect(Math.max(...made.audio)).toBeLessThanOrEqual(Math.ceil(32_768 * 10 ** (-1 / 20)))
})

test.each(['wav', 'mp3'] as const)(
  'saves a %s with metadata and the full length',
  async (format) => {
    const folder = folderOf()
    const segments = [await segmentOf(folder, 'a', noise(61, 24_000, 3, 0.3), 24_000, 0)]
    const made = await joined(folder, segments, { crossfadeMs: 0, matchLoudness: false })
    const to = join(folder, `saved.${format}`)
    const tags = {
      title: 'A title – 标题',
      voice: 'Tongtong',
      mark: 'Synthetic speech: generated',
      software: 'Lectern 0',
      at: Date.UTC(2026, 10, 22),
    }
    const steps = writeSpeechOutput(
      { kind: 'export', from: made.path, format, tags, to },
      resampling,
    )
    let step = await steps.next()
    while (!step.done) step = await steps.next()
    const probe = JSON.parse(
      execFileSync('ffprobe', [
        '-v',
        'error',
        '-show_format',
        '-show_streams',
        '-of',
        'json',
        to,
      ]).toString(),
    ) as {
      format: { duration: string; tags: Record<string, string> }
      streams: { sample_rate: string }[]
    }
    expect(Number(probe.format.duration)).toBeCloseTo(3, 1)
    expect(probe.streams[0]?.sample_rate).toBe('24000')
    expect(probe.format.tags).toMatchObject({
      title: tags.title,
      artist: 'Tongtong',
      comment: tags.mark,
      genre: 'Synthetic speech',
      date: '2026-11-22',
    })
    const samples = execFileSync('ffmpeg', ['-v', 'error', '-i', to, '-f', 's16le', '-'], {
      maxBuffer: 1 << 28,
    })
    expect(Math.abs(samples.length / 2 - 72_000)).toBeLessThanOrEqual(format === 'wav' ? 0 : 1200)
  },
)

test('reports a WAV that ends before its declared length as cut', async () => {
  const folder = folderOf()
  const path = join(folder, 'cut.wav')
  const whole = wavOf(noise(71, 24_000, 1, 0.3), 24_000)
  writeFileSync(path, whole.subarray(0, whole.length / 2))
  await expect(inspectTake(path)).rejects.toMatchObject({ code: 'STREAM_CUT' })
  // A header of a writer that did not know the size is accepted.
  const endless = Buffer.from(whole)
  endless.writeUInt32LE(0xffff_ffff, 40)
  writeFileSync(path, endless)
  expect((await inspectTake(path)).samples).toBe(24_000)
})

test('leaves nothing behind when a write is abandoned', async () => {
  const folder = folderOf()
  const segments = [await segmentOf(folder, 'a', noise(81, 24_000, 60, 0.3), 24_000, 0)]
  const [to, peaksTo] = [join(folder, 'x.wav'), join(folder, 'x.dat')]
  const steps = writeSpeechOutput(
    { kind: 'join', segments, options: { crossfadeMs: 0, matchLoudness: false }, to, peaksTo },
    resampling,
  )
  await steps.next()
  await steps.return({ rate: 0, samples: 0, segments: [] })
  const { readdirSync } = await import('node:fs')
  expect(readdirSync(folder)).toEqual(['a.wav'])
})
