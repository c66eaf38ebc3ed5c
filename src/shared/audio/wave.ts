import { AudioFileError } from './audio-file-error.ts'
import { textOf, viewOf, type ByteSource } from './byte-source.ts'

/** The `fmt ` chunk. */
interface Format {
  readonly encoding: WaveHeader['encoding']
  readonly channels: number
  readonly sampleRate: number
  readonly byteRate: number
  readonly blockAlign: number
  readonly bitsPerSample: number
}

/** Maximum number of chunks read before the file counts as damaged. */
const maxChunks = 1000

/** Maximum number of meaningless bytes after the last chunk. */
const maxStrayBytes = 64

/** Size that writers put in the header while they do not know it. */
const unknownSize = 0xffff_ffff

const encodings: ReadonlyMap<number, WaveHeader['encoding']> = new Map([
  [1, 'pcm'],
  [3, 'float'],
  [6, 'alaw'],
  [7, 'mulaw'],
])

/**
 * Reads a RIFF or RF64 WAVE file. Throws AudioFileError: damaged if format or audio are missing, empty if there are no
 * samples.
 */
export async function readWave(file: ByteSource): Promise<WaveHeader> {
  let format: Format | null = null
  let size64: number | null = null
  let offset = 12
  for (let chunk = 0; chunk < maxChunks; chunk++) {
    const head = await file.bytes(offset, 8)
    if (head.length < 8) break
    const id = textOf(head, 0, 4)
    const size = viewOf(head).getUint32(4, true)
    const body = offset + 8
    if (id === 'ds64') size64 = read64(await file.bytes(body, 16), 8)
    if (id === 'fmt ') format = readFormat(await file.bytes(body, Math.min(size, 40)))
    if (id === 'data') {
      if (!format) throw damaged('no-format')
      const declared = size === unknownSize && size64 !== null ? size64 : size
      const stale = await isStale(file, body + declared + (declared % 2))
      return header(file, format, body, stale ? 0 : declared)
    }
    // Chunks are padded to even sizes.
    offset = body + size + (size % 2)
  }
  throw damaged(format ? 'no-data' : 'no-format')
}

/**
 * Returns whether the audio continues after the end specified in the header, because a recorder was killed between two
 * header updates. Other chunks may follow the audio, and a few stray bytes; anything else is audio.
 */
async function isStale(file: ByteSource, end: number): Promise<boolean> {
  const left = file.size - end
  if (left <= maxStrayBytes) return false
  const head = await file.bytes(end, 8)
  const isChunk = /^[ -~]{4}$/.test(textOf(head, 0, 4))
  return !isChunk || viewOf(head).getUint32(4, true) > left
}

function header(
  file: ByteSource,
  format: Format,
  dataOffset: number,
  declared: number,
): WaveHeader {
  const there = Math.max(0, file.size - dataOffset)
  // A recorder that was killed leaves zero or "unknown"; a size beyond the file means that it was truncated.
  const isWrongLength = declared === 0 || declared > there
  const raw = isWrongLength ? there : declared
  const dataBytes = raw - (raw % format.blockAlign)
  if (dataBytes === 0) throw new AudioFileError({ type: 'empty' }, 'The WAV file has no audio.')
  const linear = format.encoding !== 'other'
  const seconds = linear
    ? dataBytes / format.blockAlign / format.sampleRate
    : dataBytes / format.byteRate
  return {
    mime: 'audio/wav',
    seconds,
    sampleRate: format.sampleRate,
    channels: format.channels,
    bitsPerSample: format.bitsPerSample,
    encoding: format.encoding,
    dataOffset,
    dataBytes,
    sizeRepaired: isWrongLength,
  }
}

function readFormat(bytes: Uint8Array): Format {
  if (bytes.length < 16) throw damaged('format')
  const view = viewOf(bytes)
  const tag = view.getUint16(0, true)
  // WAVE_FORMAT_EXTENSIBLE stores the real tag in the first two bytes of a GUID.
  const realTag = tag === 0xfffe && bytes.length >= 26 ? view.getUint16(24, true) : tag
  const format: Format = {
    encoding: encodings.get(realTag) ?? 'other',
    channels: view.getUint16(2, true),
    sampleRate: view.getUint32(4, true),
    byteRate: view.getUint32(8, true),
    blockAlign: view.getUint16(12, true),
    bitsPerSample: view.getUint16(14, true),
  }
  const { channels, sampleRate, byteRate, blockAlign, bitsPerSample, encoding } = format
  if (channels === 0 || sampleRate === 0 || blockAlign === 0) throw damaged('format')
  if (encoding === 'other' && byteRate === 0) throw damaged('format')
  // In linear formats a block is one sample of each channel.
  if (encoding !== 'other' && blockAlign !== channels * Math.ceil(bitsPerSample / 8))
    throw damaged('format')
  return format
}

function read64(bytes: Uint8Array, at: number): number | null {
  if (bytes.length < at + 8) return null
  const value = viewOf(bytes).getBigUint64(at, true)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null
}

function damaged(reason: string): AudioFileError {
  return new AudioFileError(
    { type: 'damaged', kind: 'wav', reason },
    `The WAV file is damaged (${reason}).`,
  )
}

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
