import {
  decoderDelay,
  readLengthHeader,
  type LengthHeader,
} from '../../../../shared/audio/mp3-length-header.ts'
import { AppError } from '../../../errors.ts'
import { release, gathered } from '../../../../system/audio/pcm.ts'
import type { Decoded, AudioDecoder } from './decoded.ts'
import { createMp3Walk, type Mp3Part } from './mp3-walk.ts'
import type { AudioSource } from './source.ts'
import { MPEGDecoder } from 'mpg123-decoder'

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

/** Decodes MP3 frames one after the other. */
interface FrameDecoder {
  /** Decodes whole frames to the given number of channels, owned by the caller; the arrays are empty if there is no output. */
  decode(frames: Uint8Array, channels: number): readonly Float32Array<ArrayBuffer>[]
  /** Resets the decoder state. */
  reset(): Promise<void>
  free(): void
}

/**
 * Parts of the package's decoder that its own `decode` is built on. That one copies every sample twice, including a second
 * channel of mono, and creates a hundred megabytes of garbage before any is collected.
 */
interface Parts {
  readonly _decoder: number
  readonly _input: Place<Uint8Array>
  readonly _output: Place<Float32Array>
  readonly _samplesDecodedPtr: Place<Uint32Array>
  readonly _sampleRatePtr: Place<Uint32Array>
  readonly _errorStringPtr: Place<Uint32Array>
  readonly _common: {
    readonly wasm: {
      mpeg_decoder_feed(decoder: number, input: number, bytes: number): number
      mpeg_decoder_read(
        decoder: number,
        output: number,
        floats: number,
        samples: number,
        rate: number,
        error: number,
      ): number
    }
  }
}

/** Range of the decoder's memory. */
interface Place<T> {
  readonly ptr: number
  readonly len: number
  readonly buf: T
}

/** Results of mpg123: it needs more bytes; the following frames have another format. */
const needsMore = -10
const newFormat = -11

/** Consecutive failures after which the rest of a block is skipped. */
const maxFailures = 1000

/** Starts mpg123 without gapless decoding: the padding that an encoder added is removed elsewhere. */
async function loadFrameDecoder(): Promise<FrameDecoder> {
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  const parts = decoder as unknown as Parts

  function readInto(chunks: Float32Array<ArrayBuffer>[][]): void {
    const { _output: output, _samplesDecodedPtr: samples } = parts
    const { _sampleRatePtr: rate, _errorStringPtr: error, _common: common } = parts
    const { _decoder: address } = parts
    for (let failures = 0; failures < maxFailures; failures++) {
      samples.buf[0] = 0
      const result = common.wasm.mpeg_decoder_read(
        address,
        output.ptr,
        output.len,
        samples.ptr,
        rate.ptr,
        error.ptr,
      )
      const count = samples.buf[0] ?? 0
      if (count > 0) {
        failures = 0
        for (const [channel, own] of chunks.entries())
          own.push(new Float32Array(output.buf.subarray(channel * count, (channel + 1) * count)))
      }
      if (result === needsMore) return
      if (result === newFormat) failures = 0
    }
  }

  return {
    decode(frames, channels) {
      const chunks = Array.from({ length: channels }, (): Float32Array<ArrayBuffer>[] => [])
      const { _decoder: address, _input: input, _common: common } = parts
      for (let at = 0; at < frames.length; at += input.len) {
        const some = frames.subarray(at, at + input.len)
        input.buf.set(some)
        const result = common.wasm.mpeg_decoder_feed(address, input.ptr, some.length)
        if (result !== needsMore) readInto(chunks)
      }
      return chunks.map(gathered)
    },
    reset: () => decoder.reset(),
    free: () => decoder.free(),
  }
}

/** Samples per channel that an encoder added around the audio. */
interface Added {
  readonly before: number
  readonly after: number
}

type DecodedAudio = Extract<Decoded, { type: 'sound' }>

/**
 * Removes the samples that an encoder added. The end is only known once it is reached: until then its samples are held back, and
 * if the file turns out to be incomplete (`isComplete`), they are audio.
 */
function trimmed(
  next: () => Promise<Decoded | null>,
  added: Added,
  isComplete: () => boolean,
): () => Promise<Decoded | null> {
  let before = added.before
  let held: DecodedAudio | null = null

  /** Returns the samples that are certainly audio. */
  function pass(audio: DecodedAudio): Decoded {
    const begins = samplesFrom(audio, Math.min(before, lengthOf(audio)))
    before -= lengthOf(audio) - lengthOf(begins)
    if (added.after === 0) return begins
    const whole = held ? joinedAudio(held, begins) : begins
    const ready = Math.max(0, lengthOf(whole) - added.after)
    held = samplesFrom(whole, ready)
    return ready === 0 ? { type: 'nothing' } : samplesUntil(whole, ready)
  }

  function releaseHeld(): DecodedAudio | null {
    const all = held
    held = null
    return all && lengthOf(all) > 0 ? all : null
  }

  let waiting: Decoded | null = null
  return async () => {
    const chunk = waiting ?? (await next())
    waiting = null
    if (chunk === null) return isComplete() ? null : releaseHeld()
    if (chunk.type === 'nothing') return chunk
    if (chunk.type === 'sound' && (!held || isSameFormat(held, chunk))) return pass(chunk)
    // A different segment begins: the samples held back precede it.
    const all = releaseHeld()
    if (!all) return chunk.type === 'sound' ? pass(chunk) : chunk
    waiting = chunk
    return all
  }
}

const lengthOf = (audio: DecodedAudio): number => audio.channels[0]?.length ?? 0

const isSameFormat = (a: DecodedAudio, b: DecodedAudio): boolean =>
  a.rate === b.rate && a.channels.length === b.channels.length

const samplesFrom = (audio: DecodedAudio, at: number): DecodedAudio =>
  at === 0 ? audio : { ...audio, channels: audio.channels.map((samples) => samples.slice(at)) }

const samplesUntil = (audio: DecodedAudio, end: number): DecodedAudio => ({
  ...audio,
  channels: audio.channels.map((samples) => samples.subarray(0, end)),
})

const joinedAudio = (a: DecodedAudio, b: DecodedAudio): DecodedAudio => ({
  ...b,
  channels: b.channels.map((samples, channel) => {
    return gathered([a.channels[channel] ?? new Float32Array(0), samples])
  }),
})
