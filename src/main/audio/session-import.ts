import { rmSync } from 'node:fs'
import { removal } from '../../system/file-moves.ts'
import { transcriptionRate, wholeMs, type ChannelRole } from '../../shared/model/meeting.ts'
import { AppError } from '../errors.ts'
import { channelsOf, findPlan, rolesOf, type ChannelPlan } from './decode/channels.ts'
import { createFeed } from './decode/feed.ts'
import type { AudioDecoder } from './decode/decoded.ts'
import { decodingHere, type Decoding } from './decode/decoding.ts'
import { isNoSpace } from './disk.ts'
import { release } from './pcm.ts'
import type { Resampling } from './resample.ts'
import type { SessionHead } from './session-files.ts'
import { readHead } from './session-head.ts'
import { openWriter, type SessionWriter } from './session-writer.ts'
import type { AudioRequest } from './audio-messages.ts'

/** What reading a file in depends on. */
export interface ReadInDeps {
  readonly resampling: Resampling
  /** Unix ms. */
  now(): number
  /** Bytes that must stay free on the disk. */
  readonly reserveBytes: number
  /** Where a file is decoded; here when absent. */
  decoding?(path: string): Decoding
}

/** A file that is being read into a session. */
export interface ReadIn {
  readonly sampleRate: number
  readonly roles: readonly ChannelRole[]
  /** As the file tells them; null when it does not. */
  readonly seconds: number | null
  /** Goes on for about so many seconds of sound, or for a second and a half. Throws DISK_FULL, DAMAGED_FILE when nothing could be decoded. */
  more(seconds: number): Promise<{ readonly doneMs: number; readonly done: boolean }>
  /** Stops, and leaves no session behind. */
  abandon(): Promise<void>
}

/** Longest step in milliseconds: a file that gives nothing for long can be stopped all the same. */
const stepMs = 1500

/** Frames that are written at once: every writing ends with a flush to the disk. */
const writeFrames = 60 * transcriptionRate

/**
 * Opens a file for reading it into a session of 16 kHz. What an earlier try left in the folder is cleared away first; a folder
 * with a recording is refused. Throws what opening the sound throws, and DISK_FULL.
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

/** What a file that is being read in holds. */
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
      throw new AppError('DAMAGED_FILE', 'Nothing of the sound in this file could be decoded')
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

/** A recording is never cleared away, whatever id somebody asks for. */
function clear(folder: string): void {
  const roles = readHead(folder)?.roles ?? []
  if (roles.includes('mic') || roles.includes('others'))
    throw new AppError('REFUSED', 'A recording lies where the file would be read in')
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
  new AppError('DISK_FULL', 'The disk has no room for this sound', { cause })
