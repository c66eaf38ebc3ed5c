import { exactBytes, exactVector } from '../../../platform/vectors/bytes.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/** Properties shared by vectors that can be compared with each other. */
export interface VectorSpace {
  /** Provider, identified by its base URL, or the on-device engine (`services/vectors/space.ts`). */
  readonly space: string
  /** Model ID as spelled by that provider. */
  readonly model: string
  readonly dimensions: number
}

/** Space with the size of its saved vectors. */
interface VectorSpaceSize extends VectorSpace {
  readonly vectors: number
  /** Bytes of the numbers alone, as 32-bit floats; 64-bit ones take twice as many. */
  readonly bytes: number
}

/**
 * Cache of vectors (service-notes 15): by space and the SHA-256 of the text, 32 bytes. Calls with hundreds of texts take
 * milliseconds.
 */
export interface VectorStore {
  /** Returns the vectors of texts in their order, unchanged; undefined for those not in the cache. */
  get(of: VectorSpace, hashes: readonly Uint8Array[]): (Float64Array | undefined)[]
  /** Returns which texts have a vector, without reading it. */
  has(of: VectorSpace, hashes: readonly Uint8Array[]): boolean[]
  /** Saves vectors; existing ones are not replaced. Throws DISK_FULL, READ_ONLY. */
  put(
    of: VectorSpace,
    entries: readonly { readonly hash: Uint8Array; readonly vector: Float32Array | Float64Array }[],
  ): void
  /** Returns every nonempty space, largest first. */
  sizes(): readonly VectorSpaceSize[]
  /** Deletes at most `most` vectors of a space (500 when absent); returns how many, 0 if none are left. */
  forget(of: VectorSpace, max?: number): number
}

/** Number of rows deleted at a time: about a frame's work. */
const forgottenAtOnce = 500

const knownId = (
  connection: Connection,
  { space, model, dimensions }: VectorSpace,
): number | undefined =>
  connection.get<{ id: number }>(
    'SELECT id FROM vector_spaces WHERE space = ? AND model = ? AND dimensions = ?',
    space,
    model,
    dimensions,
  )?.id

/** Returns the number of a space, which is created if needed. */
export const spaceId = (connection: Connection, of: VectorSpace): number =>
  knownId(connection, of) ??
  connection.run(
    'INSERT INTO vector_spaces(space, model, dimensions) VALUES (?, ?, ?)',
    of.space,
    of.model,
    of.dimensions,
  ).lastId

/** Creates the cache of vectors. */
export function vectorStore(connection: Connection): VectorStore {
  const idOf = (of: VectorSpace): number | undefined => knownId(connection, of)

  const counted = (id: number, change: number): void =>
    void connection.run('UPDATE vector_spaces SET vectors = vectors + ? WHERE id = ?', change, id)

  return {
    get(of, hashes) {
      const id = idOf(of)
      return hashes.map((hash) => {
        if (id === undefined) return undefined
        const row = connection.get<{ vector: Uint8Array }>(
          'SELECT vector FROM vectors WHERE space_id = ? AND hash = ?',
          id,
          hash,
        )
        // A vector whose length was changed by damage counts as missing: it is requested again.
        return row && exactVector(row.vector, of.dimensions)
      })
    },
    has(of, hashes) {
      const id = idOf(of)
      const sql = 'SELECT 1 FROM vectors WHERE space_id = ? AND hash = ?'
      return hashes.map((hash) => id !== undefined && connection.get(sql, id, hash) !== undefined)
    },
    put(of, entries) {
      connection.transaction(() => {
        const id = spaceId(connection, of)
        const added = entries.reduce(
          (sum, { hash, vector }) =>
            sum +
            connection.run(
              `INSERT INTO vectors(space_id, hash, vector) VALUES (?, ?, ?)
               ON CONFLICT(space_id, hash) DO UPDATE SET vector = excluded.vector
               WHERE length(vectors.vector) NOT IN (?, ?)`,
              id,
              hash,
              exactBytes(vector),
              of.dimensions * 4,
              of.dimensions * 8,
            ).changes,
          0,
        )
        if (added > 0) counted(id, added)
      })
    },
    sizes: () =>
      connection.all<VectorSpaceSize>(
        `SELECT space, model, dimensions, vectors, vectors * dimensions * 4 AS bytes
         FROM vector_spaces WHERE vectors > 0 ORDER BY bytes DESC, id`,
      ),
    forget(of, max = forgottenAtOnce) {
      const id = idOf(of)
      if (id === undefined) return 0
      return connection.transaction(() => {
        const { changes } = connection.run(
          'DELETE FROM vectors WHERE seq IN (SELECT seq FROM vectors WHERE space_id = ? LIMIT ?)',
          id,
          max,
        )
        if (changes > 0) counted(id, -changes)
        return changes
      })
    },
  }
}
