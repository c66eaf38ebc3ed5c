import type { WaveHeader } from '../../shared/audio/wave.ts'
import { waveSampleReader, type ReadSample } from '../../shared/audio/wave-samples.ts'
import { AudioFileError } from '../../shared/audio/audio-file-error.ts'
import { sourceOf, viewOf } from '../../shared/audio/byte-source.ts'
import { readAudioHeader, type AudioHeader } from '../../shared/audio/header.ts'

/** Decoded audio: one array per channel, all of the same length, values -1 to 1. */
export interface AudioData {
  readonly rate: number
  readonly channels: readonly Float32Array<ArrayBuffer>[]
}

/** An audio file that cannot be read: damaged, empty, or in an unsupported format. The message says which. */
export class AudioError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SoundError'
  }
}

/** Audio longer than the limit, which is in seconds. */
export class TooLongError extends Error {
  constructor(maxSeconds: number) {
    super(`the audio is longer than ${maxSeconds} seconds`)
    this.name = 'TooLongError'
  }
}

/** Mixes all channels into one by averaging. */
export function downmix(audio: AudioData): Float32Array<ArrayBuffer> {
  const [first, ...others] = audio.channels
  if (!first) return new Float32Array(0)
  if (others.length === 0) return first
  const mono = first.slice()
  for (const channel of others)
    for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] ?? 0) + (channel[i] ?? 0)
  for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] ?? 0) / audio.channels.length
  return mono
}

/** Sample rates in Hz of recorded audio; beyond them one second would cost more work than a request may cause. */
const sampleRates = { min: 1000, max: 192_000 } as const

/** Returns a reader for the samples of a wav file (PCM 8 to 32 bits, float 32 and 64). Throws AudioError for other formats. */
function sampleReader(header: WaveHeader): ReadSample {
  const { encoding, bitsPerSample: bits, sampleRate } = header
  if (encoding !== 'pcm' && encoding !== 'float')
    throw new AudioError(`the WAV file is compressed (${encoding})`)
  const read = bits % 8 === 0 ? waveSampleReader(encoding, bits / 8) : null
  if (!read) throw new AudioError(`WAV samples of ${bits} bits aren’t supported`)
  if (sampleRate < sampleRates.min || sampleRate > sampleRates.max)
    throw new AudioError(
      `its sample rate is ${sampleRate} Hz; ${sampleRates.min}–${sampleRates.max} Hz are supported`,
    )
  return read
}

/** Reads the header of a wav or mp3 file, regardless of its name. Throws AudioError if it cannot be decoded here. */
export async function parseAudioHeader(bytes: Uint8Array): Promise<AudioHeader> {
  const header = await readAudioHeader(sourceOf(bytes)).catch((error: unknown) => {
    throw error instanceof AudioFileError ? new AudioError(error.message) : error
  })
  if (header.mime === 'audio/wav') sampleReader(header)
  return header
}

/** Decodes all samples of a wav file. Throws AudioError, and TooLongError beyond `maxSeconds`. `rest` as for mp3. */
export async function decodeWav(
  bytes: Uint8Array,
  maxSeconds: number,
  rest: () => Promise<void> | undefined = () => undefined,
): Promise<AudioData> {
  const header = await parseAudioHeader(bytes)
  if (header.mime !== 'audio/wav') throw new AudioError('this isn’t a WAV file')
  if (header.seconds > maxSeconds) throw new TooLongError(maxSeconds)
  const read = sampleReader(header)
  const view = viewOf(bytes)
  const width = header.bitsPerSample / 8
  const frames = header.dataBytes / (width * header.channels)
  const channels: Float32Array<ArrayBuffer>[] = []
  for (let channel = 0; channel < header.channels; channel++) {
    const samples = new Float32Array(frames)
    for (let frame = 0; frame < frames; frame++) {
      if (frame % 65_536 === 65_535) await rest()
      const value = read(view, header.dataOffset + (frame * header.channels + channel) * width)
      samples[frame] = Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0
    }
    channels.push(samples)
  }
  return { rate: header.sampleRate, channels }
}

/** Energy is measured over frames of this length. */
const frameSeconds = 0.03

/** Far below the noise of any microphone, yet the model still recognizes speech attenuated to this level. */
const floorDecibels = -80

/**
 * Whether even the loudest 30 ms do not rise above -80 dB of full scale, so that there is nothing to transcribe.
 * Audio without speech (noise, tones, knocks) is left to the model, which returns at once.
 */
export function isSilent(samples: Float32Array, rate: number): boolean {
  const size = Math.max(1, Math.round(rate * frameSeconds))
  const floor = 10 ** (floorDecibels / 10)
  for (let start = 0; start < samples.length; start += size) {
    const part = samples.subarray(start, start + size)
    let sum = 0
    for (const value of part) sum += value * value
    if (sum / part.length > floor) return false
  }
  return true
}
