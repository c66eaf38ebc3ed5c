import { closeSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { contentId, contentIdPattern } from '../../../platform/files/content-id.ts'
import { sessionIdPattern } from '../../../platform/audio/session-folder.ts'
import { assertPlainTypes } from './archive-reset-pending.ts'
import { describe, type Snapshot } from './archive-snapshot.ts'
import { migrate, supportedVersion, migrations } from '../../../platform/database/migrate.ts'
import { schemaVersion } from '../../../platform/database/open-file.ts'

/** Maximum row number, far below what the search index derives from it. */
const maxRows = 2 ** 38

/**
 * Validates a foreign database before it is used: intact, with exactly a schema that Lectern wrote (no additional
 * trigger, view or table), and with IDs that may become part of a path. Opened read-only and untrusted. Throws
 * ArchiveRefused. Blocks: for workers.
 */
export function validateDatabase(path: string, name: string): Snapshot {
  assertSettled(path, name)
  const refuse = (cause?: unknown): ArchiveRefused => new ArchiveRefused('database', name, cause)
  let db: Database.Database
  try {
    db = distrustful(path)
  } catch (error) {
    throw refuse(error)
  }
  try {
    const version = schemaVersion(db)
    if (version > supportedVersion()) throw new ArchiveRefused('newer', name)
    if (!migrations.some((step) => step.version === version))
      throw new ArchiveRefused('unknown', name)
    assertOwnSchema(db, version, name)
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw refuse()
    if (db.prepare('SELECT 1 FROM pragma_foreign_key_check LIMIT 1').get() !== undefined)
      throw refuse()
    assertPlainRows(db, name)
    assertPlainTypes(db, name)
    return describe(db)
  } catch (error) {
    throw error instanceof ArchiveRefused ? error : refuse(error)
  } finally {
    db.close()
  }
}

/** Opens a connection that trusts nothing in the file. */
function distrustful(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  db.pragma('trusted_schema = OFF')
  db.pragma('cell_size_check = ON')
  db.pragma('mmap_size = 0')
  db.pragma('query_only = ON')
  return db
}

/** Requires a self-contained database file: not in WAL mode, so that reading it writes no side files. */
function assertSettled(path: string, name: string): void {
  const head = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0' || head[18] !== 1 || head[19] !== 1)
    throw new ArchiveRefused('database', name)
}

/** Compares every table, index, trigger and view with those that the migrations create for that version. */
function assertOwnSchema(db: Database.Database, version: number, name: string): void {
  const model = new Database(':memory:')
  try {
    migrate(
      model,
      migrations.filter((step) => step.version <= version),
    )
    const wanted = schemaOf(model)
    const found = schemaOf(db)
    if (wanted.length !== found.length || wanted.some((line, n) => line !== found[n]))
      throw new ArchiveRefused('database', name)
  } finally {
    model.close()
  }
}

/**
 * Tables that SQLite itself adds when a database is analyzed, compared exactly: a trigger could have the same name.
 */
const statistics: ReadonlySet<string> = new Set(
  ['sqlite_stat1(tbl,idx,stat)', 'sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'].map((table) => {
    const name = table.split('(', 1).join()
    return `table ${name} ${name} CREATE TABLE ${table}`
  }),
)

function schemaOf(db: Database.Database): readonly string[] {
  return (
    db
      .prepare<[], { line: string }>(
        `SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') AS line FROM sqlite_schema`,
      )
      .all()
      // How the text was laid out, and whether a column was in it from the first, says nothing.
      .map(({ line }) => line.replace(/[ \t\r\n]+/g, ' ').replace(/ ?([(),]) ?/g, '$1'))
      .filter((line) => !statistics.has(line))
      .toSorted()
  )
}

/** Validates IDs that become part of a path or URL, and numbers that are multiplied. */
function assertPlainRows(db: Database.Database, name: string): void {
  const refuse = (): never => {
    throw new ArchiveRefused('database', name)
  }
  const media = db.prepare<[], { id: string; sha256: string }>('SELECT id, sha256 FROM media')
  for (const { id, sha256 } of media.iterate()) {
    if (!contentIdPattern.test(id)) refuse()
    // Of a lost file, only the ID is known.
    if (sha256 !== '' && (!/^[0-9a-f]{64}$/.test(sha256) || contentId(sha256) !== id)) refuse()
  }
  const items = db.prepare<[], { id: string; seq: number }>('SELECT id, seq FROM items')
  const folders = new Set<string>()
  for (const { id, seq } of items.iterate()) {
    if (!sessionIdPattern.test(id) || seq < 0 || seq > maxRows) refuse()
    // IDs become folder names, which are case-insensitive on most systems.
    const folder = id.toLowerCase()
    if (folders.has(folder)) throw new ArchiveRefused('case', `meetings/${id}`)
    folders.add(folder)
  }
  const messages = db
    .prepare<[], { low: number | null; high: number | null }>(
      `SELECT min(seq) AS low, max(seq) AS high FROM ${hasMessages(db) ? 'messages' : 'items'}`,
    )
    .get()
  if ((messages?.low ?? 0) < 0 || (messages?.high ?? 0) > maxRows) refuse()
}

const hasMessages = (db: Database.Database): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'messages'`).get() !== undefined
