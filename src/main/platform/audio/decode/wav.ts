import { viewOf } from '../../../../shared/audio/byte-source.ts'
import type { WaveHeader } from '../../../../shared/audio/wave.ts'
import { waveSampleReader, type ReadSample } from '../../../../shared/audio/wave-samples.ts'
import { AppError } from '../../../errors.ts'
import { maxChannels, acceptedRates, type AudioDecoder } from './decoded.ts'
import type { AudioSource } from './source.ts'

/** Maximum number of bytes decoded at a time. */
const chunkBytes = 512 * 1024

/** Whether this reader supports the encoding of a WAV file; others are left to the container decoder. */
export const isPlainWave = (header: WaveHeader): boolean => readerOf(header) !== null

/** Decodes a WAV file: PCM of any width, float, A-law, mu-law. Throws DAMAGED_FILE for an impossible rate or channel count. */
export function decodeWave(source: AudioSource, header: WaveHeader): AudioDecoder {
  const { channels, sampleRate: rate, dataOffset, dataBytes } = header
  const read = readerOf(header)
  if (!read) throw new AppError('UNSUPPORTED_FORMAT', 'The samples of the WAV file are compressed')
  if (rate < acceptedRates.min || rate > acceptedRates.max || channels > maxChannels)
    throw new AppError(
      'DAMAGED_FILE',
      `The WAV header specifies ${rate} Hz and ${channels} channels`,
      {
        params: { kind: 'wav', reason: 'format' },
      },
    )
  const width = widthOf(header)
  const frameBytes = width * channels
  const frames = Math.max(1, Math.min(rate, Math.floor(chunkBytes / frameBytes)))
  const end = dataOffset + dataBytes
  let at = dataOffset
  return {
    seconds: header.seconds,
    async next() {
      const bytes = await source.read(at, Math.min(frames * frameBytes, end - at))
      const count = Math.floor(bytes.length / frameBytes)
      at += count * frameBytes
      if (count === 0) return null
      const view = viewOf(bytes)
      const channelSamples = Array.from({ length: channels }, (_, channel) =>
        column(view, read, channel * width, frameBytes, count),
      )
      return { type: 'sound', rate, channels: channelSamples }
    },
    close: async () => {},
  }
}

const widthOf = ({ bitsPerSample }: WaveHeader): number => Math.ceil(bitsPerSample / 8)

const readerOf = (header: WaveHeader): ReadSample | null =>
  waveSampleReader(header.encoding, widthOf(header))

/** Returns one channel of interleaved samples. */
function column(
  view: DataView,
  read: ReadSample,
  first: number,
  step: number,
  count: number,
): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(count)
  for (let i = 0, at = first; i < count; i++, at += step) samples[i] = read(view, at)
  return samples
}
