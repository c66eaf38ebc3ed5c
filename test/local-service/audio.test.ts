import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeMp3 } from '../../src/local-service/audio/mp3.ts'
import {
  isSilent,
  parseAudioHeader,
  downmix,
  AudioError,
  TooLongError,
  decodeWav,
} from '../../src/local-service/audio/audio.ts'
import { chunk, id3, mp3Frame, wave, waveFormat } from '../fixtures/audio-bytes.ts'
import { wavOf, type WavKind } from './fixtures/audio-samples.ts'

const tone =
  (hz: number, level = 0.5) =>
  (time: number): number =>
    level * Math.sin(2 * Math.PI * hz * time)

const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)

describe('wav', () => {
  const kinds: readonly WavKind[] = [
    { bits: 8, rate: 8_000, channels: 1 },
    { bits: 16, rate: 16_000, channels: 1 },
    { bits: 16, rate: 44_100, channels: 2, extensible: true },
    { bits: 24, rate: 48_000, channels: 2 },
    { bits: 24, rate: 96_000, channels: 6, extensible: true },
    { bits: 32, rate: 22_050, channels: 1 },
    { bits: 32, float: true, rate: 48_000, channels: 2 },
    { bits: 32, float: true, rate: 11_025, channels: 1, extensible: true },
    { bits: 64, float: true, rate: 44_100, channels: 3 },
  ]
  test.each(kinds)(
    '$bits bits, float $float, $rate Hz, $channels channels, extensible $extensible',
    async (kind) => {
      const value = (time: number, channel: number): number => tone(300 + 50 * channel)(time)
      const decoded = await decodeWav(wavOf(kind, 0.2, value), 31)
      expect(decoded.rate).toBe(kind.rate)
      expect(decoded.channels).toHaveLength(kind.channels)
      const step = kind.bits === 8 ? 1 / 60 : 1e-4
      for (const [channel, samples] of decoded.channels.entries())
        for (let i = 0; i < samples.length; i += 97)
          expect(Math.abs((samples[i] ?? 9) - value(i / kind.rate, channel))).toBeLessThan(step)
    },
  )

  test('limits values beyond full scale and NaN', async () => {
    const kind: WavKind = { bits: 32, float: true, rate: 8_000, channels: 1 }
    const bytes = wavOf(kind, 0.01, (time) => (time === 0 ? Number.NaN : 7))
    const [samples] = (await decodeWav(bytes, 31)).channels
    expect(samples?.[0]).toBe(0)
    expect(samples?.[1]).toBe(1)
  })

  test('reads a recording that was stopped abruptly as far as possible', async () => {
    const data = Buffer.alloc(32_000)
    for (const size of [0, 0xffff_ffff, 0x7fff_f000]) {
      const bytes = wave([chunk('fmt ', waveFormat({})), chunk('data', data, size)])
      const [samples] = (await decodeWav(bytes, 31)).channels
      expect(samples).toHaveLength(16_000)
    }
  })

  test.each([
    ['compressed', wave([chunk('fmt ', waveFormat({ tag: 2 })), chunk('data', Buffer.alloc(9))])],
    ['without a format chunk', wave([chunk('data', Buffer.alloc(9))])],
    ['of 999 Hz', wavOf({ bits: 8, rate: 999, channels: 1 }, 0.1, tone(50))],
    ['of 192001 Hz', wavOf({ bits: 8, rate: 192_001, channels: 1 }, 0.1, tone(50))],
    ['without samples', wave([chunk('fmt ', waveFormat({}))])],
    ['of 12 bits', wave([chunk('fmt ', waveFormat({ bits: 12 })), chunk('data', Buffer.alloc(9))])],
    [
      'without channels',
      wave([chunk('fmt ', waveFormat({ channels: 0 })), chunk('data', Buffer.alloc(9))]),
    ],
    [
      'with a truncated format chunk',
      wave([chunk('fmt ', Buffer.alloc(8)), chunk('data', Buffer.alloc(9))]),
    ],
    ['truncated in its header', wave([chunk('fmt ', waveFormat({}))]).subarray(0, 30)],
  ])('rejects a wav file %s with a reason', async (_, bytes) => {
    await expect(decodeWav(bytes, 31)).rejects.toThrow(AudioError)
  })
})

