import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs'
import { writeAll, type Disk } from './disk.ts'
import { partSeconds, sessionFiles, waveHeaderBytes, type JournalEntry } from './session-files.ts'
import { framesIn, partNumbers } from './session-parts.ts'
import { frameBytesOf, waveHeader, type WaveLayout } from './wave-header.ts'

/** Result of repairing the parts. */
export interface RepairedParts {
  /** Bytes after the last whole frame of a part; they contained no complete sample. */
  readonly lostBytes: number
  /** Ranges in frames where a part was shorter than the journal recorded; they are silent now. */
  readonly filled: readonly { readonly from: number; readonly to: number }[]
}

/**
 * Makes every part a valid WAV file: whole frames, actual sizes in the header. A part that ends before the next one begins is
 * padded with silence, so that everything after it keeps its time. Files keep their modification time.
 */
export function repairParts(
  folder: string,
  layout: WaveLayout,
  entries: readonly JournalEntry[],
  disk: Disk,
): RepairedParts {
  const { part } = sessionFiles(folder)
  const begins = new Map(
    entries.flatMap((entry) => (entry.t === 'part' ? [[entry.number, entry.frame] as const] : [])),
  )
  const numbers = partNumbers(readdirSync(folder))
  const filled: { from: number; to: number }[] = []
  let lostBytes = 0
  let frame = 0
  for (const [i, number] of numbers.entries()) {
    const next = numbers[i + 1]
    const expectedFrames = ((next === undefined ? undefined : begins.get(next)) ?? 0) - frame
    // No part is longer than that: a larger number is damage, and would be padded with years of silence.
    const minFrames = expectedFrames <= partSeconds * layout.sampleRate ? expectedFrames : 0
    const repaired = repairPart(part(number), layout, disk, minFrames)
    lostBytes += repaired.lostBytes
    const end = frame + repaired.frames
    if (repaired.frames > repaired.found) filled.push({ from: frame + repaired.found, to: end })
    frame = end
  }
  return { lostBytes, filled }
}

/** Repairs one part, which must have at least this many frames. */
function repairPart(path: string, layout: WaveLayout, disk: Disk, minFrames: number) {
  const frameBytes = frameBytesOf(layout)
  const file = openSync(path, 'r+')
  try {
    const { size, atime, mtime } = fstatSync(file)
    const found = framesIn(size, frameBytes)
    const frames = Math.max(found, minFrames)
    const header = waveHeader(layout, frames * frameBytes)
    const wholeSize = waveHeaderBytes + frames * frameBytes
    const before = new Uint8Array(waveHeaderBytes)
    const read = readSync(file, before, 0, before.length, 0)
    if (size !== wholeSize || read < before.length || Buffer.compare(before, header) !== 0) {
      if (size > wholeSize || frames > found) ftruncateSync(file, wholeSize)
      writeAll(disk, file, header, 0)
      fdatasyncSync(file)
      futimesSync(file, atime, mtime)
    }
    const lostBytes = Math.max(0, size - waveHeaderBytes - found * frameBytes)
    return { found, frames, lostBytes }
  } finally {
    closeSync(file)
  }
}
