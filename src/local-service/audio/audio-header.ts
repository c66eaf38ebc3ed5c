import { AudioFileError } from '../../shared/audio/audio-file-error.ts'
import { sourceOf } from '../../shared/audio/byte-source.ts'
import { readAudioHeader } from '../../shared/audio/header.ts'
import type { AudioHeader } from '../../shared/audio/header.ts'
import { sampleReader } from './samples.ts'
import { AudioError } from './audio.ts'

/** Reads the header of a wav or mp3 file, regardless of its name. Throws AudioError if it cannot be decoded here. */
export async function parseAudioHeader(bytes: Uint8Array): Promise<AudioHeader> {
  const header = await readAudioHeader(sourceOf(bytes)).catch((error: unknown) => {
    throw error instanceof AudioFileError ? new AudioError(error.message) : error
  })
  if (header.mime === 'audio/wav') sampleReader(header)
  return header
}
