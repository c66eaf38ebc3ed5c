import type { WaveHeader } from '../../shared/audio/header.ts'
import { SoundError } from './sound.ts'

/** Reads one sample at a byte offset, -1 to 1 (beyond that for loud float samples). */
export type ReadSample = (view: DataView, at: number) => number

const readers: Readonly<Record<string, ReadSample>> = {
  pcm8: (view, at) => (view.getUint8(at) - 128) / 128,
  pcm16: (view, at) => view.getInt16(at, true) / 32_768,
  pcm24: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  pcm32: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  float32: (view, at) => view.getFloat32(at, true),
  float64: (view, at) => view.getFloat64(at, true),
}

/** Sample rates in Hz that sound is recorded with; beyond them a second of it costs more work than a caller may ask for. */
const sampleRates = { min: 1000, max: 192_000 } as const

/** How the samples of a wav file are read (PCM 8 to 32 bits, float 32 and 64). Throws SoundError for other formats. */
export function sampleReader(header: WaveHeader): ReadSample {
  const { encoding, bitsPerSample: bits, sampleRate } = header
  if (encoding !== 'pcm' && encoding !== 'float')
    throw new SoundError(`the wav file is compressed (${encoding})`)
  const read = readers[`${encoding}${bits}`]
  if (!read) throw new SoundError(`wav samples of ${bits} bits are not known`)
  if (sampleRate < sampleRates.min || sampleRate > sampleRates.max)
    throw new SoundError(
      `its sample rate is ${sampleRate} Hz, and only ${sampleRates.min} to ${sampleRates.max} Hz are taken`,
    )
  return read
}
