import { expect, test } from 'vitest'
import { loadResampling, resample } from '../../src/system/audio/resample.ts'

const resampling = await loadResampling()

const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)

/** Leaves out the ends, where a filter is still settling. */
const middle = (samples: Float32Array): Float32Array =>
  samples.subarray(samples.length / 4, (samples.length * 3) / 4)

const decibels = (ratio: number): number => 20 * Math.log10(ratio)

const sampled = (hz: number, rate: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: rate }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hz * i) / rate))

test.each([8_000, 11_025, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000])(
  'preserves the audible range when resampling from %i Hz',
  (rate) => {
    for (const hz of [100, 1_000, 3_000]) {
      const output = resample(sampled(hz, rate), rate, 16_000, resampling)
      expect(output.length).toBe(16_000)
      const wanted = sampled(hz, 16_000)
      const error = middle(output.map((value, i) => value - (wanted[i] ?? 0)))
      expect(decibels(rms(error) / rms(wanted))).toBeLessThan(-60)
    }
  },
)

test.each([9_000, 10_000, 15_000, 20_000])(
  'does not alias a tone of %i Hz above the new range into speech',
  (hz) => {
    for (const rate of [44_100, 48_000]) {
      const input = sampled(hz, rate)
      const output = middle(resample(input, rate, 16_000, resampling))
      expect(decibels(rms(output) / rms(input))).toBeLessThan(-60)
    }
  },
)

test('resamples odd rates with the same quality and without extra cost', () => {
  let most = 0
  for (const rate of [15_999, 16_004, 16_008, 44_101, 191_999]) {
    const input = sampled(3_000, rate)
    const { sin } = Math
    let sines = 0
    Math.sin = (x) => ((sines += 1), sin(x))
    const output = resample(input, rate, 16_000, resampling)
    Math.sin = sin
    most = Math.max(most, sines)
    const wanted = sampled(3_000, 16_000)
    const error = middle(output.map((value, i) => value - (wanted[i] ?? 0)))
    expect(decibels(rms(error) / rms(wanted))).toBeLessThan(-60)
  }
  expect(most).toBeGreaterThan(0)
  // One for each tap of up to 4,000 positions between two samples, not of 16,000.
  expect(most).toBeLessThan(500_000)
})

test('preserves a constant signal and empty audio', () => {
  const output = middle(resample(new Float32Array(44_100).fill(0.25), 44_100, 16_000, resampling))
  for (const value of output) expect(value).toBeCloseTo(0.25, 5)
  expect(resample(new Float32Array(0), 44_100, 16_000, resampling)).toHaveLength(0)
})
