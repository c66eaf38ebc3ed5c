import { sampleRules } from '../../../../../shared/model/sample.ts'
import type { Span } from '../../../../../shared/model/meeting.ts'
import { AppError } from '../../../../errors.ts'
import { openAudio } from '../../../../platform/audio/decode/open.ts'
import { channelOf, joined, toPcm } from '../../../../../system/audio/pcm.ts'
import { resample, type Resampling } from '../../../../../system/audio/resample.ts'
import { openSession } from '../../../../platform/audio/session-reader.ts'
import { waveHeader } from '../../../../../shared/audio/wave-header.ts'

/** Audio of one channel, -1 to 1. */
export interface MonoAudio {
  readonly samples: Float32Array<ArrayBuffer>
  readonly rate: number
}

/** Sample rates of samples (service-notes 3: at least 24 kHz; more than 48 adds no information about a voice). */
const rates = { min: 24_000, max: 48_000 } as const

/** Decodes a file of any type, channels mixed. Throws the errors of opening it, and DAMAGED_FILE if nothing can be decoded. */
export async function takeFile(
  path: string,
  resampling: Resampling,
  maxMs: number = sampleRules.takenMs,
): Promise<MonoAudio & { readonly more: boolean }> {
  const decoder = await openAudio(path)
  const chunks: Float32Array<ArrayBuffer>[] = []
  let rate = 0
  let taken = 0
  let more = false
  try {
    for (;;) {
      const chunk = await decoder.next()
      if (!chunk) break
      if (chunk.type === 'nothing') continue
      if (rate > 0 && taken / rate > maxMs / 1000) {
        more = true
        break
      }
      if (chunk.type === 'silence') {
        if (rate === 0) continue
        const frames = Math.min(Math.round(chunk.seconds * rate), (maxMs / 1000) * rate)
        chunks.push(new Float32Array(frames))
        taken += frames
        continue
      }
      if (rate === 0) rate = chunk.rate
      const mono = meanOf(chunk.channels)
      const same = chunk.rate === rate ? mono : resample(mono, chunk.rate, rate, resampling)
      chunks.push(same)
      taken += same.length
    }
  } finally {
    await decoder.close()
  }
  if (rate === 0 || taken === 0)
    throw new AppError('DAMAGED_FILE', 'None of the audio in this file could be decoded')
  return { ...inRange({ samples: joined(...chunks), rate }, resampling), more }
}

/** Returns a range of a meeting's audio. Throws BAD_REQUEST if there is none. */
export function takeSpan(
  folder: string,
  channel: number | 'mix',
  span: Span,
  resampling: Resampling,
): MonoAudio {
  const session = openSession(folder)
  try {
    const rate = session.head.sampleRate
    if (channel !== 'mix' && channel >= session.channels)
      throw new AppError('BAD_REQUEST', `The audio has no channel ${channel}`)
    const at = (ms: number): number => Math.max(0, Math.round((ms * rate) / 1000))
    const end = Math.min(at(span.endMs), at(span.startMs) + at(sampleRules.takenMs))
    const chunks: Float32Array<ArrayBuffer>[] = []
    for (let frame = at(span.startMs); frame < end;) {
      const frames = session.read(frame, Math.min(rate, end - frame))
      if (frames.length === 0) break
      chunks.push(channelOf(frames, session.channels, channel))
      frame += frames.length / session.channels
    }
    const samples = joined(...chunks)
    if (samples.length === 0) throw new AppError('BAD_REQUEST', 'There is no audio in this range')
    return inRange({ samples, rate }, resampling)
  } finally {
    session.close()
  }
}

/** Encodes a 16-bit WAV file. */
export function waveOf({ samples, rate }: MonoAudio): Uint8Array<ArrayBuffer> {
  const pcm = toPcm(samples)
  const header = waveHeader({ channels: 1, sampleRate: rate }, pcm.byteLength)
  const bytes = new Uint8Array(header.length + pcm.byteLength)
  bytes.set(header)
  bytes.set(new Uint8Array(pcm.buffer), header.length)
  return bytes
}

function inRange({ samples, rate }: MonoAudio, resampling: Resampling): MonoAudio {
  const wanted = Math.min(rates.max, Math.max(rates.min, rate))
  if (wanted === rate) return { samples, rate }
  return { samples: resample(samples, rate, wanted, resampling), rate: wanted }
}

function meanOf(channels: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const [first = new Float32Array(0), ...others] = channels
  if (others.length === 0) return first
  return first.map(
    (sample, i) =>
      (sample + others.reduce((sum, each) => sum + (each[i] ?? 0), 0)) / channels.length,
  )
}
