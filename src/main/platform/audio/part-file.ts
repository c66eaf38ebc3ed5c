import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync } from 'node:fs'
import { syncFolder } from '../../../system/file-moves.ts'
import { asError, noSpace, writeAll, type Disk } from './disk.ts'
import { sessionFiles } from './session-files.ts'
import {
  frameBytesOf,
  waveHeader,
  type WaveLayout,
  waveHeaderBytes,
} from '../../../shared/audio/wave-header.ts'

/** Amount of a block that was written to the disk. */
interface Appended {
  /** Number of bytes, in whole frames. */
  readonly bytes: number
  /** Error that stopped it; null if everything was written. */
  readonly error: Error | null
}

/** Part that is being written. */
export interface PartFile {
  frames(): number
  /** Never throws: the written data counts, and ends with a whole frame. */
  append(bytes: Uint8Array): Appended
  /** Adds silence without writing it: the file is extended, and unwritten bytes read as zeros. */
  extend(frames: number): void
  /** Writes the actual sizes to the header and flushes everything to the disk. */
  sync(): void
  close(): void
}

/** Creates a part that must not exist yet, with a header that is valid from the start. */
export function createPart(
  folder: string,
  number: number,
  layout: WaveLayout,
  disk: Disk,
): PartFile {
  const frameBytes = frameBytesOf(layout)
  const file = openSync(sessionFiles(folder).part(number), 'wx+', 0o600)
  let dataBytes = 0
  try {
    writeAll(disk, file, waveHeader(layout, 0), 0)
    fsyncSync(file)
    syncFolder(folder)
  } catch (error) {
    closeSync(file)
    throw error
  }
  return {
    frames: () => dataBytes / frameBytes,
    append(bytes) {
      const start = waveHeaderBytes + dataBytes
      let done = 0
      let error: Error | null = null
      try {
        while (done < bytes.length) {
          const count = disk.write(file, bytes, done, bytes.length - done, start + done)
          if (count === 0) throw noSpace()
          done += count
        }
      } catch (thrown) {
        error = asError(thrown)
        done -= done % frameBytes
        ftruncateSync(file, start + done)
      }
      dataBytes += done
      return { bytes: done, error }
    },
    extend(frames) {
      const longer = dataBytes + frames * frameBytes
      ftruncateSync(file, waveHeaderBytes + longer)
      dataBytes = longer
    },
    sync() {
      writeAll(disk, file, waveHeader(layout, dataBytes), 0)
      fdatasyncSync(file)
    },
    close: () => closeSync(file),
  }
}
