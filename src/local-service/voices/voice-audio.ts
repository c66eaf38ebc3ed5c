import { waveHeader, waveHeaderBytes } from '../../shared/audio/wave-header.ts'
import { gathered, putPcm } from '../../system/audio/pcm.ts'
import { loadResampling } from '../../system/audio/resample.ts'
import { decodeMp3 } from '../audio/mp3.ts'
import { parseAudioHeader, downmix, AudioError, TooLongError, decodeWav } from '../audio/audio.ts'
import { ServiceError } from '../errors.ts'
import { createPause } from '../knowledge/pause.ts'

/** Sample rate in hertz of all audio of this family: the one the API recommends (service-notes 3). */
export const voiceRate = 24_000

/**
 * Maximum number of seconds used of a sample. The API recommends 3 to 30 and limits only the file size; decoding more would
 * fill the memory.
 */
const maxSampleSeconds = 600

/** Samples that are resampled or converted between two pauses: a few milliseconds of work. */
const blockSamples = 4096

/** Decodes an uploaded sample to 24 kHz mono. Throws 1214 when it cannot be read. */
export async function audioOfSample(bytes: Uint8Array): Promise<Float32Array<ArrayBuffer>> {
  try {
    const { mime } = await parseAudioHeader(bytes)
    const decode = mime === 'audio/wav' ? decodeWav : decodeMp3
    const rest = createPause()
    const audio = await decode(bytes, maxSampleSeconds, rest)
    const mono = downmix(audio)
    if (mono.length === 0) throw new AudioError('it has no audio')
    return await resampled(mono, audio.rate)
  } catch (error) {
    if (error instanceof AudioError || error instanceof TooLongError)
      throw new ServiceError('fieldIllegal', `file_id can’t be used: ${error.message}`)
    throw error
  }
}

/** Converts samples to {@link voiceRate}, and lets other requests in between. */
async function resampled(
  samples: Float32Array<ArrayBuffer>,
  rate: number,
): Promise<Float32Array<ArrayBuffer>> {
  const rest = createPause()
  // Loaded for each call: the filters of a rate are never removed, and a request may ask for any speed.
  const resampler = (await loadResampling())(rate, voiceRate)
  try {
    const blocks: Float32Array<ArrayBuffer>[] = []
    for (let at = 0; at < samples.length; at += blockSamples) {
      blocks.push(resampler.push(samples.subarray(at, at + blockSamples)))
      await rest()
    }
    return gathered([...blocks, resampler.end()])
  } finally {
    resampler.free()
  }
}

/** Converts samples to 16-bit little-endian PCM, clipping those that are too loud. */
export async function pcmOf(samples: Float32Array): Promise<Buffer> {
  const rest = createPause()
  const pcm = new Int16Array(samples.length)
  for (let at = 0; at < samples.length; at += blockSamples) {
    putPcm(samples.subarray(at, at + blockSamples), pcm, at, 1)
    await rest()
  }
  return Buffer.from(pcm.buffer)
}

/** Returns the samples of 16-bit little-endian PCM. */
function samplesOf(pcm: Uint8Array): Float32Array<ArrayBuffer> {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const samples = new Float32Array(Math.floor(pcm.length / 2))
  for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * 2, true) / 32_768
  return samples
}

/** Wraps 16-bit mono PCM of {@link voiceRate} in a WAV file. */
export function wavAround(pcm: Uint8Array): Buffer {
  const head = waveHeader({ channels: 1, sampleRate: voiceRate }, pcm.length)
  return Buffer.concat([head, pcm])
}

/** Returns the PCM inside a file created by {@link wavAround}. */
export const pcmInside = (wav: Uint8Array): Uint8Array => wav.subarray(waveHeaderBytes)

/**
 * Changes the speed and the volume of a sample. Speed changes the playback rate, and the pitch with it; volume multiplies,
 * and samples that become too loud are clipped.
 */
export async function spoken(pcm: Uint8Array, speed: number, volume: number): Promise<Buffer> {
  if (speed === 1 && volume === 1) return Buffer.from(pcm)
  const rate = Math.round(voiceRate * speed)
  const played = await resampled(samplesOf(pcm), rate)
  return pcmOf(played.map((sample) => sample * volume))
}
