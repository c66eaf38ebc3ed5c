import { rmSync } from 'node:fs'
import { transcriptionRate, wholeMs, type ChannelRole } from '../../../../shared/model/meeting.ts'
import { removal } from '../../../../system/file-moves.ts'
import { AppError } from '../../../errors.ts'
import type { AudioRequest } from '../../../platform/audio/audio-messages.ts'
import {
  channelsOf,
  findPlan,
  rolesOf,
  type ChannelPlan,
} from '../../../platform/audio/decode/channels.ts'
import type { AudioDecoder, Decoded } from '../../../platform/audio/decode/decoded.ts'
import { decodingHere, type Decoding } from '../../../platform/audio/decode/decoding.ts'
import { isNoSpace } from '../../../platform/audio/disk.ts'
import { release, putPcm } from '../../../../system/audio/pcm.ts'
import type { Resampling, Resampler } from '../../../../system/audio/resample.ts'
import { type SessionHead, readHead } from '../../../platform/audio/session-files.ts'
import { openWriter, type SessionWriter } from './session-writer.ts'

interface ReadInDeps {
  readonly resampling: Resampling
  /** Unix ms. */
  now(): number
  /** Bytes that must stay free on the disk. */
  readonly reserveBytes: number
  /** Creates the decoder of a file; the file is decoded here when absent. */
  decoding?(path: string): Decoding
}

/** File that is being imported into a session. */
export interface ReadIn {
  readonly sampleRate: number
  readonly roles: readonly ChannelRole[]
  /** Duration as reported by the file; null if it reports none. */
  readonly seconds: number | null
  /** Continues for about this many seconds of audio, or for 1.5 s. Throws DISK_FULL, or DAMAGED_FILE if nothing was decodable. */
  more(seconds: number): Promise<{ readonly doneMs: number; readonly done: boolean }>
  /** Stops and leaves no session behind. */
  abandon(): Promise<void>
}

/** Maximum duration of a step in milliseconds: a file that yields nothing for long can still be stopped. */
const stepMs = 1500

/** Number of frames written at once: every write ends with a flush to the disk. */
const writeFrames = 60 * transcriptionRate

/**
 * Opens a file for import into a session of 16 kHz. Leftovers of an earlier attempt in the folder are deleted first; a folder
 * with a recording is rejected. Throws the errors of opening the audio, and DISK_FULL.
 */
export async function openReadIn(
  request: Extract<AudioRequest, { type: 'open' }>,
  deps: ReadInDeps,
): Promise<ReadIn> {
  const { folder, path, id, title } = request
  clear(folder)
  const decoding = deps.decoding?.(path) ?? decodingHere
  try {
    const plan = await planFor(decoding, request)
    const roles = rolesOf[plan]
    const decoder = await decoding.open(path)
    try {
      const head: SessionHead = {
        version: 1,
        id,
        title,
        state: 'open',
        roles,
        sampleRate: transcriptionRate,
        labels: [],
        startedAt: deps.now(),
        owner: { pid: process.pid, run: 'import' },
        frames: null,
      }
      const { now, reserveBytes } = deps
      const writer = whileRoom(() => openWriter(folder, head, { now, reserveBytes }))
      return createReadIn({ plan, decoding, decoder, writer, folder, resampling: deps.resampling })
    } catch (error) {
      await decoder.close()
      throw error
    }
  } catch (error) {
    await decoding.close()
    throw error
  }
}

/** State of a file during its import. */
interface Held {
  readonly plan: ChannelPlan
  readonly decoding: Decoding
  readonly decoder: AudioDecoder
  readonly writer: SessionWriter
  readonly folder: string
  readonly resampling: Resampling
}

function createReadIn({ plan, decoding, decoder, writer, folder, resampling }: Held): ReadIn {
  const roles = rolesOf[plan]
  let written = 0
  let decodedSamples = 0
  let waiting: Int16Array<ArrayBuffer>[] = []
  let waitingFrames = 0
  function write(frame: number, samples: Int16Array, fill: boolean): void {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
    if (whileRoom(() => writer.write(frame, bytes, fill)).full) throw diskFull()
  }
  function flush(): void {
    if (waitingFrames === 0) return
    const samples = new Int16Array(waitingFrames * roles.length)
    let at = 0
    for (const chunk of waiting) {
      samples.set(chunk, at)
      at += chunk.length
    }
    write(written, samples, false)
    release(samples, ...waiting)
    written += waitingFrames
    waiting = []
    waitingFrames = 0
  }
  const feed = createFeed(plan, resampling, {
    frames(samples) {
      waiting.push(samples)
      waitingFrames += samples.length / roles.length
      decodedSamples += samples.length
      if (waitingFrames >= writeFrames) flush()
    },
    lost(frames) {
      flush()
      written += frames
      write(written, new Int16Array(0), true)
    },
  })

  async function finish(): Promise<void> {
    feed.end()
    flush()
    if (decodedSamples === 0)
      throw new AppError('DAMAGED_FILE', 'None of the audio in this file could be decoded')
    whileRoom(() => writer.close())
    await letGo()
  }

  async function letGo(): Promise<void> {
    await decoder.close()
    await decoding.close()
  }

  async function abandon(): Promise<void> {
    await letGo()
    try {
      writer.close()
    } finally {
      rmSync(folder, removal)
    }
  }

  return {
    sampleRate: transcriptionRate,
    roles,
    seconds: decoder.seconds,
    async more(seconds) {
      const until = written + waitingFrames + seconds * transcriptionRate
      const stop = performance.now() + stepMs
      try {
        let done = false
        while (!done && written + waitingFrames < until && performance.now() < stop) {
          const chunk = await decoder.next()
          if (chunk) feed.take(chunk)
          else done = true
        }
        if (done) await finish()
        else flush()
        return { doneMs: wholeMs(written, transcriptionRate), done }
      } catch (error) {
        await abandon()
        throw error
      }
    },
    abandon,
  }
}

