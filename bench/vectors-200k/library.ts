import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import { bytesOfVector } from '../../src/main/platform/vectors/bytes.ts'
import type { IndexAddress } from '../../src/main/domains/library/store/semantic-types.ts'
import type { VectorSet } from './sets.ts'

/** A library that was written. */
export interface Built {
  readonly index: IndexAddress
  /** Size of the vectors in bytes. */
  readonly bytes: number
}

/** Writes items with one chunk each and the vectors of a set; an item's timestamp is its number, from 0. */
export function buildLibrary(
  path: string,
  set: VectorSet,
  { size, dimensions }: { readonly size: number; readonly dimensions: number },
): Built {
  const db = new Database(path)
  db.pragma('synchronous = OFF')
  db.exec(`
    INSERT INTO vector_spaces(id, space, model, dimensions, vectors) VALUES (1, 'bench', 'embedding-3', ${dimensions}, ${size});
    INSERT INTO semantic_indexes(id, space_id, account_id, account_name, model, kinds, state, created_at, used_at)
    VALUES (1, 1, 'bench', 'bench', 'embedding-3', '["meeting"]', 'idle', 1, 1)`)
  const item = db.prepare(
    `INSERT INTO items(seq, id, kind, title, created_at, updated_at) VALUES (?, ?, 'meeting', ?, ?, 0)`,
  )
  const vector = db.prepare('INSERT INTO vectors(seq, space_id, hash, vector) VALUES (?, 1, ?, ?)')
  const chunk = db.prepare(
    `INSERT INTO semantic_chunks(seq, index_id, item_seq, vector_seq, digest, parts, text) VALUES (?, 1, ?, ?, ?, '[]', ?)`,
  )
  db.transaction(() => {
    for (let seq = 1; seq <= size; seq++) {
      const text = `Text ${seq} of a meeting, about as long as the first sentence of a minute is.`
      const hash = createHash('sha256').update(text).digest()
      item.run(seq, String(seq), `Meeting ${seq}`, seq - 1)
      vector.run(seq, hash, bytesOfVector(set.next()))
      chunk.run(seq, seq, seq, BigInt(hash.readUIntBE(0, 6)), text)
    }
  })()
  db.close()
  return { index: { id: 1, createdAt: 1, dimensions }, bytes: size * dimensions * 4 }
}
