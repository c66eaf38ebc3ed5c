import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { systemCode } from '../../../system/system-code.ts'

/**
 * Bytes read at once, bytes of a sector, and the maximum share of missing bytes, above which the whole disk counts as
 * unavailable rather than a few of its sectors.
 */
const block = 64 * 1024
const sector = 4096
const tolerated = 0.1

/** Reads `length` bytes at `position` into the buffer, as `readSync` does. */
export type Read = (file: number, buffer: Uint8Array, length: number, position: number) => number

const fromDisk: Read = (file, buffer, length, position) =>
  readSync(file, buffer, 0, length, position)

/**
 * Copies a file from a failing disk: unreadable sectors become zeros in the copy. Throws EIO if more than a tenth is
 * missing or the beginning is unreadable. Blocks: for workers.
 */
export function copyReadable(from: string, to: string, read: Read = fromDisk): void {
  const source = openSync(from, 'r')
  const target = openSync(to, 'wx', 0o600)
  try {
    const { size } = fstatSync(source)
    let missing = 0
    for (let at = 0; at < size; at += block) {
      const length = Math.min(block, size - at)
      const bytes = new Uint8Array(length)
      if (!attempt(() => read(source, bytes, length, at)))
        missing += readSectors(source, bytes, at, read)
      if (missing > Math.max(block, size * tolerated)) throw unreadable()
      writeAll(target, bytes, at)
    }
  } finally {
    closeSync(source)
    closeSync(target)
  }
}

/** Reads the bytes sector by sector. Returns how many could not be read. */
function readSectors(source: number, bytes: Uint8Array, at: number, read: Read): number {
  let missing = 0
  for (let offset = 0; offset < bytes.length; offset += sector) {
    const part = bytes.subarray(offset, offset + sector)
    if (attempt(() => read(source, part, part.length, at + offset))) continue
    // Without its first page it is not a database, so nothing is done.
    if (at + offset === 0) throw unreadable()
    part.fill(0)
    missing += part.length
  }
  return missing
}

function attempt(read: () => number): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (systemCode(error) === 'EIO') return false
    throw error
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, at + done)
}

const unreadable = (): Error =>
  Object.assign(new Error('The file could not be read from disk'), { code: 'EIO' })
