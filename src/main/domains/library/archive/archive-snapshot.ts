import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { removal } from '../../../../system/file-moves.ts'
import { mergeLibrary } from './archive-merge.ts'
import { migrate, pending } from '../../../platform/database/migrate.ts'
import { openFile, schemaVersion } from '../../../platform/database/open-file.ts'
import { fileBytes, withSideFiles } from '../../../platform/database/paths.ts'
import { tables } from '../../../platform/database/schema.ts'

/** File of the library, as listed in the archive. */
interface SnapshotFile {
  readonly id: string
  readonly sha256: string
  readonly bytes: number
}

/** Content of the database of an archive. */
export interface Snapshot {
  readonly schema: number
  readonly media: readonly SnapshotFile[]
  readonly meetings: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Writes a consistent copy of a library that is in use, or of a selection, without data that belongs only to this
 * computer: settings and temporary chats. Freed pages are not included. Blocks: for workers.
 */
export function takeSnapshot(from: string, to: string, only?: readonly string[]): Snapshot {
  for (const path of withSideFiles(to)) rmSync(path, removal)
  if (only) select(from, to, only)
  else copyWhole(from, to)
  const db = new Database(to)
  try {
    db.pragma('journal_mode = DELETE')
    return describe(db)
  } finally {
    db.close()
  }
}

/** Rows of chats and messages that no longer exist, in the order in which they are deleted. */
const leftovers = [
  'messages WHERE item_seq NOT IN (SELECT seq FROM items)',
  'message_bodies WHERE item_seq NOT IN (SELECT seq FROM items)',
  ...['message_events', 'message_parts', 'message_media'].map(
    (table) => `${table} WHERE message_seq NOT IN (SELECT seq FROM messages)`,
  ),
]

function copyWhole(from: string, to: string): void {
  const source = new Database(from, { readonly: true, fileMustExist: true })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
  const db = openFile(to)
  try {
    db.pragma('foreign_keys = OFF')
    const cached = tables
      .filter(({ merge }) => merge === 'cache')
      .reduce((sum, { name }) => sum + db.prepare(`DELETE FROM ${name}`).run().changes, 0)
    db.pragma('foreign_keys = ON')
    const own = db.prepare(`DELETE FROM items WHERE kind = 'temporary'`).run().changes
    const settings = db.prepare('DELETE FROM settings').run().changes
    const left = leftovers.reduce(
      (sum, rows) => sum + db.prepare(`DELETE FROM ${rows}`).run().changes,
      0,
    )
    // Deleted data must not remain in free pages.
    if (own + settings + cached + left > 0) db.exec('VACUUM')
  } finally {
    db.close()
  }
}

function select(from: string, to: string, only: readonly string[]): void {
  const copy = `${to}.source`
  const db = openFile(to)
  try {
    migrate(db)
    // A library that could not be migrated has an earlier schema.
    const source = isMigrated(from) ? from : migratedCopy(from, copy)
    db.prepare('ATTACH ? AS src').run(source)
    mergeLibrary(db, { only })
    db.exec('DETACH src')
  } finally {
    db.close()
    for (const path of withSideFiles(copy)) rmSync(path, removal)
  }
}

function isMigrated(path: string): boolean {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  try {
    return pending(db).length === 0
  } finally {
    db.close()
  }
}

function migratedCopy(from: string, to: string): string {
  for (const path of withSideFiles(to)) rmSync(path, removal)
  copyState(from, to)
  const db = openFile(to)
  try {
    migrate(db)
  } finally {
    db.close()
  }
  return to
}

/** Describes the content of a library for a manifest. */
export function describe(db: Database.Database): Snapshot {
  return {
    schema: schemaVersion(db),
    media: db.prepare<[], SnapshotFile>('SELECT id, sha256, bytes FROM media ORDER BY id').all(),
    meetings: db
      .prepare<[], { id: string }>(`SELECT id FROM items WHERE kind = 'meeting' ORDER BY id`)
      .all()
      .map(({ id }) => id),
    counts: countItems(db),
  }
}

/**
 * Tables whose rows are counted in addition to the items. An archive is refused if its manifest counted others, so those
 * of earlier schemas (`transcripts`) stay.
 */
const counted = [
  'messages',
  'transcripts',
  'meeting_lines',
  'document_pages',
  'media',
  'runs',
  'tasks',
]

/**
 * Counts items by kind, items in the Trash, and rows of their tables; tables of later schemas are omitted.
 */
function countItems(db: Database.Database): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  const kinds = db
    .prepare<[], { kind: string; n: number }>(
      'SELECT kind, count(*) AS n FROM items GROUP BY kind ORDER BY kind',
    )
    .all()
  for (const { kind, n } of kinds) counts[`item.${kind}`] = n
  const one = (sql: string): number => db.prepare<[], { n: number }>(sql).get()?.n ?? 0
  counts['binned'] = one('SELECT count(*) AS n FROM items WHERE deleted_at IS NOT NULL')
  for (const table of counted)
    if (one(`SELECT count(*) AS n FROM sqlite_schema WHERE name = '${table}'`) > 0)
      counts[table] = one(`SELECT count(*) AS n FROM ${table}`)
  return counts
}

/**
 * Copies the data of the local service, whether or not it is in use. Returns false if there is none. Blocks: for
 * workers.
 */
export function copyState(from: string, to: string): boolean {
  for (const path of withSideFiles(to)) rmSync(path, removal)
  if ((fileBytes(from) ?? 0) === 0) return false
  const source = new Database(from, { readonly: true, fileMustExist: true })
  try {
    source.prepare('VACUUM INTO ?').run(to)
    return true
  } finally {
    source.close()
  }
}
