import { AudioFileError } from '../../../../shared/audio/audio-file-error.ts'
import { kindOf, type FileKind } from '../../../../shared/audio/kind.ts'
import { readWave } from '../../../../shared/audio/wave.ts'
import { AppError } from '../../../errors.ts'
import { decodeContainer } from './container.ts'
import type { AudioDecoder } from './decoded.ts'
import { decodeMp3 } from './mp3.ts'
import { openSource, type AudioSource } from './source.ts'
import { decodeWave, isPlainWave } from './wav.ts'

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
