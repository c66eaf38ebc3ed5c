import { open } from 'node:fs/promises'
import { AudioFileError } from '../../../shared/audio/audio-file-error.ts'
import { readAudioHeader as readHeader, type AudioHeader } from '../../../shared/audio/header.ts'
import { AppError } from '../../errors.ts'
import { windowOf } from './file-window.ts'

/**
 * Reads the header of a WAV or MP3 file and no more than needed. Throws AppError: EMPTY_FILE; UNSUPPORTED_FORMAT with the
 * detected kind in `params.kind` if known (`m4a`, `ogg`, `flac`, `webm`, `pdf`, ...); DAMAGED_FILE for a WAV or MP3 whose
 * length cannot be determined; FILE_MISSING.
 */
export async function readAudioHeader(path: string): Promise<AudioHeader> {
  const handle = await open(path, 'r').catch(() => {
    throw new AppError('FILE_MISSING', 'The audio file cannot be opened.')
  })
  try {
    const { size } = await handle.stat()
    return await readHeader(windowOf(handle, size))
  } catch (error) {
    throw error instanceof AudioFileError ? refusal(error) : error
  } finally {
    await handle.close()
  }
}

function refusal({ trouble, message }: AudioFileError): AppError {
  if (trouble.type === 'empty') return new AppError('EMPTY_FILE', message)
  const { type, ...params } = trouble
  if (type === 'damaged') return new AppError('DAMAGED_FILE', message, { params })
  return new AppError('UNSUPPORTED_FORMAT', message, {
    ...(params.kind !== 'unknown' && { params }),
  })
}
