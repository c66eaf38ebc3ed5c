import { transcriptionRate, type Span } from '../../shared/model/meeting.ts'
import { AppError } from '../errors.ts'
import { channelOf, toPcm } from './pcm.ts'
import type { Resampling } from './resample.ts'
import type { SessionReader } from './session-reader.ts'
import { waveHeader } from './wave-header.ts'

/** What of a session a piece is cut from. */
export type SegmentSource = Pick<SessionReader, 'channels' | 'read'> & {
  readonly head: Pick<SessionReader['head'], 'sampleRate'>
}

/** Samples of a piece in one millisecond. */
const perMs = transcriptionRate / 1000

/**
 * Seconds of sound in front of a cut and behind it that pass through the resampler as well: more than any of its filters is
 * long, so that what comes out is what the same place of the whole sound would give.
 */
const leadSeconds = 0.03

/**
 * A stretch of a channel, or the mean of all, at 16 kHz: exactly as many samples as the stretch is long, silent behind the end of
 * the sound. Pieces put end to end are the resampled whole. Throws BAD_REQUEST for a channel there is not.
 */
export function cutSegment(
  source: SegmentSource,
  channel: number | 'mix',
  span: Span,
  resampling: Resampling,
): Int16Array<ArrayBuffer> {
  const rate = source.head.sampleRate
  if (channel !== 'mix' && channel >= source.channels)
    throw new AppError('BAD_REQUEST', `The sound has no channel ${channel}`)
  const wanted = { from: span.startMs * perMs, to: Math.max(span.startMs, span.endMs) * perMs }
  // Both rates meet at whole samples only every so often: there the resampler begins, so that it stands as in the whole sound.
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

/** The same as a wav file of one channel. */
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
