import { AudioFileError } from './audio-file-error.ts'
import { textOf } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'
import type { Mp3Header } from './header.ts'
import { frameAt, sameStream } from './mp3-frame.ts'
import type { Mp3Frame } from './mp3-frame.ts'
import { readLengthHeader } from './mp3-length-header.ts'

/** How far behind a tag, or behind lost sync, a frame is looked for. */
const longestJunk = 128 * 1024

/** How many frames in a row must fit before a sync word is believed. */
const framesToBelieve = 3

/** Reads an mp3: its length header where one fits the file, else every frame. Throws AudioFileError when no frame is found. */
export async function readMp3(file: ByteSource): Promise<Mp3Header> {
  const start = await behindTags(file)
  const first = await findFrame(file, start, null)
  if (!first) throw damaged()
  const { offset, frame } = first
  const base = {
    mime: 'audio/mpeg' as const,
    sampleRate: frame.sampleRate,
    channels: frame.channels,
    dataOffset: offset,
  }

  const header = readLengthHeader(await file.bytes(offset, frame.bytes), frame)
  if (header && fits(header.bytes, file.size - offset)) {
    const samples = Math.max(0, header.frames * frame.samples - header.addedSamples)
    return {
      ...base,
      seconds: samples / frame.sampleRate,
      frames: header.frames,
      countedBy: 'header',
    }
  }
  // The frame that carries a length header holds no sound.
  const counted = await countFrames(file, header ? offset + frame.bytes : offset, frame)
  if (counted === 0) throw damaged()
  const added = header?.addedSamples ?? 0
  const samples = Math.max(0, counted * frame.samples - added)
  return { ...base, seconds: samples / frame.sampleRate, frames: counted, countedBy: 'frames' }
}

/** Whether the stream's length in the header is that of this file, apart from tags at the end. */
function fits(told: number | null, real: number): boolean {
  if (told === null || told === 0) return false
  return told <= real && real - told <= Math.max(longestJunk, told * 0.02)
}

/** Where the first ID3v2 tags end; files with several exist. */
async function behindTags(file: ByteSource): Promise<number> {
  let offset = 0
  for (;;) {
    const head = await file.bytes(offset, 10)
    if (head.length < 10 || textOf(head, 0, 3) !== 'ID3') return offset
    const size = head.subarray(6, 10).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0)
    const footer = ((head[5] ?? 0) & 0x10) === 0 ? 0 : 10
    offset += 10 + size + footer
    // Tags larger than the file are damage: look for frames right behind the tag's head instead.
    if (offset >= file.size) return 10
  }
}

/** The first offset from `from` where frames follow each other. */
async function findFrame(
  file: ByteSource,
  from: number,
  like: Mp3Frame | null,
): Promise<{ readonly offset: number; readonly frame: Mp3Frame } | null> {
  const end = Math.min(file.size, from + longestJunk)
  for (let offset = from; offset + 4 <= end;) {
    const piece = await file.bytes(offset, 4096)
    const candidates: number[] = []
    for (let at = piece.indexOf(0xff); at >= 0 && at + 4 <= piece.length;) {
      const frame = frameAt(piece, at)
      if (frame && (!like || sameStream(frame, like))) candidates.push(offset + at)
      at = piece.indexOf(0xff, at + 1)
    }
    for (const candidate of candidates) {
      const frame = await believed(file, candidate)
      if (frame) return { offset: candidate, frame }
    }
    if (piece.length < 4) return null
    // A header may lie across the edge.
    offset += piece.length - 3
  }
  return null
}

/** The frame at an offset if others follow it, or if the file ends exactly with it. */
async function believed(file: ByteSource, offset: number): Promise<Mp3Frame | null> {
  let first: Mp3Frame | null = null
  let at = offset
  for (let seen = 0; seen < framesToBelieve; seen++) {
    const frame = frameAt(await file.bytes(at, 4), 0)
    if (!frame || (first && !sameStream(first, frame))) {
      return seen > 0 && (await isEnd(file, at)) ? first : null
    }
    first ??= frame
    at += frame.bytes
    if (at >= file.size) return seen > 0 || at === file.size ? first : null
  }
  return first
}

/** Nothing but a tag follows. */
async function isEnd(file: ByteSource, at: number): Promise<boolean> {
  const text = textOf(await file.bytes(at, 8))
  return text.length < 4 || /^(TAG|APETAGEX|LYRICSB|ID3)/.test(text)
}

/** Whole frames from `offset` to the end of the file; damage in between is stepped over. */
async function countFrames(file: ByteSource, offset: number, like: Mp3Frame): Promise<number> {
  let count = 0
  let at = offset
  while (at + 4 <= file.size) {
    const frame = frameAt(await file.bytes(at, 4), 0)
    if (frame && sameStream(frame, like)) {
      // The last frame of a cut file is not whole: decoders drop it.
      if (at + frame.bytes > file.size) break
      count += 1
      at += frame.bytes
      continue
    }
    if (await isEnd(file, at)) break
    const next = await findFrame(file, at + 1, like)
    if (!next) break
    at = next.offset
  }
  return count
}

function damaged(): AudioFileError {
  return new AudioFileError(
    { type: 'damaged', kind: 'mp3' },
    'No sound frames were found in the mp3 file.',
  )
}
