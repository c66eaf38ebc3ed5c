import type { Connection } from '../../../platform/database/connection.ts'
import type { NewChunk } from './semantic-types.ts'

/** The chunks of an item, with the modification time they reflect. */
export interface SavedChunks {
  readonly stamp: number
  readonly chunks: readonly NewChunk[]
}

/** Number of chunks written or deleted in one step: a few milliseconds. */
const atOnce = 100

interface SavedChunkRow {
  readonly seq: number
  readonly digest: number
  readonly parts: string
}

/**
 * Replaces the chunks of an item, keeping identical ones. Each step is a transaction: the item remains waiting until the
 * last, so that the work is repeated after a crash. Throws when a vector is missing in the cache or the item in the index,
 * because it was deleted in the meantime.
 */
export function* replaceChunks(
  connection: Connection,
  indexId: number,
  itemSeq: number,
  { stamp, chunks }: SavedChunks,
): Generator<undefined, void> {
  const existing = new Map<string, SavedChunkRow[]>()
  for (const chunk of connection.all<SavedChunkRow>(
    'SELECT seq, digest, parts FROM semantic_chunks WHERE item_seq = ? AND index_id = ?',
    itemSeq,
    indexId,
  )) {
    const key = `${chunk.digest} ${chunk.parts}`
    existing.set(key, [...(existing.get(key) ?? []), chunk])
  }
  const added = chunks
    .map((chunk) => ({ chunk, parts: JSON.stringify(chunk.parts) }))
    .filter(({ chunk, parts }) => !existing.get(`${chunk.digest} ${parts}`)?.pop())
  // From the first chunk on there is something to clean up when the item is deleted.
  if (added.length > 0)
    connection.run(
      'UPDATE semantic_items SET chunks = max(chunks, 1) WHERE index_id = ? AND item_seq = ?',
      indexId,
      itemSeq,
    )
  // Add new ones first: deleting the last chunk of a vector deletes the vector.
  for (let first = 0; first < added.length; first += atOnce) {
    connection.transaction(() => {
      for (const { chunk, parts } of added.slice(first, first + atOnce))
        insertChunk(connection, { indexId, itemSeq, chunk, parts })
    })
    yield
  }
  const left = [...existing.values()].flat()
  for (let first = 0; first < left.length; first += atOnce) {
    const some = left.slice(first, first + atOnce).map(({ seq }) => seq)
    connection.transaction(() => removeChunks(connection, some))
    yield
  }
  connection.run(
    `UPDATE semantic_items SET state = 'done', stamp = ?, chunks = ?, error = NULL WHERE index_id = ? AND item_seq = ?`,
    stamp,
    chunks.length,
    indexId,
    itemSeq,
  )
}

function insertChunk(
  connection: Connection,
  row: {
    readonly indexId: number
    readonly itemSeq: number
    readonly chunk: NewChunk
    readonly parts: string
  },
): void {
  const { changes } = connection.run(
    `INSERT INTO semantic_chunks(index_id, item_seq, vector_seq, digest, parts, text)
     SELECT x.id, s.item_seq, v.seq, ?, ?, ? FROM semantic_indexes x
       JOIN semantic_items s ON s.index_id = x.id AND s.item_seq = ?
       JOIN vectors v ON v.space_id = x.space_id AND v.hash = ?
     WHERE x.id = ?`,
    BigInt(row.chunk.digest),
    row.parts,
    row.chunk.text,
    row.itemSeq,
    row.chunk.hash,
    row.indexId,
  )
  if (changes === 0) throw new VectorGone()
}

/** An existing vector or item was deleted: waiting items are surveyed again. */
export class VectorGone extends Error {}

/** Deletes chunks, and vectors with their last chunk: nothing remains of deleted items, not even their meaning. */
function removeChunks(connection: Connection, seqs: readonly number[]): void {
  for (const seq of seqs) {
    const chunk = connection.get<{ vector_seq: number }>(
      'DELETE FROM semantic_chunks WHERE seq = ? RETURNING vector_seq',
      seq,
    )
    if (!chunk) continue
    const gone = connection.get<{ space_id: number }>(
      `DELETE FROM vectors WHERE seq = ? AND NOT EXISTS (SELECT 1 FROM semantic_chunks WHERE vector_seq = vectors.seq)
       RETURNING space_id`,
      chunk.vector_seq,
    )
    if (gone)
      connection.run('UPDATE vector_spaces SET vectors = vectors - 1 WHERE id = ?', gone.space_id)
  }
}

/** Runs one step of cleaning up after deleted items. Returns false when nothing is left. */
export function settleSemantic(connection: Connection): boolean {
  if (!connection.writable) return false
  return connection.transaction(() => {
    const left = connection.get<{ seq: number; index_id: number; item_seq: number }>(
      'SELECT * FROM semantic_leftovers LIMIT 1',
    )
    if (!left) return false
    const isBack = connection.get(
      'SELECT 1 FROM semantic_items WHERE index_id = ? AND item_seq = ?',
      left.index_id,
      left.item_seq,
    )
    if (isBack) {
      // Its existing chunks are compared when it is embedded.
      connection.run('DELETE FROM semantic_leftovers WHERE seq = ?', left.seq)
      return true
    }
    const some = connection.all<{ seq: number }>(
      'SELECT seq FROM semantic_chunks WHERE item_seq = ? AND index_id = ? LIMIT ?',
      left.item_seq,
      left.index_id,
      atOnce,
    )
    removeChunks(
      connection,
      some.map(({ seq }) => seq),
    )
    if (some.length < atOnce)
      connection.run('DELETE FROM semantic_leftovers WHERE seq = ?', left.seq)
    return true
  })
}
