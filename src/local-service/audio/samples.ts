import type { WaveHeader } from '../../shared/audio/wave.ts'
import { waveSampleReader, type ReadSample } from '../../shared/audio/wave-samples.ts'
import { AudioError } from './audio.ts'

/** Sample rates in Hz of recorded audio; beyond them one second would cost more work than a request may cause. */
const sampleRates = { min: 1000, max: 192_000 } as const

/** Returns a reader for the samples of a wav file (PCM 8 to 32 bits, float 32 and 64). Throws AudioError for other formats. */
export function sampleReader(header: WaveHeader): ReadSample {
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
