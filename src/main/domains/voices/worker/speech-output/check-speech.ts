import { transcriptionRate } from '../../../../../shared/model/meeting.ts'
import { toPcm } from '../../../../../system/audio/pcm.ts'
import type { Resampling } from '../../../../../system/audio/resample.ts'
import { waveHeader } from '../../../../../shared/audio/wave-header.ts'
import { readMono } from './read-audio.ts'

/** Maximum seconds of one range: the provider accepts 30, and the rest would be lost (service-notes 4). */
const maxSeconds = 29.5
/** Seconds at the end of a range in which the best pause is searched. */
const searchSeconds = 10
const windowSeconds = 0.02
/** Audio that is quieter than this throughout is silence: it is not sent for transcription. */
const silent = 10 ** (-55 / 20)

/** Range of a take as a WAV file of one channel at 16 kHz. */
export interface CheckClip {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly seconds: number
}

/** Splits the audio of a take in pauses into ranges that fit one request of service-notes 4; none for silence. */
export async function clipsToTranscribe(
  path: string,
  resampling: Resampling,
): Promise<readonly CheckClip[]> {
  const samples = await atTranscriptionRate(path, resampling)
  if (samples.every((sample) => Math.abs(sample) < silent)) return []
  const clips: CheckClip[] = []
  for (let from = 0; from < samples.length;) {
    const to = endOf(samples, from)
    const pcm = toPcm(samples.subarray(from, to))
    const header = waveHeader({ channels: 1, sampleRate: transcriptionRate }, pcm.byteLength)
    const bytes = new Uint8Array(header.length + pcm.byteLength)
    bytes.set(header)
    bytes.set(new Uint8Array(pcm.buffer), header.length)
    clips.push({ bytes, seconds: pcm.length / transcriptionRate })
    from = to
  }
  return clips
}

async function atTranscriptionRate(path: string, resampling: Resampling): Promise<Float32Array> {
  const parts: Float32Array[] = []
  let resampler: ReturnType<Resampling> | null = null
  try {
    for await (const { rate, samples } of readMono(path)) {
      resampler ??= resampling(rate, transcriptionRate)
      parts.push(resampler.push(samples))
    }
    if (resampler) parts.push(resampler.end())
  } finally {
    resampler?.free()
  }
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Returns the middle of the quietest place near the maximum length; the end of the audio if all of it fits. */
function endOf(samples: Float32Array, from: number): number {
  const maxEnd = from + Math.floor(maxSeconds * transcriptionRate)
  if (maxEnd >= samples.length) return samples.length
  const window = Math.floor(windowSeconds * transcriptionRate)
  const count = Math.floor((searchSeconds * transcriptionRate) / window)
  const begin = maxEnd - count * window
  const loud = Array.from({ length: count }, (_, at) => {
    let sum = 0
    for (let i = begin + at * window; i < begin + (at + 1) * window; i++)
      sum += (samples[i] ?? 0) ** 2
    return Math.sqrt(sum / window)
  })
  const bound = Math.max(silent, 1.5 * loud.reduce((min, each) => Math.min(min, each), 1))
  let best = { middle: count, length: 0 }
  for (let at = 0; at < count; at++) {
    let end = at
    while (end < count && (loud[end] ?? 1) <= bound) end += 1
    if (end - at >= best.length && end > at) best = { middle: (at + end) / 2, length: end - at }
    at = Math.max(at, end - 1)
  }
  return begin + Math.round(best.middle * window)
}
