import Database from 'better-sqlite3'
import { itemTraits } from '../../../../shared/model/library.ts'
import { fileColumns } from '../../../library-database/counts.ts'
import { tableNamed } from '../../../platform/database/schema.ts'

/** Files by purpose; each counts once, for the first purpose that uses it. */
interface SavedFiles {
  readonly kind: string
  readonly bytes: number
  readonly files: number
}

/** Files and caches that the database references. */
interface SavedKinds {
  readonly files: readonly SavedFiles[]
  /** Bytes of vectors, which can be computed again. */
  readonly vectors: number
  /** Meetings in Trash: their audio is deleted with them. */
  readonly trashedMeetings: readonly string[]
}

/**
 * Reads a library that may be in use. Unused files are `unused`, or `unclaimed` if they were added after `before` (Unix ms) or
 * are among `inUse`. Blocks: for workers.
 */
export function savedKinds(
  path: string,
  { before, inUse }: { readonly before: number; readonly inUse: readonly string[] },
): SavedKinds {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const uses = fileColumns(db)
      .filter(({ name }) => name !== 'items')
      .map(
        ({ name, field }) =>
          `WHEN EXISTS (SELECT 1 FROM "${name}" WHERE "${field}" = media.id) THEN '${tableNamed(name)?.category ?? 'runs'}'`,
      )
    const live = Object.entries(itemTraits).map(
      ([kind, { category }]) => `WHEN '${kind}' THEN '${category}'`,
    )
    const files = db
      .prepare<[number, string], SavedFiles>(
        `SELECT kind, sum(bytes) AS bytes, count(*) AS files FROM (
           SELECT bytes, coalesce(
             (SELECT CASE i.kind ${live.join(' ')} ELSE 'runs' END FROM items i
              WHERE i.media_id = media.id AND i.deleted_at IS NULL LIMIT 1),
             CASE ${uses.join(' ')}
               WHEN EXISTS (SELECT 1 FROM items WHERE media_id = media.id) THEN 'bin'
               WHEN created_at < ? AND id NOT IN (SELECT value FROM json_each(?)) THEN 'unused'
               ELSE 'unclaimed' END) AS kind
           FROM media) GROUP BY kind`,
      )
      .all(before, JSON.stringify(inUse))
    const vectors = db
      .prepare<[], { n: number | null }>(
        `SELECT sum(v.vectors * (v.dimensions * 4 + 48)) AS n FROM vector_spaces v`,
      )
      .get()
    const meetings = db
      .prepare<[], { id: string }>(
        `SELECT id FROM items WHERE kind = 'meeting' AND deleted_at IS NOT NULL`,
      )
      .all()
    return { files, vectors: vectors?.n ?? 0, trashedMeetings: meetings.map(({ id }) => id) }
  } finally {
    db.close()
  }
}

/**
 * Returns the file IDs that neither the library nor any of its backups references. If a backup cannot be read, its references are
 * unknown: then none are returned. Blocks: for workers.
 */
export function namedNowhere(
  ids: readonly string[],
  library: string,
  backups: readonly string[],
): readonly string[] {
  let left = unnamedIn(ids, library)
  try {
    for (const path of backups) left = unnamedIn(left, path)
  } catch {
    return []
  }
  return left
}

function unnamedIn(ids: readonly string[], path: string): readonly string[] {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const known = db.prepare('SELECT 1 FROM media WHERE id = ?')
    return ids.filter((id) => known.get(id) === undefined)
  } finally {
    db.close()
  }
}
