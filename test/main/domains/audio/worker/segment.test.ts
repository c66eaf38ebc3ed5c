import { expect, test } from 'vitest'
import { cutSegment, cutWave } from '../../../../../src/main/platform/audio/wave-segment.ts'
import type { SegmentSource } from '../../../../../src/main/platform/audio/wave-segment.ts'
import { loadResampling } from '../../../../../src/system/audio/resample.ts'
import { readWaveHeader } from '../../../../../src/shared/audio/wave-header.ts'

/** Returns the same interleaved noise in every run, from a linear congruential generator. */
function noise(frames: number, channels: number): Int16Array {
  let state = 1
  return Int16Array.from({ length: frames * channels }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state >> 17
  })
}

function session(frames: Int16Array, channels: number, sampleRate: number): SegmentSource {
  return {
    channels,
    head: { sampleRate },
    read: (start, count) => frames.slice(start * channels, (start + count) * channels),
  }
}

for (const rate of [48_000, 44_100, 32_000, 16_000, 11_025, 8000, 44_101])
  test(`joined segments of ${rate} Hz equal the resampled file`, async () => {
    const resampling = await loadResampling()
    const source = session(noise(rate * 4, 2), 2, rate)
    const whole = cutSegment(source, 1, { startMs: 0, endMs: 4000 }, resampling)
    const cuts = [0, 1, 14, 333, 1000, 1777, 2950, 3989, 4000]
    const segments = cuts.slice(1).map((endMs, i) => {
      return cutSegment(source, 1, { startMs: cuts[i] ?? 0, endMs }, resampling)
    })
    expect(segments.map((segment) => segment.length)).toEqual(
      cuts.slice(1).map((end, i) => (end - (cuts[i] ?? 0)) * 16),
    )
    const joined = segments.flatMap((segment) => Array.from(segment))
    const worst = joined.reduce((max, v, i) => Math.max(max, Math.abs(v - (whole[i] ?? 1e9))), 0)
    expect(worst).toBeLessThanOrEqual(1)
    expect(whole.some((value) => Math.abs(value) > 5000)).toBe(true)
  })

test('preserves the timing of a tone to the sample at any rate', async () => {
  const resampling = await loadResampling()
  for (const rate of [48_000, 44_100, 22_050, 12_345, 96_000]) {
    const wave = (n: number, hz: number): number => Math.sin((2 * Math.PI * 440 * n) / hz)
    const tone = Int16Array.from({ length: rate * 2 }, (_, n) => Math.round(12_000 * wave(n, rate)))
    const span = { startMs: 500, endMs: 1500 }
    const segment = cutSegment(session(tone, 1, rate), 0, span, resampling)
    const worst = segment.reduce(
      (max, value, n) => Math.max(max, Math.abs(value - 12_000 * wave(n + 8000, 16_000))),
      0,
    )
    // A delay of half a sample would differ by 1,000.
    expect(worst, `${rate} Hz`).toBeLessThan(8)
  }
})

test('does not alias frequencies above 8 kHz into the segment', async () => {
  const resampling = await loadResampling()
  for (const rate of [48_000, 44_100]) {
    const tone = Int16Array.from({ length: rate }, (_, n) =>
      Math.round(16_000 * Math.sin((2 * Math.PI * 10_000 * n) / rate)),
    )
    const span = { startMs: 200, endMs: 800 }
    const segment = cutSegment(session(tone, 1, rate), 0, span, resampling)
    expect(Math.max(...segment.map(Math.abs)), `${rate} Hz`).toBeLessThan(10)
  }
})

test('returns a mono WAV segment, mixed by the mean, with silence after the end', async () => {
  const resampling = await loadResampling()
  const frames = Int16Array.from({ length: 32_000 }, (_, i) => (i % 2 === 0 ? 1000 : 3000))
  const source = session(frames, 2, 16_000)
  const bytes = cutWave(source, 'mix', { startMs: 900, endMs: 1100 }, resampling)
  expect(readWaveHeader(bytes)).toMatchObject({
    channels: 1,
    sampleRate: 16_000,
    dataBytes: 6400,
    riffBytes: 36 + 6400,
  })
  const samples = new Int16Array(bytes.buffer, 44)
  expect(samples.subarray(0, 1600).every((sample) => sample === 2000)).toBe(true)
  expect(samples.subarray(1600).every((sample) => sample === 0)).toBe(true)
  expect(() => cutSegment(source, 2, { startMs: 0, endMs: 10 }, resampling)).toThrow(/channel 2/)
})
