import { AudioFileError } from './audio-file-error.ts'
import type { ByteSource } from './byte-source.ts'
import { kindOf } from './kind.ts'
import { readMp3 } from './mp3.ts'
import { readWave } from './wave.ts'

/** Header of an audio file, detected from its content and never from its name. */
export type AudioHeader = WaveHeader | Mp3Header

/** A RIFF/WAVE file (RF64 included). */
export interface WaveHeader {
  readonly mime: 'audio/wav'
  /** Length of the audio that is actually present. */
  readonly seconds: number
  readonly sampleRate: number
  readonly channels: number
  /** 0 for formats without a fixed size. */
  readonly bitsPerSample: number
  readonly encoding: 'pcm' | 'float' | 'alaw' | 'mulaw' | 'other'
  /** Position of the samples in bytes. */
  readonly dataOffset: number
  readonly dataBytes: number
  /** Whether the size in the header differs from the file: a writer was killed, or the file was truncated. */
  readonly sizeRepaired: boolean
}

/** An MPEG layer III stream. */
export interface Mp3Header {
  readonly mime: 'audio/mpeg'
  /** Without the silence added by the encoder, if its length is specified. */
  readonly seconds: number
  readonly sampleRate: number
  readonly channels: number
  readonly frames: number
  /** `header`: from a Xing, Info or VBRI header that matches the file; `frames`: every frame was counted. */
  readonly countedBy: 'header' | 'frames'
  /** Position of the first frame in bytes. */
  readonly dataOffset: number
}

/**
 * Reads the header of a WAV or MP3 file, and no more of it than needed. The client and the local service both measure
 * with it, so that they agree on what is 30 seconds long. Throws {@link AudioFileError}.
 */
export async function readAudioHeader(source: ByteSource): Promise<AudioHeader> {
  if (source.size === 0) throw new AudioFileError({ type: 'empty' }, 'The file is empty.')
  const kind = kindOf(await source.bytes(0, 64), source.size)
  if (kind === 'wav') return readWave(source)
  if (kind === 'mp3') return readMp3(source)
  throw new AudioFileError(
    { type: 'unsupported', kind },
    `This is not a WAV or MP3 file (${kind}).`,
  )
}