describe('mp3', () => {
  const speech = readFileSync(new URL('./fixtures/paper.mp3', import.meta.url))

  test('decodes a spoken file to its full length', async () => {
    const decoded = await decodeMp3(speech, 31)
    const seconds = (decoded.channels[0]?.length ?? 0) / decoded.rate
    expect(decoded.rate).toBe(22_050)
    expect(seconds).toBeGreaterThan(2.5)
    expect(Math.abs(seconds - (await parseAudioHeader(speech)).seconds)).toBeLessThan(0.1)
    expect(rms(downmix(decoded))).toBeGreaterThan(0.02)
  })

  test('detects that other files are neither mp3 nor wav', async () => {
    for (const bytes of [Buffer.from('OggS and more'.repeat(50)), Buffer.alloc(4000, 0xff)])
      await expect(parseAudioHeader(bytes)).rejects.toThrow(AudioError)
    await expect(parseAudioHeader(Buffer.alloc(0))).rejects.toThrow(AudioError)
    await expect(decodeWav(speech, 31)).rejects.toThrow(AudioError)
  })

  test('stops decoding audio that exceeds the limit', async () => {
    await expect(decodeMp3(speech, 2)).rejects.toThrow(TooLongError)
    const kind: WavKind = { bits: 16, rate: 8_000, channels: 1 }
    await expect(decodeWav(wavOf(kind, 2.1, tone(300)), 2)).rejects.toThrow(TooLongError)
  })

  test('gives up early on an endless frame search, and reads audio after a large tag', async () => {
    const free = mp3Frame()
    free[2] = 0
    const few = Buffer.concat(Array<Buffer>(20).fill(mp3Frame()))
    const bytes = Buffer.concat([few, Buffer.alloc(1_000_000, free)])
    let fed = 0
    const subarray = bytes.subarray.bind(bytes)
    bytes.subarray = (from = 0, to = bytes.length) => {
      // The decoder receives chunks of 8 KB; the header check uses other sizes.
      if (from > 0 && from % 8192 === 0 && to - from === 8192) fed = Math.max(fed, to)
      return subarray(from, to)
    }
    const decoded = await decodeMp3(bytes, 31)
    expect(fed).toBeGreaterThan(128 * 1024)
    expect(fed).toBeLessThan(256 * 1024)
    expect(decoded.channels[0]?.length).toBeGreaterThan(10 * 1152)
    const tagged = await decodeMp3(Buffer.concat([id3(500_000), speech]), 31)
    expect(tagged.channels[0]?.length).toBe((await decodeMp3(speech, 31)).channels[0]?.length)
  })

  test('rejects frames without audio, or decodes them as silence', async () => {
    const decoded = await decodeMp3(Buffer.concat(Array(20).fill(mp3Frame())), 31)
    expect(rms(downmix(decoded))).toBe(0)
    await expect(decodeMp3(Buffer.alloc(2000), 31)).rejects.toThrow(AudioError)
  })
})

test('mixes channels to their mean', () => {
  const channels = [Float32Array.of(1, 0, -1), Float32Array.of(0, 0, 1)]
  expect([...downmix({ rate: 8_000, channels })]).toEqual([0.5, 0, 0])
})

test('detects silence when everything is below -80 dB', () => {
  const noise = (level: number): Float32Array =>
    Float32Array.from({ length: 16_000 }, (_, i) => level * Math.sin(i * i))
  expect(isSilent(new Float32Array(16_000), 16_000)).toBe(true)
  expect(isSilent(new Float32Array(0), 16_000)).toBe(true)
  expect(isSilent(noise(0.00005), 16_000)).toBe(true)
  expect(isSilent(noise(0.001), 16_000)).toBe(false)
  const once = new Float32Array(16_000)
  once.fill(0.1, 8_000, 8_400)
  expect(isSilent(once, 16_000)).toBe(false)
})
