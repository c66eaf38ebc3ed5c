import { mkdirSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { wholeMs, type CaptureEvent } from '../../../../shared/model/meeting.ts'
import { syncFolder } from '../../../../system/file-moves.ts'
import { asError, isNoSpace, noSpace, systemDisk, type Disk } from '../../../platform/audio/disk.ts'
import { openJournal, type Journal } from '../../../platform/audio/journal.ts'
import { createPart, type PartFile } from '../../../platform/audio/part-file.ts'
import { openPeaks, type PeaksFile } from '../../../platform/audio/peaks-file.ts'
import { framesPerPair } from '../../../platform/audio/peaks.ts'
import type { RecorderAnswer } from './recorder-messages.ts'
import { repairSession } from './repair.ts'
import {
  type SessionHead,
  partNumbers,
  partSeconds as defaultPartSeconds,
  readHead,
  writeHead,
} from '../../../platform/audio/session-files.ts'
import { openSession } from '../../../platform/audio/session-reader.ts'
import { frameBytesOf } from '../../../../shared/audio/wave-header.ts'

export interface WriterOptions {
  /** Unix ms. */
  now(): number
  /** The session is closed when less than this is free on the disk. */
  readonly reserveBytes: number
  readonly partSeconds?: number
  readonly disk?: Disk
}

/** The only writer of a session. Synchronous, for a dedicated thread; every answer reflects the moment of the call. */
export interface SessionWriter {
  /**
   * Writes frames from `frame` on (16 bit, interleaved, whole frames). Frames already written are skipped, so a block may be
   * repeated; one that is ahead is rejected (`wanted`), unless `fill` declares the frames between as silence: a gap, recorded as
   * one.
   */
  write(frame: number, samples: Uint8Array, fill: boolean): RecorderAnswer
  event(event: CaptureEvent): RecorderAnswer
  /** Ends the session: correct headers, a closed journal, a closed head. A second call does nothing. */
  close(): RecorderAnswer
}

/** Maximum milliseconds of wall clock between two checks of the free disk space. */
const checkIntervalMs = 10_000
/** Milliseconds of audio or of wall clock after which written data is made durable. */
const markMs = 1000
/** Maximum seconds of silence one block may request; more is a counting error and is rejected. */
const maxGapSeconds = 24 * 3600
const zeros = new Uint8Array(1 << 20)

/**
 * Opens a session for writing: head and journal are on the disk before the first sample. A folder that already contains a session
 * is repaired and continues with its next part. Throws with code ENOSPC if less than the reserve is free.
 */
export function openWriter(
  folder: string,
  wanted: SessionHead,
  options: WriterOptions,
): SessionWriter {
  const { now, reserveBytes, partSeconds = defaultPartSeconds, disk = systemDisk } = options
  const { sampleRate } = wanted
  const channels = wanted.roles.length
  const layout = { channels, sampleRate }
  const frameBytes = frameBytesOf(layout)
  const partFrames = partSeconds * sampleRate
  const toMs = (frame: number): number => wholeMs(frame, sampleRate)

  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let freeBytes = disk.freeBytes(folder)
  if (freeBytes < reserveBytes) throw noSpace()
  const before = repairSession(folder, { now, disk })
  const head: SessionHead = {
    ...(readHead(folder) ?? wanted),
    state: 'open',
    owner: wanted.owner,
    frames: null,
  }
  if (head.sampleRate !== sampleRate || head.roles.length !== channels)
    throw new Error('The session has a different sample rate or number of channels')
  writeHead(folder, head)
  syncFolder(dirname(folder))
  const journal: Journal = openJournal(folder, disk)
  journal.sync()
  const peaks: PeaksFile = peaksFrom(before?.frames ?? 0)

  let frames = before?.frames ?? 0
  let part: PartFile | null = null
  let crc = 0
  let marked = { frame: frames, at: now() }
  let inspectedAt = now()
  let state: 'open' | 'closed' | 'full' = 'open'
  let levels: readonly Level[] = levelsOf(new Int16Array(0), channels)

  function peaksFrom(written: number): PeaksFile {
    if (written === 0) return openPeaks(folder, layout, disk, null)
    const session = openSession(folder)
    try {
      const pairs = Math.floor(written / framesPerPair(sampleRate))
      return openPeaks(folder, layout, disk, { pairs, session })
    } finally {
      session.close()
    }
  }

  const answer = (refused = false): RecorderAnswer => ({
    frames,
    wanted: refused,
    full: state === 'full',
    levels,
    freeBytes,
  })

  /** Returns the part with space for the next frame. */
  function partNow(): PartFile {
    if (part && part.frames() < partFrames) return part
    if (part) mark()
    part?.close()
    part = null
    const number = (partNumbers(readdirSync(folder)).at(-1) ?? 0) + 1
    part = createPart(folder, number, layout, disk)
    journal.append({ t: 'part', number, frame: frames, at: now() })
    return part
  }

  function append(samples: Uint8Array): void {
    let at = 0
    while (at < samples.length) {
      const into = partNow()
      const chunk = samples.subarray(at, at + (partFrames - into.frames()) * frameBytes)
      const { bytes, error } = into.append(chunk)
      const done = chunk.subarray(0, bytes)
      crc = crc32(done, crc)
      peaks.add(asSamples(done))
      frames += bytes / frameBytes
      at += bytes
      if (error) throw error
    }
  }

  function appendSilence(count: number): void {
    let left = count
    while (left > 0) {
      const into = partNow()
      const some = Math.min(left, partFrames - into.frames())
      into.extend(some)
      for (let bytes = some * frameBytes; bytes > 0; bytes -= zeros.length)
        crc = crc32(zeros.subarray(0, bytes), crc)
      peaks.addSilence(some)
      frames += some
      left -= some
    }
  }

  /** Makes the written data durable, and only then records it in the journal. */
  function mark(): void {
    if (frames > marked.frame) {
      part?.sync()
      journal.append({ t: 'mark', frame: frames, crc, at: now() })
      crc = 0
    }
    journal.sync()
    peaks.flush()
    marked = { frame: frames, at: now() }
  }

  function isDue(): boolean {
    // A clock that was set back also makes it due.
    const passed = Math.abs(now() - marked.at)
    return frames - marked.frame >= (sampleRate * markMs) / 1000 || passed >= markMs
  }

  function isLow(): boolean {
    if (Math.abs(now() - inspectedAt) < checkIntervalMs) return false
    inspectedAt = now()
    freeBytes = disk.freeBytes(folder)
    return freeBytes < reserveBytes
  }

  /** Tries every step: on a full disk the headers, which already have their space, can still be corrected. */
  function finish(as: 'closed' | 'full'): void {
    if (state !== 'open') return
    state = as
    const failures: Error[] = []
    const attempt = (step: () => void): void => {
      try {
        step()
      } catch (error) {
        failures.push(asError(error))
      }
    }
    attempt(mark)
    attempt(() => part?.sync())
    attempt(() => part?.close())
    attempt(peaks.finish)
    attempt(peaks.close)
    attempt(() => journal.append({ t: 'closed', frame: frames, at: now() }))
    attempt(journal.sync)
    attempt(journal.close)
    attempt(() => writeHead(folder, { ...head, state: 'closed', frames }))
    const other = failures.find((error) => !isNoSpace(error))
    if (other) throw other
  }

  /** Runs a step that needs space; if there is none, the session ends cleanly with the data written so far. */
  function whileRoom(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isNoSpace(error)) throw error
      freeBytes = disk.freeBytes(folder)
      finish('full')
    }
  }

  return {
    write(frame, samples, fill) {
      if (state !== 'open') return answer()
      if (samples.length % frameBytes !== 0) throw new Error('Samples must be complete frames')
      if (isLow()) {
        finish('full')
        return answer()
      }
      if (frame > frames && !(fill && frame - frames <= maxGapSeconds * sampleRate))
        return answer(true)
      whileRoom(() => {
        if (frame > frames) {
          const span = { atMs: toMs(frames), endMs: toMs(frame) }
          const event = { type: 'gap', ...span, channel: null, reason: 'lost' } as const
          // First: a recorded gap that is not yet filled is better than silence that cannot be distinguished from a quiet room.
          journal.append({ t: 'event', event, at: now() })
          appendSilence(frame - frames)
        }
        append(samples.subarray((frames - frame) * frameBytes))
        if (isDue()) mark()
      })
      // Of the last second: meters show no more, and imports arrive by the minute.
      if (samples.length > 0)
        levels = levelsOf(asSamples(samples.subarray(-sampleRate * frameBytes)), channels)
      return answer()
    },
    event(event) {
      if (state === 'open')
        whileRoom(() => {
          journal.append({ t: 'event', event, at: now() })
          mark()
        })
      return answer()
    },
    close() {
      finish('closed')
      return answer()
    },
  }
}

/** Returns a view of bytes as samples; copies them if they do not begin at an even address. */
function asSamples(bytes: Uint8Array): Int16Array {
  const even = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice()
  return new Int16Array(even.buffer, even.byteOffset, even.byteLength >> 1)
}

/** Level of a channel: 0 to 1; `zero` if every sample is exactly 0. */
interface Level {
  readonly peak: number
  readonly rms: number
  readonly zero: boolean
}

/** Returns the level of each channel over interleaved samples. */
function levelsOf(samples: Int16Array, channels: number): Level[] {
  const frames = Math.floor(samples.length / channels)
  return Array.from({ length: channels }, (_, channel) => {
    let peak = 0
    let squares = 0
    for (let i = channel; i < frames * channels; i += channels) {
      const value = Math.abs(samples[i] ?? 0)
      if (value > peak) peak = value
      squares += value * value
    }
    const rms = frames === 0 ? 0 : Math.sqrt(squares / frames) / 32_768
    return { peak: peak / 32_768, rms, zero: peak === 0 }
  })
}
