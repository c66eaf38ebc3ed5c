import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { moveFileSync } from '../../system/file-moves.ts'
import type { Code } from './codes.ts'

/** Saved code: with the number of its entry, and a digest that distinguishes other texts under the same number. */
export interface SavedCode extends Code {
  readonly seq: number
  /** Whole number derived from the text's hash. */
  readonly digest: number
}

/*
 * The file consists of consecutive blocks: a header of 16 bytes (mark, dimensions, number of records, CRC-32 of the records),
 * then records of `24 + dimensions` bytes (seq and digest as 64-bit floats, scale as a 32-bit float, four unused bytes, the
 * code). It is a copy of the database: everything from the first invalid block on is ignored.
 */
const mark = 0x4c56_4331
const headBytes = 16
const recordHead = 24
/** Records per block: a few megabytes are written and checked at a time. */
const recordsPerBlock = 2048

/**
 * Reads the codes of a file in the order they were written; `take` must not retain `bytes`, and returns false to stop. The file
 * is truncated after the accepted codes, so that new ones follow valid blocks. A file that is missing or has other dimensions has
 * none.
 */
export function readCodes(
  path: string,
  dimensions: number,
  take: (code: SavedCode) => boolean,
): void {
  const file = openOrNull(path, 'r+')
  if (file === null) return
  try {
    let at = 0
    for (;;) {
      const block = readBlock(file, at, dimensions)
      if (!block || !takeAll(block, dimensions, take)) break
      at += headBytes + block.length
    }
    ftruncateSync(file, at)
  } finally {
    closeSync(file)
  }
}

/** Appends codes to a file, which is created if missing (mode 0600). */
export function appendCodes(path: string, dimensions: number, codes: readonly SavedCode[]): void {
  const file = openSync(path, 'a', 0o600)
  try {
    for (let first = 0; first < codes.length; first += recordsPerBlock)
      writeAll(file, blockOf(codes.slice(first, first + recordsPerBlock), dimensions))
  } finally {
    closeSync(file)
  }
}

/** Replaces a file with one that contains these codes, atomically. */
export function replaceCodes(path: string, dimensions: number, codes: Iterable<SavedCode>): void {
  const made = `${path}.new`
  const file = openSync(made, 'w', 0o600)
  try {
    let some: SavedCode[] = []
    const flush = (): void => {
      if (some.length > 0) writeAll(file, blockOf(some, dimensions))
      some = []
    }
    for (const code of codes) if (some.push(code) === recordsPerBlock) flush()
    flush()
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  moveFileSync(made, path)
}

function blockOf(codes: readonly SavedCode[], dimensions: number): Buffer {
  const size = recordHead + dimensions
  const block = Buffer.alloc(headBytes + codes.length * size)
  for (const [place, { seq, digest, scale, bytes }] of codes.entries()) {
    const at = headBytes + place * size
    block.writeDoubleLE(seq, at)
    block.writeDoubleLE(digest, at + 8)
    block.writeFloatLE(scale, at + 16)
    block.set(new Uint8Array(bytes.buffer, bytes.byteOffset, dimensions), at + recordHead)
  }
  block.writeUInt32LE(mark, 0)
  block.writeUInt32LE(dimensions, 4)
  block.writeUInt32LE(codes.length, 8)
  block.writeUInt32LE(crc32(block.subarray(headBytes)), 12)
  return block
}

/** Returns the records of the block at an offset; null at the end, and if the block is invalid. */
function readBlock(file: number, at: number, dimensions: number): Buffer | null {
  const head = Buffer.alloc(headBytes)
  if (!readAll(file, head, at)) return null
  const count = head.readUInt32LE(8)
  const isOurs = head.readUInt32LE(0) === mark && head.readUInt32LE(4) === dimensions
  if (!isOurs || count === 0 || count > recordsPerBlock) return null
  const records = Buffer.allocUnsafe(count * (recordHead + dimensions))
  if (!readAll(file, records, at + headBytes)) return null
  return crc32(records) === head.readUInt32LE(12) ? records : null
}

function takeAll(records: Buffer, dimensions: number, take: (code: SavedCode) => boolean): boolean {
  for (let at = 0; at < records.length; at += recordHead + dimensions) {
    const whole = take({
      seq: records.readDoubleLE(at),
      digest: records.readDoubleLE(at + 8),
      scale: records.readFloatLE(at + 16),
      bytes: new Int8Array(records.buffer, records.byteOffset + at + recordHead, dimensions),
    })
    if (!whole) return false
  }
  return true
}

function readAll(file: number, into: Buffer, at: number): boolean {
  for (let done = 0; done < into.length;) {
    const read = readSync(file, into, done, into.length - done, at + done)
    if (read === 0) return false
    done += read
  }
  return true
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done)
}

function openOrNull(path: string, flags: string): number | null {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
