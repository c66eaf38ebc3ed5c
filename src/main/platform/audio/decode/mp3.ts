import {
  decoderDelay,
  readLengthHeader,
  type LengthHeader,
} from '../../../../shared/audio/mp3-length-header.ts'
import { AppError } from '../../../errors.ts'
import { release } from '../../../../system/audio/pcm.ts'
import type { Decoded, AudioDecoder } from './decoded.ts'
import { createMp3Walk, type Mp3Part } from './mp3-walk.ts'
import { loadFrameDecoder, type FrameDecoder } from './mpg123.ts'
import type { AudioSource } from './source.ts'
import { trimmed, type Added } from './trim.ts'

/** Bytes read at a time. */
const readBytes = 256 * 1024

/** Bytes without a frame after which the file is not MP3; tags do not count. */
const maxJunk = 16 * 1024 * 1024

type Frames = Extract<Mp3Part, { type: 'frames' }>

/**
 * Decodes an MP3 file frame by frame: padding that an encoder added is removed where the header reports it, non-frames are
 * skipped, and lost frames keep their duration. Throws DAMAGED_FILE if there are no frames.
 */
export async function decodeMp3(source: AudioSource): Promise<AudioDecoder> {
  const walk = createMp3Walk(source.size)
  const parts: Mp3Part[] = []
  let at = 0
  /** Returns false at the end of the file. */
  async function readOn(): Promise<boolean> {
    if (at >= source.size) return false
    const bytes = await source.read(at, readBytes)
    // A file that shrank while it was read ends here.
    at = bytes.length === 0 ? source.size : at + bytes.length
    for (const part of walk.take(bytes, at >= source.size)) parts.push(part)
    release(bytes)
    return true
  }

  const first = await firstFrames()
  const header = readLengthHeader(first.bytes.subarray(0, first.frame.bytes), first.frame)
  const totalSeconds = secondsOf(first, header, source.size)
  // The frame with the header contains no audio.
  if (header) parts.unshift(...withoutFirst(first))
  else parts.unshift(first)

  async function firstFrames(): Promise<Frames> {
    let lost = 0
    for (;;) {
      for (let part = parts.shift(); part; part = parts.shift()) {
        if (part.type === 'frames') return part
        lost += part.lost
      }
      if (lost > maxJunk || !(await readOn()))
        throw new AppError('DAMAGED_FILE', 'The MP3 file has no audio frames', {
          params: { kind: 'mp3' },
        })
    }
  }

  let decoder: FrameDecoder | null = null
  let run: (Frames & { done: number; samples: number }) | null = null
  let seen = { bytes: 0, frames: 0 }
  let lost = 0
  /** Number of frames, including the lost ones. */
  let whole = 0

  async function begin(part: Frames): Promise<void> {
    if (!decoder) {
      decoder = await loadFrameDecoder()
    } else if (part.begins) {
      // Otherwise leftovers of the old frames would be audible in the new ones.
      await decoder.reset()
    }
    run = { ...part, done: 0, samples: 0 }
    seen = { bytes: seen.bytes + part.bytes.length, frames: seen.frames + part.count }
  }

  /** Returns about a second of the run, or the part missing at its end. */
  function decodeOn(into: NonNullable<typeof run>, by: FrameDecoder): Decoded {
    const { frame, bytes, count } = into
    const { sampleRate: rate } = frame
    if (into.done >= bytes.length) {
      run = null
      release(bytes)
      const missing = count * frame.samples - into.samples
      return missing > 0
        ? { type: 'silence', seconds: missing / rate, lost: true }
        : { type: 'nothing' }
    }
    const perSecond = Math.ceil((bytes.length / count) * (rate / frame.samples))
    const chunk = bytes.subarray(into.done, into.done + perSecond)
    into.done += chunk.length
    const channels = by.decode(chunk, frame.channels)
    const sampleCount = channels[0]?.length ?? 0
    into.samples += sampleCount
    return sampleCount === 0 ? { type: 'nothing' } : { type: 'sound', rate, channels }
  }

  async function next(): Promise<Decoded | null> {
    if (run && decoder) return decodeOn(run, decoder)
    const part = parts.shift()
    if (!part) return (await readOn()) ? { type: 'nothing' } : null
    if (part.type === 'junk') {
      lost += part.lost
      return { type: 'nothing' }
    }
    // Only reported now: after the last frame nothing is missing.
    const frames = seen.frames === 0 ? 0 : Math.round((lost * seen.frames) / seen.bytes)
    lost = 0
    whole += frames + part.count
    await begin(part)
    const { samples, sampleRate } = part.frame
    return frames > 0
      ? { type: 'silence', seconds: (frames * samples) / sampleRate, lost: true }
      : { type: 'nothing' }
  }

  return {
    seconds: totalSeconds,
    next: trimmed(next, addedBy(header), () => isWhole(header, whole)),
    async close() {
      decoder?.free()
      decoder = null
    },
  }
}

/** Returns the padding around the decoded audio. */
function addedBy(header: LengthHeader | null): Added {
  if (!header || header.addedSamples === 0) return { before: 0, after: 0 }
  const before = header.delaySamples + decoderDelay
  return { before, after: Math.max(0, header.addedSamples - before) }
}

/** Some encoders leave out a frame, or count the one that carries the header. */
const isWhole = (header: LengthHeader | null, frames: number): boolean =>
  header !== null && Math.abs(header.frames - frames) <= 1

function withoutFirst(part: Frames): readonly Frames[] {
  if (part.count === 1) return []
  return [{ ...part, bytes: part.bytes.slice(part.frame.bytes), count: part.count - 1 }]
}

/** Returns the duration by the header if its byte count is correct, otherwise by the bytes of a frame. */
function secondsOf(first: Frames, header: LengthHeader | null, size: number): number {
  const { frame, bytes, count } = first
  const isTrue =
    header?.bytes !== null &&
    header?.bytes !== undefined &&
    header.bytes <= size &&
    header.bytes > size / 2
  const frames = header && isTrue ? header.frames : (size / bytes.length) * count
  return (frames * frame.samples) / frame.sampleRate
}
