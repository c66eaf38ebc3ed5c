import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cosine,
  createVectorIndex,
  type IndexEntry,
  type IndexSource,
  type VectorIndex,
} from '../../../../src/main/platform/vectors/vector-index.ts'
import { clustered, uniform, type VectorSet } from '../../../../bench/vectors-200k/sets.ts'

const dimensions = 256
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-index-'))
  file = join(folder, 'one.codes')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Rows as in a database. */
interface Rows extends IndexSource {
  readonly rows: Map<number, IndexEntry & { readonly vector: Float32Array }>
  add(set: VectorSet, count: number): void
  remove(...seqs: readonly number[]): void
  /** Reverts to a backup made before the last rows. */
  goBack(last: number): void
  /** Returns the numbers of the exact nearest rows. */
  nearest(query: Float32Array, limit: number, allowed?: (item: number) => boolean): number[]
}

function makeRows(): Rows {
  const rows: Rows['rows'] = new Map()
  let last = 0
  let removed = 0
  return {
    dimensions,
    rows,
    add(set, count) {
      for (let n = 0; n < count; n++) {
        const seq = (last += 1)
        rows.set(seq, { seq, item: 1 + (seq % 10), digest: seq * 7, vector: set.next() })
      }
    },
    remove(...seqs) {
      for (const seq of seqs) if (rows.delete(seq)) removed += 1
    },
    goBack(to) {
      for (const seq of rows.keys()) if (seq > to) rows.delete(seq)
      last = to
    },
    state: () => ({ last, removed }),
    entries: (above) => [...rows.values()].filter(({ seq }) => seq > above),
    vector: (seq) => rows.get(seq)?.vector,
    nearest: (query, limit, allowed = () => true) =>
      [...rows.values()]
        .filter(({ item }) => allowed(item))
        .map(({ seq, vector }) => ({ seq, score: cosine(query, vector) }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ seq }) => seq),
  }
}

const through = (steps: Generator<undefined, void>): void => {
  for (const step of steps) expect(step).toBeUndefined()
}
function opened(rows: Rows, path: string | null = file): VectorIndex {
  const index = createVectorIndex(rows, path)
  through(index.sync())
  return index
}
const seqsOf = (index: VectorIndex, query: Float32Array, limit = 10): number[] =>
  index.search(query, { limit }).map(({ seq }) => seq)

/** Returns the share of the exact nearest rows that an index finds. */
function recall(rows: Rows, set: VectorSet, allowed?: (item: number) => boolean): number {
  const index = opened(rows, null)
  let hits = 0
  for (let n = 0; n < 20; n++) {
    const query = set.next()
    const truth = new Set(rows.nearest(query, 10, allowed))
    const found = index.search(query, { limit: 10, ...(allowed && { allowed }) })
    hits += found.filter(({ seq }) => truth.has(seq)).length
  }
  return hits / 200
}

test.each([
  ['in clusters', clustered],
  ['in a uniform distribution', uniform],
])('finds at least 95 of the 100 nearest vectors %s, filtered or not', (_, make) => {
  const rows = makeRows()
  const set = make(dimensions, 5)
  rows.add(set, 6000)
  expect(recall(rows, set)).toBeGreaterThanOrEqual(0.95)
  expect(recall(rows, set, (item) => item === 3)).toBeGreaterThanOrEqual(0.95)
})

test('returns exact cosines as scores, best first, for vectors of any length', () => {
  const rows = makeRows()
  const set = uniform(dimensions, 6)
  rows.add({ next: () => set.next().map((value) => value * 40) }, 50)
  const query = set.next().map((value) => value * 3)
  const unit = query.map((value) => value / Math.hypot(...query))
  const found = opened(rows, null).search(query, { limit: 50 })
  expect(found).toHaveLength(50)
  for (const { seq, score } of found)
    expect(score).toBeCloseTo(cosine(unit, rows.vector(seq) ?? unit), 6)
  expect(found.map(({ score }) => score)).toEqual(
    found.map(({ score }) => score).toSorted((a, b) => b - a),
  )
})

