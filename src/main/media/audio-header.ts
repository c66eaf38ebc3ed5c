import { open } from 'node:fs/promises'
import { AppError } from '../errors.ts'
import { windowOf } from './audio/file-window.ts'
import { kindOf } from './audio/kind.ts'
import { readMp3 } from './audio/mp3.ts'
import { readWave } from './audio/wave.ts'

/** What the head of a sound file says, told from its content and never from its name. */
export type AudioHeader = WaveHeader | Mp3Header

/** A RIFF/WAVE file (RF64 included). */
export interface WaveHeader {
  readonly mime: 'audio/wav'
  /** Length of the sound that is really there. */
  readonly seconds: number
  readonly sampleRate: number
  readonly channels: number
  /** 0 for formats without a fixed size. */
  readonly bitsPerSample: number
  readonly encoding: 'pcm' | 'float' | 'alaw' | 'mulaw' | 'other'
  /** Where the samples lie, in bytes. */
  readonly dataOffset: number
  readonly dataBytes: number
  /** The header told another size than the file has: a writer was killed, or the file was cut. */
  readonly sizeMended: boolean
}

/** An MPEG layer III stream. */
export interface Mp3Header {
  readonly mime: 'audio/mpeg'
  /** Without the silence an encoder adds, where it says how much. */
  readonly seconds: number
  readonly sampleRate: number
  readonly channels: number
  readonly frames: number
  /** `header`: from a Xing, Info or VBRI header that fits the file; `frames`: every frame was counted. */
  readonly countedBy: 'header' | 'frames'
  /** Where the first frame lies, in bytes. */
  readonly dataOffset: number
}

/**
 * Reads the header of a wav or mp3 file, no more of it than is needed. Throws AppError: EMPTY_FILE; UNSUPPORTED_FORMAT with
 * the kind it is in `params.kind` where it is known (`m4a`, `ogg`, `flac`, `webm`, `pdf`, ...); DAMAGED_FILE for a wav or mp3 whose
 * length cannot be told; FILE_MISSING.
 */
export async function readAudioHeader(path: string): Promise<AudioHeader> {
  const handle = await open(path, 'r').catch(() => {
    throw new AppError('FILE_MISSING', 'The sound file cannot be opened.')
  })
  try {
    const { size } = await handle.stat()
    if (size === 0) throw new AppError('EMPTY_FILE', 'The file is empty.')
    const file = windowOf(handle, size)
    const kind = kindOf(await file.bytes(0, 64), size)
    if (kind === 'wav') return await readWave(file)
    if (kind === 'mp3') return await readMp3(file)
    throw new AppError('UNSUPPORTED_FORMAT', `This is no wav or mp3 file (${kind}).`, {
      ...(kind !== 'unknown' && { params: { kind } }),
    })
  } finally {
    await handle.close()
  }
}