async function planFor(
  decoding: Decoding,
  { path, channels }: Extract<AudioRequest, { type: 'open' }>,
): Promise<ChannelPlan> {
  if (channels === 'mix') return 'mono'
  const decoder = await decoding.open(path)
  try {
    if (channels === 'auto') return await findPlan(decoder)
    return (await channelsOf(decoder)) > 1 ? 'split' : 'mono'
  } finally {
    await decoder.close()
  }
}

/** Clears a folder. A recording is never deleted, whatever ID was requested. */
function clear(folder: string): void {
  const roles = readHead(folder)?.roles ?? []
  if (roles.includes('mic') || roles.includes('others'))
    throw new AppError('REFUSED', 'A recording is stored where the file would be imported')
  rmSync(folder, removal)
}

function whileRoom<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isNoSpace(error) ? diskFull(error) : error
  }
}

const diskFull = (cause?: unknown): AppError =>
  new AppError('DISK_FULL', 'There is not enough disk space for this audio', { cause })

/** Converts the output of a decoder to frames of a session at 16 kHz, in order and at their time. */
interface Feed {
  /** Accepts a block. The memory of its samples can be reused. */
  take(chunk: Decoded): void
  /** Ends the input. */
  end(): void
}

/** Receiver of frames; both methods append to the previous ones. */
interface FeedTarget {
  frames(samples: Int16Array<ArrayBuffer>): void
  /** Frames lost to damage. */
  lost(frames: number): void
}

/** Maximum frames of silence passed on at once. */
const maxSilence = 10 * transcriptionRate

/** Begins at time 0. When rate or channels change midway, the audio so far is finished and the new audio follows it. */
function createFeed(plan: ChannelPlan, resampling: Resampling, to: FeedTarget): Feed {
  const width = rolesOf[plan].length
  let resamplers: readonly Resampler[] = []
  let rate = 0
  let seconds = 0
  let given = 0

  function hand(channels: readonly Float32Array<ArrayBuffer>[]): void {
    const count = channels[0]?.length ?? 0
    if (count === 0) return
    const frames = new Int16Array(count * width)
    for (const [channel, samples] of channels.entries()) putPcm(samples, frames, channel, width)
    release(...channels)
    given += count
    to.frames(frames)
  }

  function finish(): void {
    if (resamplers.length > 0) hand(resamplers.map((each) => each.end()))
    for (const each of resamplers) each.free()
    resamplers = []
  }

  function addAudio(channels: readonly Float32Array<ArrayBuffer>[], from: number): void {
    if (from !== rate) finish()
    rate = from
    if (resamplers.length === 0)
      resamplers = Array.from({ length: width }, () => resampling(from, transcriptionRate))
    const planned = plan === 'mono' ? [meanOf(channels)] : bothOf(channels)
    seconds += (channels[0]?.length ?? 0) / from
    hand(resamplers.map((each, i) => each.push(planned[i] ?? new Float32Array(0))))
    release(...planned, ...channels)
  }

  function silence(length: number, lost: boolean): void {
    finish()
    seconds += length
    // From the time since the beginning, so that rounding errors do not add up.
    const frames = Math.max(0, Math.round(seconds * transcriptionRate) - given)
    given += frames
    if (lost) return to.lost(frames)
    for (let left = frames; left > 0; left -= maxSilence)
      to.frames(new Int16Array(Math.min(left, maxSilence) * width))
  }

  return {
    take(chunk) {
      if (chunk.type === 'sound') addAudio(chunk.channels, chunk.rate)
      if (chunk.type === 'silence') silence(chunk.seconds, chunk.lost)
    },
    end: finish,
  }
}

/** A single channel in the middle of a file with two cannot be identified: it is assigned to the first. */
function bothOf(
  channels: readonly Float32Array<ArrayBuffer>[],
): readonly Float32Array<ArrayBuffer>[] {
  const [left = new Float32Array(0), right = new Float32Array(left.length)] = channels
  return channels.length > 2 ? [meanOf(channels), new Float32Array(left.length)] : [left, right]
}

function meanOf(channels: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const [first = new Float32Array(0), ...others] = channels
  if (others.length === 0) return first
  const mean = new Float32Array(first.length)
  for (let i = 0; i < mean.length; i++) {
    let sum = first[i] ?? 0
    for (const channel of others) sum += channel[i] ?? 0
    mean[i] = sum / channels.length
  }
  return mean
}
