import { closeSync, fdatasyncSync, ftruncateSync, openSync, statSync } from 'node:fs'
import { writeAll, type Disk } from './disk.ts'
import { createPeaks, framesPerPair, peaksHeader, peaksHeaderBytes } from './peaks.ts'
import { sessionFiles } from './session-files.ts'
import type { SessionReader } from './session-reader.ts'
import type { WaveLayout } from '../../../shared/audio/wave-header.ts'

/** Peaks of a session while it is written. They can be rebuilt from the audio, so they never stop it. */
export interface PeaksFile {
  add(samples: Int16Array): void
  addSilence(frames: number): void
  /** Writes the complete pairs and updates the header. */
  flush(): void
  /** Writes all pairs including the last one, complete or not, and flushes them to the disk. */
  finish(): void
  close(): void
}

/** Returns the number of pairs in a peaks file; 0 if there is none. */
export function pairsIn(folder: string, channels: number): number {
  const size = statSync(sessionFiles(folder).peaks, { throwIfNoEntry: false })?.size ?? 0
  return Math.max(0, Math.floor((size - peaksHeaderBytes) / (channels * 2)))
}

/** Opens the peaks of a session after its first `pairs` pairs, which are trusted, and builds the rest from the audio. */
export function openPeaks(
  folder: string,
  layout: WaveLayout,
  disk: Disk,
  known: { readonly pairs: number; readonly session: SessionReader } | null,
): PeaksFile {
  const { channels, sampleRate } = layout
  const { peaks: path } = sessionFiles(folder)
  const perPair = framesPerPair(sampleRate)
  const peaks = createPeaks(channels, perPair)
  const file = openSync(path, statSync(path, { throwIfNoEntry: false }) ? 'r+' : 'wx+', 0o600)
  let pairs = known?.pairs ?? 0
  let broken = false
  ftruncateSync(file, peaksHeaderBytes + pairs * channels * 2)

  /** Writes bytes. A failure leaves the file short: it is completed from the audio when the session is next read. */
  function put(bytes: Uint8Array): void {
    if (broken) return
    try {
      writeAll(disk, file, bytes, peaksHeaderBytes + pairs * channels * 2)
      pairs += bytes.length / (channels * 2)
      writeAll(disk, file, peaksHeader(layout, pairs), 0)
    } catch {
      broken = true
    }
  }

  if (known) {
    const frames = known.session.frames()
    const buffer = new Int16Array(perPair * 200 * channels)
    for (let at = pairs * perPair; at < frames; at += perPair * 200)
      peaks.add(known.session.read(at, perPair * 200, buffer))
  }
  put(peaks.take())

  return {
    add: peaks.add,
    addSilence: peaks.addSilence,
    flush: () => put(peaks.take()),
    finish() {
      put(peaks.take())
      put(peaks.rest())
      if (!broken) fdatasyncSync(file)
    },
    close: () => closeSync(file),
  }
}
