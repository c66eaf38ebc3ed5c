import { transcriptionRate, type Span } from '../../../shared/model/meeting.ts'
import { AppError } from '../../errors.ts'
import { channelOf, toPcm } from '../../../system/audio/pcm.ts'
import type { Resampling } from '../../../system/audio/resample.ts'
import type { SessionReader } from './session-reader.ts'
import { waveHeader } from '../../../shared/audio/wave-header.ts'

/** Part of a session from which a segment is cut. */
export type SegmentSource = Pick<SessionReader, 'channels' | 'read'> & {
  readonly head: Pick<SessionReader['head'], 'sampleRate'>
}

/** Samples of a segment per millisecond. */
const perMs = transcriptionRate / 1000

/**
 * Seconds of audio before and after a cut that also pass through the resampler: longer than any of its filters, so that the
 * output equals that of the same position in the whole audio.
 */
const leadSeconds = 0.03

/**
 * Cuts a range of a channel, or the mean of all, at 16 kHz: exactly as many samples as the range is long, silent after the end of
 * the audio. Concatenated segments equal the resampled whole. Throws BAD_REQUEST for a missing channel.
 */
export function cutSegment(
  source: SegmentSource,
  channel: number | 'mix',
  span: Span,
  resampling: Resampling,
): Int16Array<ArrayBuffer> {
  const rate = source.head.sampleRate
  if (channel !== 'mix' && channel >= source.channels)
    throw new AppError('BAD_REQUEST', `The audio has no channel ${channel}`)
  const wanted = { from: span.startMs * perMs, to: Math.max(span.startMs, span.endMs) * perMs }
  // Both rates align at whole samples only at intervals: the resampler begins there, with the same state as in the whole audio.
  const common = gcd(rate, transcriptionRate)
  const [stepIn, stepOut] = [rate / common, transcriptionRate / common]
  const lead = leadSeconds * transcriptionRate
  const step = Math.max(0, Math.floor((wanted.from - lead) / stepOut))
  const begin = step * stepIn
  const end = Math.ceil(((wanted.to + lead) / transcriptionRate) * rate)

  const resampler = resampling(rate, transcriptionRate)
  const output = new Int16Array(wanted.to - wanted.from)
  let at = step * stepOut - wanted.from
  const put = (samples: Float32Array): void => {
    const [first, last] = [Math.max(0, -at), Math.min(samples.length, output.length - at)]
    if (first < last) output.set(toPcm(samples.subarray(first, last)), at + first)
    at += samples.length
  }
  try {
    for (let frame = begin; frame < end; frame += rate) {
      const frames = source.read(frame, Math.min(rate, end - frame))
      put(resampler.push(channelOf(frames, source.channels, channel)))
      if (frames.length === 0) break
    }
    put(resampler.end())
  } finally {
    resampler.free()
  }
  return output
}

/** Cuts the same as a WAV file of one channel. */
export function cutWave(
  source: SegmentSource,
  channel: number | 'mix',
  span: Span,
  resampling: Resampling,
): Uint8Array<ArrayBuffer> {
  const segment = cutSegment(source, channel, span, resampling)
  const header = waveHeader({ channels: 1, sampleRate: transcriptionRate }, segment.byteLength)
  const bytes = new Uint8Array(header.length + segment.byteLength)
  bytes.set(header)
  bytes.set(new Uint8Array(segment.buffer), header.length)
  return bytes
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
