import { viewOf } from '../../shared/audio/byte-source.ts'
import { sampleReader } from './samples.ts'
import { readSoundHeader } from './sound-header.ts'
import { SoundError, TooLongError } from './sound.ts'
import type { Sound } from './sound.ts'

/** Decodes all samples of a wav file. Throws SoundError, and TooLongError beyond `mostSeconds`. */
export async function decodeWav(bytes: Uint8Array, mostSeconds: number): Promise<Sound> {
  const header = await readSoundHeader(bytes)
  if (header.mime !== 'audio/wav') throw new SoundError('this is not a wav file')
  if (header.seconds > mostSeconds) throw new TooLongError(mostSeconds)
  const read = sampleReader(header)
  const view = viewOf(bytes)
  const width = header.bitsPerSample / 8
  const frames = header.dataBytes / (width * header.channels)
  const channels = Array.from({ length: header.channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    for (let frame = 0; frame < frames; frame++) {
      const value = read(view, header.dataOffset + (frame * header.channels + channel) * width)
      samples[frame] = Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0
    }
    return samples
  })
  return { rate: header.sampleRate, channels }
}
