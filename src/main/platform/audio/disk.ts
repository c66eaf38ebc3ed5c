import { statfsSync, writeSync } from 'node:fs'
import { systemCode } from '../../../system/system-code.ts'

/** Disk operations of the writer; an argument, so that a test can simulate a full disk at any byte. */
export interface Disk {
  /** Writes at an offset and returns the number of bytes written; throws with the system's error code. */
  write(file: number, bytes: Uint8Array, from: number, count: number, at: number): number
  /** Returns the bytes available to Lectern on the disk of this folder. */
  freeBytes(folder: string): number
}

export const systemDisk: Disk = {
  write: writeSync,
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  },
}

/** Returns an error that resembles the system's. */
export function noSpace(): Error {
  return Object.assign(new Error('No space left on the disk for this recording'), {
    code: 'ENOSPC',
  })
}

/** Whether an error means a full disk or an exhausted quota. */
export const isNoSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(systemCode(error))

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** Writes all bytes. Throws the error of the disk; how much was written by then is not reported. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, at: number): void {
  let from = 0
  while (from < bytes.length) {
    const count = disk.write(file, bytes, from, bytes.length - from, at + from)
    if (count === 0) throw noSpace()
    from += count
  }
}
