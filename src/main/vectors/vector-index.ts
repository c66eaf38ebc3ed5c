import { rmSync } from 'node:fs'
import { removal } from '../../system/file-moves.ts'
import { appendCodes, readCodes, replaceCodes, type SavedCode } from './code-file.ts'
import { codeOf, createCodes, type Codes } from './codes.ts'

/** An entry that can be found, as the database lists it. */
export interface IndexEntry {
  readonly seq: number
  /** Of the item it belongs to, by which it is let through or not. */
  readonly item: number
  readonly digest: number
}

/** What an index is of: the database's own rows, which are the truth. */
export interface IndexSource {
  readonly dimensions: number
  /** The largest number of an entry, and how many were taken away so far: what changed since is told by them. */
  state(): { readonly last: number; readonly removed: number }
  /** Entries above a number, in their order. Numbers never come again, and an entry never changes. */
  entries(above: number): Iterable<IndexEntry>
  /** The vector of an entry, or undefined when it is gone. */
  vector(seq: number): Float32Array | undefined
}

/** An entry that is near, by its exact cosine. */
export interface Found {
  readonly seq: number
  readonly item: number
  readonly score: number
}

/** How an index stands. */
export interface IndexFacts {
  readonly entries: number
  /** Codes in memory of entries that are gone. */
  readonly gone: number
  /** Bytes of memory. */
  readonly bytes: number
  /** Entries whose code was not in the file and was made anew since the index was opened. */
  readonly made: number
}

/** A search over vectors: codes in memory, gone through whole, and the nearest measured again by the vectors themselves. */
export interface VectorIndex {
  /** Brings in what changed; the first time reads the file. The steps leave time for something else in between. */
  sync(): Generator<undefined, void>
  /** The nearest `limit`, best first, of items that `allowed` lets through. Of what the last {@link sync} brought in. */
  search(
    query: Float32Array,
    options: { readonly limit: number; readonly allowed?: (item: number) => boolean },
  ): Found[]
  facts(): IndexFacts
}

/** Codes are measured again by their vectors this many times the entries asked for, and at least so many. */
const again = 4
const minRechecked = 64
/** Codes made between two turns, and written together. */
const madeAtOnce = 512
/** Share of codes that may be of entries that are gone, before the index is written anew; below the number it is not worth it. */
const maxGone = 0.25
const minGone = 1000

/** Opens an index whose file lies at `path`; without one it lives in memory alone, as it does once the file cannot be written. */
export function createVectorIndex(source: IndexSource, path: string | null): VectorIndex {
  const { dimensions } = source
  let file = path
  let codes = createCodes(dimensions)
  /** By place among the codes; items that are gone have the number 0. */
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

  /** The database has all of it: a full disk costs time at the next start, and no search. */
  const write = (work: (file: string) => void): void => {
    try {
      if (file !== null) work(file)
    } catch {
      file = null
    }
  }

  /** Codes of entries that have none yet; each lot is written before the next is begun. */
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
        // The number of another text: the file is of a library that went another way, and so may be all that follows.
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

  /** Marks what is gone, and writes the index anew when that is much. */
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
        // A library that was mended may have gone back behind what is known here.
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

/** Takes the file of an index away. */
export function removeIndexFile(path: string): void {
  rmSync(path, removal)
  rmSync(`${path}.new`, removal)
}

const isMuch = (some: number, of: number): boolean => some > minGone && some > of * maxGone

/** The vector of length 1 in the same direction. */
export function normalised(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares) || 1
  return vector.map((value) => value / length)
}

/** The cosine of a vector of length 1 with any other; 0 for one of nothing but zeros. */
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
