import { AudioFileError } from './audio-file-error.ts'
import { type ByteSource, textOf } from './byte-source.ts'
import { kindOf } from './kind.ts'
import {
  anyFrameAt,
  frameAt,
  isLayer3,
  sameStream,
  type Mp3Frame,
  type MpegFrame,
} from './mp3-frame.ts'
import { readLengthHeader } from './mp3-length-header.ts'
import { readWave, type WaveHeader } from './wave.ts'

/** Header of an audio file, detected from its content and never from its name. */
export type AudioHeader = WaveHeader | Mp3Header

/** An MPEG layer III stream. */
interface Mp3Header {
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

/** Maximum distance after a tag, or after lost sync, in which a frame is searched for. */
const maxJunkLength = 128 * 1024

/** Number of consecutive frames that must match before a sync word is trusted. */
const framesToBelieve = 3

/**
 * Number of consecutive isolated headers after which a file is given up: they occur by chance every few kilobytes, and
 * each costs two reads of the file.
 */
const maxDoubts = 20_000

/**
 * Files whose header specifies less than this many seconds are also counted: a wrong value would pass the provider's
 * limit.
 */
const shortSeconds = 60

/**
 * Reads an MP3: its length header if it matches the file, otherwise every frame. Throws AudioFileError if no frame is
 * found, or if audio of another layer or sample rate is among the frames: decoders play it, so that no length would be
 * correct.
 */
async function readMp3(file: ByteSource): Promise<Mp3Header> {
  const start = await behindTags(file)
  const first = await findFrame(file, start, Math.min(file.size, start + maxJunkLength))
  if (!first) throw damaged()
  const { offset, frame } = first
  if (!isLayer3(frame)) throw damaged('mixed')
  const base = {
    mime: 'audio/mpeg' as const,
    sampleRate: frame.sampleRate,
    channels: frame.channels,
    dataOffset: offset,
  }
  const header = readLengthHeader(await file.bytes(offset, frame.bytes), frame)
  const added = header?.addedSamples ?? 0
  const secondsOf = (frames: number): number =>
    Math.max(0, frames * frame.samples - added) / frame.sampleRate
  const headerFrames = header && fits(header.bytes, file.size - offset) ? header.frames : null
  if (headerFrames !== null && secondsOf(headerFrames) > shortSeconds)
    return { ...base, seconds: secondsOf(headerFrames), frames: headerFrames, countedBy: 'header' }

  // The frame with a length header contains no audio.
  const counted = await countFrames(file, header ? offset + frame.bytes : offset, frame)
  // Some writers omit a frame; fewer than specified means a cut or a gap.
  if (headerFrames !== null && counted <= headerFrames + 1)
    return { ...base, seconds: secondsOf(headerFrames), frames: headerFrames, countedBy: 'header' }
  if (counted === 0) throw damaged()
  return { ...base, seconds: secondsOf(counted), frames: counted, countedBy: 'frames' }
}

/** Returns whether the stream length in the header matches this file, apart from tags at the end. */
function fits(expected: number | null, real: number): boolean {
  if (expected === null || expected === 0) return false
  return expected <= real && real - expected <= Math.max(maxJunkLength, expected * 0.02)
}

/** Returns the end of the ID3v2 tags at an offset; some files have several. */
async function behindTags(file: ByteSource): Promise<number> {
  let offset = 0
  for (;;) {
    const head = await file.bytes(offset, 10)
    if (head.length < 10 || textOf(head, 0, 3) !== 'ID3') return offset
    const size = head.subarray(6, 10).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0)
    const footer = ((head[5] ?? 0) & 0x10) === 0 ? 0 : 10
    offset += 10 + size + footer
    // A tag larger than the file is damaged: search for frames right after its header instead.
    if (offset >= file.size) return 10
  }
}

/**
 * Returns the first offset in a range where frames of any layer follow each other. Throws if too many candidate headers
 * are invalid.
 */
async function findFrame(
  file: ByteSource,
  from: number,
  end: number,
): Promise<{ readonly offset: number; readonly frame: MpegFrame } | null> {
  let doubts = 0
  for (let offset = from; offset + 4 <= end;) {
    // A copy: checking a candidate reads other bytes of the file.
    const chunk = new Uint8Array(await file.bytes(offset, 4096))
    for (let at = 0; at + 4 <= chunk.length; at++) {
      if (chunk[at] !== 0xff || !anyFrameAt(chunk, at)) continue
      const frame = await believed(file, offset + at)
      if (frame) return { offset: offset + at, frame }
      if (++doubts > maxDoubts) throw damaged()
    }
    if (chunk.length < 4) return null
    // A header may cross the boundary.
    offset += chunk.length - 3
  }
  return null
}

/** Returns the frame at an offset if others follow it, or if the file ends exactly after it. */
async function believed(file: ByteSource, offset: number): Promise<MpegFrame | null> {
  let first: MpegFrame | null = null
  let at = offset
  for (let seen = 0; seen < framesToBelieve; seen++) {
    const frame = anyFrameAt(await file.bytes(at, 4), 0)
    if (!frame || (first && !sameStream(first, frame))) {
      return seen > 0 && (await isEnd(file, at)) ? first : null
    }
    first ??= frame
    at += frame.bytes
    if (at >= file.size) return seen > 0 || at === file.size ? first : null
  }
  return first
}

/** Returns whether only a tag follows. */
async function isEnd(file: ByteSource, at: number): Promise<boolean> {
  const text = textOf(await file.bytes(at, 8))
  return text.length < 4 || /^(TAG|APETAGEX|LYRICSB|ID3)/.test(text)
}

/** Counts complete frames from `offset` to the end of the file, skipping damage and tags in between. */
async function countFrames(file: ByteSource, offset: number, like: Mp3Frame): Promise<number> {
  let count = 0
  let at = offset
  while (at + 4 <= file.size) {
    const frame = frameAt(await file.bytes(at, 4), 0)
    if (frame && sameStream(frame, like)) {
      // The last frame of a truncated file is incomplete, and decoders drop it.
      if (at + frame.bytes > file.size) break
      count += 1
      at += frame.bytes
      continue
    }
    const next = await findFrame(file, at, file.size)
    if (!next) break
    if (!sameStream(next.frame, like)) throw damaged('mixed')
    at = next.offset
  }
  return count
}

function damaged(reason?: 'mixed'): AudioFileError {
  return new AudioFileError(
    { type: 'damaged', kind: 'mp3', ...(reason && { reason }) },
    reason
      ? 'The MP3 file contains audio of a different layer or sample rate.'
      : 'The MP3 file has no audio frames.',
  )
}
