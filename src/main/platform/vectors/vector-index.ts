import { rmSync, closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { removal, moveFileSync } from '../../../system/file-moves.ts'
import { codeOf, createCodes, type Codes, type Code } from './codes.ts'

/** Entry of the index as listed by the database. */
export interface IndexEntry {
  readonly seq: number
  /** Number of the item it belongs to, for filtering. */
  readonly item: number
  readonly digest: number
}

/** Source of an index: the rows of the database, which are authoritative. */
export interface IndexSource {
  readonly dimensions: number
  /** Returns the largest entry number and the number of removals so far: they reveal later changes. */
  state(): { readonly last: number; readonly removed: number }
  /** Yields entries above a number, in order. Numbers are never reused, and an entry never changes. */
  entries(above: number): Iterable<IndexEntry>
  /** Returns the vector of an entry, or undefined if it is gone. */
  vector(seq: number): Float32Array | undefined
}

/** Nearest entry with its exact cosine. */
interface Found {
  readonly seq: number
  readonly item: number
  readonly score: number
}

export interface IndexFacts {
  readonly entries: number
  /** Codes in memory of deleted entries. */
  readonly gone: number
  /** Bytes of memory. */
  readonly bytes: number
  /** Entries whose code was not in the file and was computed since the index was opened. */
  readonly made: number
}

/** Vector search: scans codes in memory, then ranks the nearest by their exact vectors. */
export interface VectorIndex {
  /** Applies changes; the first call reads the file. Yields between steps so that other work can run. */
  sync(): Generator<undefined, void>
  /** Returns the nearest `limit` entries, best first, of items that `allowed` accepts, as of the last {@link sync}. */
  search(
    query: Float32Array,
    options: { readonly limit: number; readonly allowed?: (item: number) => boolean },
  ): Found[]
  facts(): IndexFacts
}

/** Factor of the requested entries that are ranked again by their vectors, and the minimum number. */
const again = 4
const minRechecked = 64
/** Codes computed between two yields, and written together. */
const madeAtOnce = 512
/** Share of codes of deleted entries above which the index is rewritten, and the minimum number for a rewrite. */
const maxGone = 0.25
const minGone = 1000

/** Opens an index with its file at `path`; without one, or if the file cannot be written, it is in memory only. */
export function createVectorIndex(source: IndexSource, path: string | null): VectorIndex {
  const { dimensions } = source
  let file = path
  let codes = createCodes(dimensions)
  /** By index of the codes; deleted items have the number 0. */
  let seqs: number[] = []
  let items: number[] = []
  let digests: number[] = []
  let gone = 0
  let made = 0
  let known: { last: number; removed: number } | null = null

  const put = (entry: IndexEntry, code: Parameters<Codes['add']>[0]): void => {
    const place = codes.add(code)
    seqs[place] = entry.seq
    items[place] = entry.item
    digests[place] = entry.digest
  }
  const savedCodes = function* (places: Iterable<number>): Generator<SavedCode> {
    for (const place of places)
      yield { ...codes.at(place), seq: seqs[place] ?? 0, digest: digests[place] ?? 0 }
  }
  const livePlaces = function* (): Generator<number> {
    for (let place = 0; place < codes.count; place++) if (items[place] !== 0) yield place
  }

  /** Writes the file. The database has all data: a full disk only makes the next start slower. */
  const write = (work: (file: string) => void): void => {
    try {
      if (file !== null) work(file)
    } catch {
      file = null
    }
  }

  /** Computes codes of entries without one; each batch is written before the next begins. */
  const make = function* (entries: Iterable<IndexEntry>): Generator<undefined, void> {
    let lot: number[] = []
    const scratch = new Int8Array(dimensions)
    const flush = (): void => {
      if (lot.length > 0) write((at) => appendCodes(at, dimensions, [...savedCodes(lot)]))
      lot = []
    }
    for (const entry of entries) {
      const vector = source.vector(entry.seq)
      if (vector?.length !== dimensions) continue
      lot.push(codes.count)
      put(entry, codeOf(vector, scratch))
      made += 1
      if (lot.length < madeAtOnce) continue
      flush()
      yield
    }
    flush()
  }

  const open = function* (): Generator<undefined, void> {
    const missing = new Map<number, IndexEntry>()
    for (const entry of source.entries(0)) missing.set(entry.seq, entry)
    yield
    let inFile = 0
    if (file !== null)
      readCodes(file, dimensions, (code) => {
        inFile += 1
        const entry = missing.get(code.seq)
        // The number belongs to another text: the file is of a diverged library, and so may be everything that follows.
        if (entry && entry.digest !== code.digest) return false
        if (entry) put(entry, code)
        missing.delete(code.seq)
        return true
      })
    yield
    const left = inFile - codes.count
    yield* make(missing.values())
    if (isMuch(left, inFile)) write((at) => replaceCodes(at, dimensions, savedCodes(livePlaces())))
  }

  /** Marks deleted entries, and rewrites the index if there are many. */
  const leave = function* (): Generator<undefined, void> {
    const live = new Set<number>()
    for (const { seq } of source.entries(0)) live.add(seq)
    yield
    for (const place of livePlaces()) {
      if (live.has(seqs[place] ?? 0)) continue
      items[place] = 0
      gone += 1
    }
    if (!isMuch(gone, codes.count)) return
    write((at) => replaceCodes(at, dimensions, savedCodes(livePlaces())))
    yield
    const old = { codes, seqs, items, digests, places: [...livePlaces()] }
    codes = createCodes(dimensions)
    ;[seqs, items, digests, gone] = [[], [], [], 0]
    for (const place of old.places)
      put(
        {
          seq: old.seqs[place] ?? 0,
          item: old.items[place] ?? 0,
          digest: old.digests[place] ?? 0,
        },
        old.codes.at(place),
      )
  }

  return {
    *sync() {
      const now = source.state()
      if (known?.last === now.last && known.removed === now.removed) return
      if (!known) yield* open()
      else {
        // A repaired library may have fallen back to an earlier state than this index.
        if (now.removed !== known.removed || now.last < known.last) yield* leave()
        if (now.last > known.last) yield* make(source.entries(known.last))
      }
      known = now
    },
    search(query, { limit, allowed }) {
      const maxNear = Math.max(limit * again, minRechecked)
      const near = codes.nearest(query, maxNear, (place) => {
        const item = items[place] ?? 0
        return item !== 0 && (allowed === undefined || allowed(item))
      })
      const found: Found[] = []
      const unit = normalised(query)
      for (const { place } of near) {
        const seq = seqs[place] ?? 0
        const vector = source.vector(seq)
        if (vector?.length === dimensions)
          found.push({ seq, item: items[place] ?? 0, score: cosine(unit, vector) })
      }
      return found.toSorted((a, b) => b.score - a.score || a.seq - b.seq).slice(0, limit)
    },
    facts: () => ({
      entries: codes.count - gone,
      gone,
      bytes: codes.bytes,
      made,
    }),
  }
}

export function removeIndexFile(path: string): void {
  rmSync(path, removal)
  rmSync(`${path}.new`, removal)
}

const isMuch = (some: number, of: number): boolean => some > minGone && some > of * maxGone

/** Returns the vector of length 1 in the same direction. */
export function normalised(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares) || 1
  return vector.map((value) => value / length)
}

/** Returns the cosine of a vector of length 1 with any other; 0 for a vector of zeros. */
export function cosine(unit: Float32Array, other: Float32Array): number {
  let dot = 0
  let squares = 0
  for (let at = 0; at < unit.length; at++) {
    const value = other[at] ?? 0
    dot += (unit[at] ?? 0) * value
    squares += value * value
  }
  return squares === 0 ? 0 : dot / Math.sqrt(squares)
}

/** Saved code: with the number of its entry, and a digest that distinguishes other texts under the same number. */
interface SavedCode extends Code {
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
function readCodes(path: string, dimensions: number, take: (code: SavedCode) => boolean): void {
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
function appendCodes(path: string, dimensions: number, codes: readonly SavedCode[]): void {
  const file = openSync(path, 'a', 0o600)
  try {
    for (let first = 0; first < codes.length; first += recordsPerBlock)
      writeAll(file, blockOf(codes.slice(first, first + recordsPerBlock), dimensions))
  } finally {
    closeSync(file)
  }
}

/** Replaces a file with one that contains these codes, atomically. */
function replaceCodes(path: string, dimensions: number, codes: Iterable<SavedCode>): void {
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
