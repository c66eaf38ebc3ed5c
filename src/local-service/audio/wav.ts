import { viewOf } from '../../shared/audio/byte-source.ts'
import { sampleReader } from './samples.ts'
import { parseAudioHeader } from './audio-header.ts'
import { AudioError, TooLongError } from './audio.ts'
import type { AudioData } from './audio.ts'

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
