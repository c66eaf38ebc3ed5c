import { decodeMp3 } from '../audio/mp3.ts'
import { resampleWithRests } from '../audio/resample.ts'
import { parseAudioHeader } from '../audio/audio-header.ts'
import { downmix, AudioError, TooLongError } from '../audio/audio.ts'
import { decodeWav } from '../audio/wav.ts'
import { ServiceError } from '../errors.ts'
import { createPause } from '../knowledge/pause.ts'

/** Sample rate in hertz of all audio of this family: the one the API recommends (service-notes 3). */
export const voiceRate = 24_000

/**
 * Maximum number of seconds used of a sample. The API recommends 3 to 30 and limits only the file size; decoding more would
 * fill the memory.
 */
export const maxSampleSeconds = 600

const headerBytes = 44

/** Decodes an uploaded sample to 24 kHz mono. Throws 1214 when it cannot be read. */
export async function audioOfSample(bytes: Uint8Array): Promise<Float32Array<ArrayBuffer>> {
  try {
    const { mime } = await parseAudioHeader(bytes)
    const decode = mime === 'audio/wav' ? decodeWav : decodeMp3
    const rest = createPause()
    const audio = await decode(bytes, maxSampleSeconds, rest)
    const mono = downmix(audio)
    if (mono.length === 0) throw new AudioError('it has no audio')
    return await resampleWithRests(mono, audio.rate, voiceRate, rest)
  } catch (error) {
    if (error instanceof AudioError || error instanceof TooLongError)
      throw new ServiceError('fieldIllegal', `file_id can’t be used: ${error.message}`)
    throw error
  }
}

/** Converts samples to 16-bit little-endian PCM, clipping those that are too loud. */
export async function pcmOf(samples: Float32Array): Promise<Buffer> {
  const rest = createPause()
  const pcm = Buffer.alloc(samples.length * 2)
  for (let i = 0; i < samples.length; i++) {
    if (i % 65_536 === 65_535) await rest()
    const sample = Math.max(-1, Math.min(1, samples[i] ?? 0))
    pcm.writeInt16LE(Math.round(sample * 32_767), i * 2)
  }
  return pcm
}

/** Returns the samples of 16-bit little-endian PCM. */
export function samplesOf(pcm: Uint8Array): Float32Array<ArrayBuffer> {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const samples = new Float32Array(Math.floor(pcm.length / 2))
  for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * 2, true) / 32_768
  return samples
}

/** Wraps 16-bit mono PCM of {@link voiceRate} in a WAV file. */
export function wavAround(pcm: Uint8Array): Buffer {
  const head = Buffer.alloc(headerBytes)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(headerBytes - 8 + pcm.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(voiceRate, 24)
  head.writeUInt32LE(voiceRate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(pcm.length, 40)
  return Buffer.concat([head, pcm])
}

/** Returns the PCM inside a file created by {@link wavAround}. */
export const pcmInside = (wav: Uint8Array): Uint8Array => wav.subarray(headerBytes)

/**
 * Changes the speed and the volume of a sample. Speed changes the playback rate, and the pitch with it; volume multiplies,
 * and samples that become too loud are clipped.
 */
export async function spoken(pcm: Uint8Array, speed: number, volume: number): Promise<Buffer> {
  if (speed === 1 && volume === 1) return Buffer.from(pcm)
  const rate = Math.round(voiceRate * speed)
  const played = await resampleWithRests(samplesOf(pcm), rate, voiceRate, createPause())
  return pcmOf(played.map((sample) => sample * volume))
}
