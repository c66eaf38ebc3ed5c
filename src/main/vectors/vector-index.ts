import { rmSync } from 'node:fs'
import { removal } from '../../system/file-moves.ts'
import { appendCodes, readCodes, replaceCodes, type SavedCode } from './code-file.ts'
import { codeOf, createCodes, type Codes } from './codes.ts'

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
export interface Found {
  readonly seq: number
  readonly item: number
  readonly score: number
}

/** Status of an index. */
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

/** Deletes the file of an index. */
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
