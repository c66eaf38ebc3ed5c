import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { AppError } from '../../errors.ts'
import {
  type Part,
  type SessionHead,
  framesIn,
  headFromAudio,
  listParts,
  readHead,
  sessionFiles,
  totalFrames,
} from './session-files.ts'
import { frameBytesOf, waveHeaderBytes } from '../../../shared/audio/wave-header.ts'

/** Audio of a session as one range of frames over all its parts. For worker threads: everything is synchronous. */
export interface SessionReader {
  /** Head when the session was opened; a missing one is built from the audio. */
  readonly head: SessionHead
  readonly channels: number
  /** Returns the whole frames written so far. Cheap: two checks of file sizes. */
  frames(): number
  /**
   * Reads frames from `start` on, channels interleaved: fewer than `count` at the end, none after it. If `into` is given, it is
   * filled and a view of it is returned; otherwise the caller owns the samples.
   */
  read(start: number, count: number, into?: Int16Array): Int16Array
  close(): void
}

/**
 * Opens a session for reading, even while it is being written: the file lengths count, not the headers. Throws FILE_MISSING if
 * the folder contains no session.
 */
export function openSession(folder: string): SessionReader {
  const head = headOf(folder)
  const channels = head.roles.length
  const frameBytes = frameBytesOf({ channels })
  const { part: pathOf } = sessionFiles(folder)
  let parts = listParts(folder, frameBytes)
  let held: { readonly number: number; readonly file: number } | null = null

  function refresh(): void {
    const last = parts.at(-1)
    // In this order: once the next part exists, the previous one no longer grows.
    const more = statSync(pathOf((last?.number ?? 0) + 1), { throwIfNoEntry: false }) !== undefined
    if (more) parts = listParts(folder, frameBytes)
    else if (last)
      parts[parts.length - 1] = { ...last, frames: framesIn(statSync(last.path).size, frameBytes) }
  }

  function fileOf(part: Part): number {
    if (held?.number === part.number) return held.file
    close()
    held = { number: part.number, file: openSync(part.path, 'r') }
    return held.file
  }

  function close(): void {
    if (held) closeSync(held.file)
    held = null
  }

  return {
    head,
    channels,
    frames() {
      refresh()
      return totalFrames(parts)
    },
    read(start, count, into) {
      if (start + count > totalFrames(parts)) refresh()
      const end = Math.min(start + count, totalFrames(parts))
      const samples = into ?? new Int16Array(Math.max(0, end - start) * channels)
      const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
      const limit = Math.min(end, start + Math.floor(bytes.length / frameBytes))
      let at = start
      for (const part of parts) {
        if (part.frame + part.frames <= at || at >= limit) continue
        const want = Math.min(limit, part.frame + part.frames) - at
        const from = waveHeaderBytes + (at - part.frame) * frameBytes
        const to = (at - start) * frameBytes
        const got = readSync(fileOf(part), bytes, to, want * frameBytes, from)
        at += Math.floor(got / frameBytes)
        if (got < want * frameBytes) break
      }
      return samples.subarray(0, Math.max(0, at - start) * channels)
    },
    close,
  }
}

function headOf(folder: string): SessionHead {
  try {
    const head = readHead(folder) ?? headFromAudio(folder)
    if (head) return head
  } catch {
    // The folder itself does not exist.
  }
  throw new AppError('FILE_MISSING', 'The recording of this meeting is missing')
}
