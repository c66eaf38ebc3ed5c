import { statfsSync, writeSync } from 'node:fs'
import { systemCode } from '../../system/system-code.ts'

/** What the writer asks of a disk that can be full; an argument, so that a test can fill it at any byte. */
export interface Disk {
  /** Writes at a place and returns how many bytes went there; throws with the system's code. */
  write(file: number, bytes: Uint8Array, from: number, count: number, at: number): number
  /** Bytes that are left for us on the disk of this folder. */
  freeBytes(folder: string): number
}

/** The disk of this computer. */
export const systemDisk: Disk = {
  write: writeSync,
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  },
}

/** An error of our own that reads like the system's. */
export function noSpace(): Error {
  return Object.assign(new Error('No space is left for this recording'), { code: 'ENOSPC' })
}

/** True for what a full disk or a used-up quota throws. */
export const isNoSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(systemCode(error))

/** What was thrown, as an error that can be handed on. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** Writes all of it. Throws what the disk throws; how much was written then is not told. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, at: number): void {
  let from = 0
  while (from < bytes.length) {
    const count = disk.write(file, bytes, from, bytes.length - from, at + from)
    if (count === 0) throw noSpace()
    from += count
  }
}
