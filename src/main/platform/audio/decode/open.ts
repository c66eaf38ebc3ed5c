import { AudioFileError } from '../../../../shared/audio/audio-file-error.ts'
import { kindOf, type FileKind } from '../../../../shared/audio/kind.ts'
import { readWave, type WaveHeader } from '../../../../shared/audio/wave.ts'
import { AppError } from '../../../errors.ts'
import { decodeContainer } from './container.ts'
import { type AudioDecoder, maxChannels, acceptedRates } from './decoded.ts'
import { decodeMp3 } from './mp3.ts'
import { openSource, type AudioSource } from './source.ts'
import { viewOf } from '../../../../shared/audio/byte-source.ts'
import { waveSampleReader, type ReadSample } from '../../../../shared/audio/wave-samples.ts'

/** Opens the audio of a file by its content. Throws AppError: FILE_MISSING, EMPTY_FILE, UNSUPPORTED_FORMAT, DAMAGED_FILE. */
export async function openAudio(path: string): Promise<AudioDecoder> {
  const source = await openSource(path)
  try {
    const decoder = await decoderFor(source)
    return {
      ...decoder,
      async close() {
        await decoder.close()
        await source.close()
      },
    }
  } catch (error) {
    await source.close()
    throw error instanceof AudioFileError ? refusal(error) : error
  }
}

async function decoderFor(source: AudioSource): Promise<AudioDecoder> {
  const kind = kindOf(await source.bytes.bytes(0, 64), source.size)
  if (kind === 'mp3') return decodeMp3(source)
  if (kind === 'wav') {
    const header = await readWave(source.bytes)
    if (isPlainWave(header)) return decodeWave(source, header)
    throw new AppError('UNSUPPORTED_FORMAT', 'The audio of the WAV file is compressed', {
      params: { reason: 'codec' },
    })
  }
  if (containers.has(kind)) return decodeContainer(source, kind)
  throw unsupported(kind)
}

/** Containers that libav demuxes; this build has no parser for others. */
const containers: ReadonlySet<FileKind> = new Set(['m4a', 'mp4', 'ogg', 'flac', 'webm'])

const unsupported = (kind: FileKind): AppError =>
  new AppError('UNSUPPORTED_FORMAT', `Audio of this file type is not supported (${kind})`, {
    ...(kind !== 'unknown' && { params: { kind } }),
  })

function refusal({ trouble, message }: AudioFileError): AppError {
  if (trouble.type === 'empty') return new AppError('EMPTY_FILE', message)
  if (trouble.type === 'unsupported') return unsupported(trouble.kind)
  const { kind, reason } = trouble
  return new AppError('DAMAGED_FILE', message, { params: { kind, ...(reason && { reason }) } })
}

/** Maximum number of bytes decoded at a time. */
const chunkBytes = 512 * 1024

/** Whether this reader supports the encoding of a WAV file; others are left to the container decoder. */
const isPlainWave = (header: WaveHeader): boolean => readerOf(header) !== null

/** Decodes a WAV file: PCM of any width, float, A-law, mu-law. Throws DAMAGED_FILE for an impossible rate or channel count. */
function decodeWave(source: AudioSource, header: WaveHeader): AudioDecoder {
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
