import type { Media } from '../../../shared/model/library.ts'
import type { Connection, Value } from '../database/connection.ts'
import { tables } from '../database/schema.ts'
import type { MediaStore } from '../../library-database/types.ts'

interface MediaRow {
  readonly id: string
  readonly sha256: string
  readonly bytes: number
  readonly mime: string
  readonly name: string
  readonly duration: number | null
  readonly created_at: number
}

/** Maximum number of orphans returned at once; the cleanup queries again later. */
const orphansAtOnce = 200

/** Queries of files received from a provider. */
const receivedIn = [
  ...tables.flatMap(({ name, received }) =>
    received === undefined ? [] : [received === true ? name : `${name} ${received}`],
  ),
  // From an archive, or a bundle of such files.
  "(SELECT id AS media_id FROM media WHERE origin = 'foreign')",
]
const receivedSql = `SELECT 1 WHERE ${receivedIn.map((from) => `? IN (SELECT media_id FROM ${from})`).join(' OR ')}`

/** Store of metadata of saved files; the files themselves are handled by `src/main/platform/files`. */
export function mediaStore(connection: Connection): MediaStore {
  return {
    get(id) {
      const row = connection.get<MediaRow>('SELECT * FROM media WHERE id = ?', id)
      return row && toMedia(row)
    },
    put(media) {
      const values: Value[] = [
        media.id,
        media.sha256,
        media.bytes,
        media.mime,
        media.name,
        media.duration,
        media.createdAt,
      ]
      connection.run(
        `INSERT INTO media(id, sha256, bytes, mime, name, duration, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET sha256 = excluded.sha256, bytes = excluded.bytes, mime = excluded.mime,
           name = excluded.name, duration = excluded.duration, created_at = excluded.created_at`,
        ...values,
      )
    },
    markImported(id) {
      connection.run(`UPDATE media SET origin = 'imported' WHERE id = ?`, id)
    },
    markForeign(id) {
      connection.run(`UPDATE media SET origin = 'foreign' WHERE id = ? AND origin = 'received'`, id)
    },
    importedName(id) {
      const row = connection.get<{ readonly name: string }>(
        `SELECT name FROM media WHERE id = ? AND origin = 'imported'`,
        id,
      )
      return row?.name ?? null
    },
    orphans(before) {
      return connection
        .all<MediaRow>(
          'SELECT * FROM media WHERE uses = 0 AND created_at < ? ORDER BY created_at, id LIMIT ?',
          before,
          orphansAtOnce,
        )
        .map(toMedia)
    },
    remove(id) {
      // In a single statement, so that an item created in the meantime is seen. Items (including Trash) and runs count as
      // uses.
      connection.run('DELETE FROM media WHERE id = ? AND uses = 0', id)
      return connection.get('SELECT 1 FROM media WHERE id = ?', id) === undefined
    },
    isReceived: (id) => connection.get(receivedSql, ...receivedIn.map(() => id)) !== undefined,
  }
}

/** Converts a row to media metadata. */
function toMedia(row: MediaRow): Media {
  return {
    id: row.id,
    sha256: row.sha256,
    bytes: row.bytes,
    mime: row.mime,
    name: row.name,
    duration: row.duration,
    createdAt: row.created_at,
  }
}
