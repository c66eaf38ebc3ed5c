import type Database from 'better-sqlite3'
import { join } from 'node:path'
import type { ChunkPart } from '../../../platform/vectors/chunks.ts'
import { exactVector } from '../../../platform/vectors/bytes.ts'
import {
  createVectorIndex,
  removeIndexFile,
  type IndexEntry,
  type IndexFacts,
  type IndexSource,
  type VectorIndex,
} from '../../../platform/vectors/vector-index.ts'
import type { ChunkRow, IndexAddress, MeaningAnswers, MeaningRequest } from './semantic-types.ts'

type Ask<Name extends MeaningRequest['ask']> = Extract<MeaningRequest, { readonly ask: Name }>

/** The open indexes in memory: about a byte for each dimension of each text. */
interface OpenIndexes {
  search(request: Ask<'search'>): Generator<undefined, MeaningAnswers['search']>
  locate(request: Ask<'locate'>): Generator<undefined, MeaningAnswers['locate']>
  warm(index: IndexAddress): Generator<undefined, IndexFacts>
  /** Removes the index from memory and deletes its file. */
  forget(index: IndexAddress): void
}

/** Opens indexes with files in `folder`; null keeps them only in memory. */
export function openIndexes(db: Database.Database, folder: string | null): OpenIndexes {
  const open = new Map<string, VectorIndex>()
  const chunk = db.prepare<[number], Omit<ChunkRow, 'parts'> & { readonly parts: string }>(
    `SELECT c.seq, i.id AS itemId, i.kind, i.title, i.created_at AS createdAt, c.text, c.parts
     FROM semantic_chunks c JOIN items i ON i.seq = c.item_seq WHERE c.seq = ? AND i.deleted_at IS NULL`,
  )
  const chunkOf = (seq: number): ChunkRow | null => {
    const row = chunk.get(seq)
    return row ? { ...row, parts: JSON.parse(row.parts) as ChunkPart[] } : null
  }
  const keyOf = ({ id, createdAt, dimensions }: IndexAddress): string =>
    `${id}-${createdAt}-${dimensions}`
  const fileOf = (index: IndexAddress): string | null =>
    folder === null ? null : join(folder, `${keyOf(index)}.codes`)

  const opened = (index: IndexAddress): VectorIndex => {
    const known = open.get(keyOf(index))
    if (known) return known
    const made = createVectorIndex(sourceOf(db, index), fileOf(index))
    open.set(keyOf(index), made)
    return made
  }
  const allowedItems = itemsAllowed(db)

  return {
    *search(request) {
      const { index, vector, limit } = request
      const vectors = opened(index)
      yield* vectors.sync()
      const items = allowedItems(request)
      yield
      return vectors
        .search(vector, { limit, allowed: (item) => items.has(item) })
        .flatMap(({ seq, score }) => {
          const row = chunkOf(seq)
          return row ? [{ ...row, score }] : []
        })
    },
    *locate({ indexId, places }) {
      const ofItem = db.prepare<[string, number], { seq: number; parts: string; length: number }>(
        `SELECT c.seq, c.parts, length(c.text) AS length FROM items i CROSS JOIN semantic_chunks c ON c.item_seq = i.seq
         WHERE i.id = ? AND c.index_id = ? ORDER BY c.seq`,
      )
      const found: (ChunkRow | null)[] = []
      for (const { itemId, partId, offset } of places) {
        yield
        const at = ofItem.all(itemId, indexId).findLast(({ parts }) =>
          // The last chunk with a range of the part that starts at or before the offset contains it.
          (JSON.parse(parts) as ChunkPart[]).some(
            (part) => part.id === partId && part.from <= offset,
          ),
        )
        found.push(at ? chunkOf(at.seq) : null)
      }
      return found
    },
    *warm(index) {
      const vectors = opened(index)
      yield* vectors.sync()
      return vectors.facts()
    },
    forget(index) {
      open.delete(keyOf(index))
      const file = fileOf(index)
      if (file !== null) removeIndexFile(file)
    },
  }
}

/** Returns the chunks of an index with their vectors. */
function sourceOf(db: Database.Database, { id, dimensions }: IndexAddress): IndexSource {
  const state = db.prepare<[number, number], { last: number | null; removed: number | null }>(
    `SELECT (SELECT max(seq) FROM semantic_chunks WHERE index_id = ?) AS last,
       (SELECT removed FROM semantic_indexes WHERE id = ?) AS removed`,
  )
  const entries = db.prepare<[number, number], IndexEntry>(
    `SELECT seq, item_seq AS item, digest FROM semantic_chunks WHERE index_id = ? AND seq > ? ORDER BY seq`,
  )
  const vector = db.prepare<[number], { vector: Uint8Array }>(
    'SELECT v.vector FROM semantic_chunks c JOIN vectors v ON v.seq = c.vector_seq WHERE c.seq = ?',
  )
  return {
    dimensions,
    state() {
      const row = state.get(id, id)
      return { last: row?.last ?? 0, removed: row?.removed ?? 0 }
    },
    entries: (above) => entries.iterate(id, above),
    vector(seq) {
      const row = vector.get(seq)
      const exact = row && exactVector(row.vector, dimensions)
      return exact && Float32Array.from(exact)
    },
  }
}

/**
 * Returns the items a search may find. Cached until the database changes: a list of thousands takes milliseconds.
 */
function itemsAllowed(db: Database.Database): (filter: Ask<'search'>) => ReadonlySet<number> {
  const all = db
    .prepare<unknown[], number>(
      `SELECT seq FROM items WHERE deleted_at IS NULL AND (? IS NULL OR kind IN (SELECT value FROM json_each(?)))
       AND created_at >= ? AND created_at < ?
       AND (? IS NULL OR EXISTS (SELECT 1 FROM item_tags g WHERE g.item_seq = items.seq AND g.tag = ?)) AND starred >= ?`,
    )
    .pluck()
  let last: { readonly key: string; readonly items: ReadonlySet<number> } | null = null
  return ({ kinds, from, until, tag, starred }) => {
    const listed = kinds && JSON.stringify(kinds)
    const bounds = [from ?? 0, until ?? Number.MAX_SAFE_INTEGER, tag, tag, starred ? 1 : 0]
    const key = JSON.stringify([db.pragma('data_version', { simple: true }), listed, bounds])
    if (last?.key !== key) last = { key, items: new Set(all.all(listed, listed, ...bounds)) }
    return last.items
  }
}
