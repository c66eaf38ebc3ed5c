import { open } from 'node:fs/promises'
import { AppError } from '../../../../errors.ts'
import { readMono } from './read-audio.ts'

/** Measures of the audio of a take; positions in samples of its own rate. */
export interface TakeAudio {
  /** Hertz. */
  readonly rate: number
  readonly samples: number
  /** Beginning and end of the voice, with a short margin; the whole of a silent take. */
  readonly from: number
  readonly to: number
  /** Peak, 0 to 1. */
  readonly peak: number
  /** LUFS between `from` and `to`; null for silence. */
  readonly loudness: number | null
}

/** Audio this much quieter than the loudest place is silence, and so is audio below a fixed limit. */
const silentBelow = 10 ** (-40 / 20)
const silentAlways = 10 ** (-60 / 20)
/** Seconds analyzed as one window, and margins before and after the voice. */
const windowSeconds = 0.01
const airBefore = 0.04
const airAfter = 0.08

/**
 * Analyzes a take. Throws the errors of reading it, MALFORMED_REPLY if empty, STREAM_CUT if shorter than its header specifies.
 */
export async function inspectTake(path: string): Promise<TakeAudio> {
  if (await endsEarly(path))
    throw new AppError('STREAM_CUT', 'The audio is truncated', { retriable: true })
  const peaks: number[] = []
  let rate = 0
  let samples = 0
  let inWindow = 0
  let windowPeak = 0
  let perWindow = 1
  for await (const block of readMono(path)) {
    if (rate === 0) {
      rate = block.rate
      perWindow = Math.max(1, Math.round(rate * windowSeconds))
    }
    samples += block.samples.length
    for (const sample of block.samples) {
      const loud = Math.abs(sample)
      if (loud > windowPeak) windowPeak = loud
      if (++inWindow < perWindow) continue
      peaks.push(windowPeak)
      windowPeak = 0
      inWindow = 0
    }
  }
  if (samples === 0 || rate === 0)
    throw new AppError('MALFORMED_REPLY', 'The file has no audio', {
      params: { reason: 'no-sound' },
    })
  if (inWindow > 0) peaks.push(windowPeak)
  const peak = peaks.reduce((max, each) => Math.max(max, each), 0)
  const bound = Math.max(peak * silentBelow, silentAlways)
  const first = peaks.findIndex((each) => each > bound)
  const last = peaks.findLastIndex((each) => each > bound)
  if (first < 0) return { rate, samples, from: 0, to: samples, peak, loudness: null }
  const from = Math.max(0, first * perWindow - Math.round(airBefore * rate))
  const to = Math.min(samples, (last + 1) * perWindow + Math.round(airAfter * rate))
  return { rate, samples, from, to, peak, loudness: await loudnessOf(path, rate, from, to) }
}

async function loudnessOf(
  path: string,
  rate: number,
  from: number,
  to: number,
): Promise<number | null> {
  const meter = createLoudnessMeter(rate)
  for await (const samples of rangeOf(path, from, to)) meter.add(samples)
  return meter.loudness()
}

/** Reads the samples of a file from one position to another, block by block. */
export async function* rangeOf(
  path: string,
  from: number,
  to: number,
): AsyncGenerator<Float32Array<ArrayBuffer>> {
  let at = 0
  for await (const { samples } of readMono(path)) {
    const begin = Math.max(0, from - at)
    const end = Math.min(samples.length, to - at)
    if (begin < end) yield samples.subarray(begin, end)
    at += samples.length
    if (at >= to) return
  }
}

/** Sizes from here on are placeholders that writers leave in a header while they do not know them; so is 0. */
const unknownFrom = 0x7ff0_0000

/** Whether a plain WAV file is shorter than its header specifies: decoders accept what there is, and a word would be missing. */
async function endsEarly(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    const head = buffer.subarray(0, bytesRead)
    if (head.toString('latin1', 0, 4) !== 'RIFF') return false
    for (let at = 12; at + 8 <= head.length;) {
      const length = head.readUInt32LE(at + 4)
      if (head.toString('latin1', at, at + 4) === 'data')
        return length > 0 && length < unknownFrom && at + 8 + length > size
      at += 8 + length + (length % 2)
    }
    return false
  } finally {
    await file.close()
  }
}

/** Loudness meter for audio of one channel, following ITU-R BS.1770-4. */
interface LoudnessMeter {
  add(samples: Float32Array): void
  /** Returns gated LUFS over all of it; null for silence. Audio shorter than one block is measured as a whole. */
  loudness(): number | null
}

interface Biquad {
  readonly b0: number
  readonly b1: number
  readonly b2: number
  readonly a1: number
  readonly a2: number
}

/** Builds the two K-weighting filters for a rate in hertz: the constants give the standard's own coefficients at 48 kHz. */
function kWeighting(rate: number): readonly [Biquad, Biquad] {
  const shelf = { f: 1681.974450955533, gain: 3.999843853973347, q: 0.7071752369554196 }
  const k = Math.tan((Math.PI * shelf.f) / rate)
  const high = 10 ** (shelf.gain / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + k / shelf.q + k * k
  const first = {
    b0: (high + (band * k) / shelf.q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / shelf.q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / shelf.q + k * k) / a0,
  }
  const pass = { f: 38.13547087602444, q: 0.5003270373238773 }
  const p = Math.tan((Math.PI * pass.f) / rate)
  const c0 = 1 + p / pass.q + p * p
  const second = {
    b0: 1,
    b1: -2,
    b2: 1,
    a1: (2 * (p * p - 1)) / c0,
    a2: (1 - p / pass.q + p * p) / c0,
  }
  return [first, second]
}

/** Blocks of 400 ms in steps of 100 ms; those below -70 LUFS, or 10 below the mean of the rest, do not count. */
const stepSeconds = 0.1
const stepsPerBlock = 4
const absoluteGate = -70
const relativeGate = -10

const lufsOf = (power: number): number => -0.691 + 10 * Math.log10(power)

/** Creates a meter for one rate in hertz. */
function createLoudnessMeter(rate: number): LoudnessMeter {
  const filters = kWeighting(rate).map((filter) => ({ filter, z1: 0, z2: 0 }))
  const perStep = Math.max(1, Math.round(rate * stepSeconds))
  const steps: number[] = []
  let sum = 0
  let inStep = 0
  let total = 0
  let count = 0

  return {
    add(samples) {
      for (let sample of samples) {
        for (const state of filters) {
          const { b0, b1, b2, a1, a2 } = state.filter
          const out = b0 * sample + state.z1
          state.z1 = b1 * sample - a1 * out + state.z2
          state.z2 = b2 * sample - a2 * out
          sample = out
        }
        sum += sample * sample
        total += sample * sample
        count += 1
        if (++inStep < perStep) continue
        steps.push(sum / perStep)
        sum = 0
        inStep = 0
      }
    },
    loudness() {
      const blocks: number[] = []
      for (let at = 0; at + stepsPerBlock <= steps.length; at++) {
        const block = steps.slice(at, at + stepsPerBlock)
        blocks.push(block.reduce((all, each) => all + each, 0) / stepsPerBlock)
      }
      if (blocks.length === 0) return total > 0 ? lufsOf(total / Math.max(1, count)) : null
      const audible = blocks.filter((power) => power > 0 && lufsOf(power) > absoluteGate)
      if (audible.length === 0) return null
      const gate = lufsOf(mean(audible)) + relativeGate
      return lufsOf(mean(audible.filter((power) => lufsOf(power) > gate)))
    },
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((all, each) => all + each, 0) / values.length
