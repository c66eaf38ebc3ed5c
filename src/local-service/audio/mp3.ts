import { MPEGDecoder } from 'mpg123-decoder'
import { SoundError } from './sound.ts'
import type { Sound } from './sound.ts'

/** Decodes an mp3 file whole. Throws SoundError when no sound comes out of it. */
export async function decodeMp3(bytes: Uint8Array): Promise<Sound> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  try {
    const { channelData, sampleRate, samplesDecoded } = decoder.decode(bytes)
    if (samplesDecoded === 0 || !sampleRate) throw new SoundError('the mp3 file holds no sound')
    return { rate: sampleRate, channels: channelData.map((channel) => new Float32Array(channel)) }
  } finally {
    decoder.free()
  }
}
