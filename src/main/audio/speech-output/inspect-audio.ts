import { open } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { createLoudnessMeter } from './loudness.ts'
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