test('finds added rows without a rebuild, and no removed ones', () => {
  const rows = makeRows()
  const set = clustered(dimensions, 7)
  rows.add(set, 500)
  const index = opened(rows)
  rows.add(set, 20)
  through(index.sync())
  const newest = rows.vector(510) ?? set.next()
  expect(seqsOf(index, newest)[0]).toBe(510)
  rows.remove(510, 3)
  through(index.sync())
  expect(seqsOf(index, newest)).not.toContain(510)
  expect(index.facts()).toMatchObject({ entries: 518, gone: 2, made: 520 })
})

test('reads everything from the file after a start, and indexes only new rows', () => {
  const rows = makeRows()
  const set = clustered(dimensions, 8)
  rows.add(set, 3000)
  opened(rows)
  rows.add(set, 5)
  rows.remove(17)
  const index = opened(rows)
  expect(index.facts()).toMatchObject({ entries: 3004, made: 5 })
  const query = set.next()
  expect(seqsOf(index, query)).toEqual(rows.nearest(query, 10))
  expect(opened(rows).facts()).toMatchObject({ entries: 3004, made: 0 })
})

test('reads the valid part of a truncated, damaged or foreign file, and repairs it', () => {
  const rows = makeRows()
  const set = clustered(dimensions, 9)
  rows.add(set, 1500)
  opened(rows)
  const whole = readFileSync(file)
  const query = set.next()
  const damages: readonly (() => void)[] = [
    () => truncateSync(file, whole.length - 5),
    () => {
      const handle = openSync(file, 'r+')
      writeSync(handle, Buffer.of(1, 2, 3), 0, 3, Math.floor(whole.length / 2))
      closeSync(handle)
    },
    () => writeFileSync(file, 'no index at all'),
    () => rmSync(file),
    () => truncateSync(file, 0),
  ]
  for (const damage of damages) {
    writeFileSync(file, whole)
    damage()
    const index = opened(rows)
    expect(index.facts().entries).toBe(1500)
    expect(index.facts().made).toBeGreaterThan(0)
    expect(seqsOf(index, query)).toEqual(rows.nearest(query, 10))
    expect(opened(rows).facts().made).toBe(0)
  }
  // Restored from a backup and changed differently since: the same numbers belong to other texts.
  const other = makeRows()
  other.add(uniform(dimensions, 10), 1500)
  for (const [seq, row] of other.rows) other.rows.set(seq, { ...row, digest: row.digest + 1 })
  const index = opened(other)
  expect(index.facts()).toMatchObject({ entries: 1500, made: 1500 })
  expect(seqsOf(index, query)).toEqual(other.nearest(query, 10))
})

test('follows a library that is restored from a backup while the index is open', () => {
  const rows = makeRows()
  const set = clustered(dimensions, 11)
  rows.add(set, 100)
  const index = opened(rows)
  rows.goBack(97)
  through(index.sync())
  expect(index.facts().entries).toBe(97)
})

test('rewrites a smaller index after many removals', () => {
  const rows = makeRows()
  const set = clustered(dimensions, 12)
  rows.add(set, 3000)
  const index = opened(rows)
  const before = statSync(file).size
  rows.remove(...Array.from({ length: 1500 }, (_, n) => n * 2 + 1))
  through(index.sync())
  expect(index.facts()).toMatchObject({ entries: 1500, gone: 0 })
  expect(statSync(file).size).toBeLessThan(before * 0.6)
  const query = set.next()
  expect(seqsOf(index, query)).toEqual(rows.nearest(query, 10))
  expect(opened(rows).facts()).toMatchObject({ entries: 1500, made: 0 })
})

test('still searches if the file cannot be written', () => {
  const rows = makeRows()
  const set = clustered(dimensions, 13)
  rows.add(set, 50)
  const index = opened(rows, join(folder, 'missing', 'one.codes'))
  const query = set.next()
  expect(seqsOf(index, query)).toEqual(rows.nearest(query, 10))
})
