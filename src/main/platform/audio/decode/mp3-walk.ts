import { textOf, viewOf } from '../../../../shared/audio/byte-source.ts'
import { release } from '../../../../system/audio/pcm.ts'
import { frameAt, sameStream, type Mp3Frame } from '../../../../shared/audio/mp3-frame.ts'

/** Next part of an MP3 file. */
export type Mp3Part =
  /** Whole frames of one stream, end to end; `begins` if the stream is new or something was in between. */
  | {
      readonly type: 'frames'
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly frame: Mp3Frame
      readonly count: number
      readonly begins: boolean
    }
  /** Bytes that are not frames; `lost` counts those that are not tags either, where frames were expected. */
  | { readonly type: 'junk'; readonly lost: number }

/** Reads the bytes of an MP3 file in order and separates frames from everything else. */
interface Mp3Walk {
  /** Returns the parts decided so far; the rest waits for more bytes. `last`: there are no more. */
  take(bytes: Uint8Array, last: boolean): Mp3Part[]
}

/** Consecutive frames that must match before a sync word is trusted. */
const framesToBelieve = 3

/** Bytes of the longest tag header. */
const tagHead = 32

/** Bytes that begin a frame or a tag: 0xff, A, I, T. */
const beginnings: ReadonlySet<number> = new Set([0xff, 0x41, 0x49, 0x54])

/** Walks an MP3 file of this many bytes frame by frame, so that a decoder receives only frames and every sample is placed. */
export function createMp3Walk(size: number): Mp3Walk {
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  /** Offset of `rest` in the file. */
  let offset = 0
  let stream: Mp3Frame | null = null
  let tagLeft = 0
  let junk: { lost: number } | null = null

  function take(more: Uint8Array, last: boolean): Mp3Part[] {
    const bytes = new Uint8Array(rest.length + more.length)
    bytes.set(rest)
    bytes.set(more, rest.length)
    const parts: Mp3Part[] = []
    let at = 0
    while (at < bytes.length) {
      if (tagLeft > 0) {
        const some = Math.min(tagLeft, bytes.length - at)
        tagLeft -= some
        at += some
        continue
      }
      const run = runAt(bytes, at, last)
      if (run === 'undecided') break
      if (run) {
        if (junk) parts.push({ type: 'junk', ...junk })
        junk = null
        stream = run.frame
        parts.push(run)
        at += run.bytes.length
        continue
      }
      if (!last && bytes.length - at < tagHead) break
      tagLeft = tagAt(bytes, at, size - offset - at)
      junk = { lost: junk?.lost ?? 0 }
      if (tagLeft > 0) continue
      const next = nextBeginning(bytes, at + 1)
      junk.lost += next - at
      at = next
    }
    rest = last ? new Uint8Array(0) : bytes.slice(at)
    release(bytes)
    offset += at
    if (last && junk) parts.push({ type: 'junk', ...junk })
    return parts
  }

  /** Returns all whole frames from here on; null if none begins here. */
  function runAt(
    bytes: Uint8Array<ArrayBuffer>,
    start: number,
    last: boolean,
  ): Extract<Mp3Part, { type: 'frames' }> | 'undecided' | null {
    const first = frameAt(bytes, start)
    if (!first) return null
    const goesOn = stream !== null && !junk && same(first, stream)
    if (!goesOn) {
      const fits = believed(bytes, start, first, last)
      if (fits !== true) return fits === null ? 'undecided' : null
    }
    let count = 0
    let at = start
    for (;;) {
      const frame = at === start ? first : frameAt(bytes, at)
      if (!frame || !same(frame, first) || at + frame.bytes > bytes.length) break
      count += 1
      at += frame.bytes
    }
    // The last frame of a truncated file is incomplete: it is skipped.
    if (count === 0) return last ? null : 'undecided'
    return { type: 'frames', bytes: bytes.slice(start, at), frame: first, count, begins: !goesOn }
  }

  return { take }
}

/** Whether frames of one stream follow from here on; null if more bytes are needed to decide. */
function believed(bytes: Uint8Array, at: number, first: Mp3Frame, last: boolean): boolean | null {
  let next = at + first.bytes
  for (let seen = 1; seen < framesToBelieve; seen++) {
    if (next + 4 > bytes.length) return last ? seen > 1 || next <= bytes.length : null
    const frame = frameAt(bytes, next)
    if (!frame || !same(first, frame)) return false
    next += frame.bytes
  }
  return true
}

const same = (a: Mp3Frame, b: Mp3Frame): boolean => sameStream(a, b) && a.channels === b.channels

function nextBeginning(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && !beginnings.has(bytes[at] ?? 0)) at++
  return at
}

/** Returns the bytes of the tag that begins here; 0 if there is none, or if it claims more than there is. */
function tagAt(bytes: Uint8Array, at: number, left: number): number {
  const size = tagBytes(bytes, at)
  return size <= left ? size : 0
}

function tagBytes(bytes: Uint8Array, at: number): number {
  const text = textOf(bytes, at, at + 8)
  if (text.startsWith('ID3') && at + 10 <= bytes.length) {
    const size = bytes
      .subarray(at + 6, at + 10)
      .reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0)
    return 10 + size + (((bytes[at + 5] ?? 0) & 0x10) === 0 ? 0 : 10)
  }
  if (text === 'APETAGEX' && at + tagHead <= bytes.length) {
    const view = viewOf(bytes)
    // The header contains the size of everything after it; the footer, which looks the same, of everything before it.
    const isHead = (view.getUint32(at + 20, true) & 0x2000_0000) !== 0
    return tagHead + (isHead ? view.getUint32(at + 12, true) : 0)
  }
  return text.startsWith('TAG') ? 128 : 0
}
