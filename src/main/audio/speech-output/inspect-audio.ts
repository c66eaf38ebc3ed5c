import { open } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { createLoudnessMeter } from './loudness.ts'
import { readMono } from './read-audio.ts'

/** What is known of the sound of a take; places in samples of its own rate. */
export interface TakeAudio {
  /** Hertz. */
  readonly rate: number
  readonly samples: number
  /** The voice begins and ends here, with a little air around it; all of a take that is silent. */
  readonly from: number
  readonly to: number
  /** 0 to 1. */
  readonly peak: number
  /** LUFS between `from` and `to`; null for silence. */
  readonly loudness: number | null
}

/** What is this much quieter than the loudest place is silence, and so is what is quieter than a fixed bound. */
const silentBelow = 10 ** (-40 / 20)
const silentAlways = 10 ** (-60 / 20)
/** Seconds that are looked at as one, and that stay in front of the voice and behind it. */
const windowSeconds = 0.01
const airBefore = 0.04
const airAfter = 0.08

/** Listens through the sound of a take. Throws what reading it throws, MALFORMED_REPLY when there is none, STREAM_CUT when it ends before its own header says. */
export async function inspectTake(path: string): Promise<TakeAudio> {
  if (await endsEarly(path))
    throw new AppError('STREAM_CUT', 'The sound broke off before its end', { retriable: true })
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
    throw new AppError('MALFORMED_REPLY', 'The file holds no sound', {
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

/** The samples of a file from one place to another, block by block. */
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

/** Sizes from here on are what writers leave in a header while they do not know them, and so is 0. */
const unknownFrom = 0x7ff0_0000

/** Whether a plain wav file is shorter than the sound its header tells of: decoders take what there is, and a word would be missing. */
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
