import Database from 'better-sqlite3'
import { privateFile } from './paths.ts'

/** Milliseconds that opening waits for another program's lock: a closing Lectern releases it. */
const openingTimeout = 1000
/**
 * Milliseconds that a write waits afterwards. Only a second Lectern can hold a lock, the page waits with the main process,
 * and callers may retry.
 */
const writingTimeout = 100
/** Log size in pages of 4 KB at which a write runs a checkpoint itself: 64 MB. */
const pagesOfLog = 16_384

/**
 * Opens (or creates) a database with mode 0600 and reads its schema, so that a damaged first page is detected before any use.
 * Nothing in the file is changed yet. Throws SQLite's own errors.
 */
export function openFile(path: string): Database.Database {
  privateFile(path)
  return ensureReadable(new Database(path, { timeout: openingTimeout }))
}

/**
 * Prepares an open database for writing. Throws SQLite's SQLITE_READONLY if the file cannot be written: on Windows, SQLite
 * then silently opens it for reading. `synchronous=NORMAL` under WAL preserves every commit in a crash of the app; a power
 * failure may lose the last moments but never the whole.
 */
export function prepareForWriting(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  db.pragma('temp_store = MEMORY')
  // A checkpoint copies the log and waits for the disk: workers do it (`planCheckpoints`) long before a write has to.
  db.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
  // One long transaction may grow the log far beyond the normal size; it is truncated at the next checkpoint.
  db.pragma('journal_size_limit = 16777216')
  // Acquires and releases the write lock; BEGIN IMMEDIATE alone also succeeds on a read-only file.
  db.exec(`BEGIN; PRAGMA user_version = ${schemaVersion(db)}; ROLLBACK`)
  db.pragma(`busy_timeout = ${writingTimeout}`)
}

/** Opens a database for reading. Under WAL this needs a folder in which SQLite can create the log's index. */
export function openReadOnly(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: openingTimeout })
  db.pragma('temp_store = MEMORY')
  return ensureReadable(db, () => readOnly(db))
}

/**
 * Allows only reading. A library that could not be migrated is shown with the stars and folders that its chats have in the
 * schema before version 310.
 */
export function readOnly(db: Database.Database): void {
  const isEarlier = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'chat_folders'`).get()
  if (isEarlier !== undefined)
    db.exec(`
      CREATE TEMP VIEW items AS SELECT i.*,
        coalesce((SELECT pinned FROM main.conversations WHERE item_seq = i.seq), 0) AS starred,
        (SELECT folder_id FROM main.conversations WHERE item_seq = i.seq) AS folder_id
      FROM main.items i;
      CREATE TEMP VIEW folders AS SELECT id, 'conversation' AS kind, name, created_at FROM main.chat_folders`)
  db.pragma('query_only = ON')
}

function ensureReadable(db: Database.Database, prepare?: () => void): Database.Database {
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    prepare?.()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Returns the schema version of a database. */
export function schemaVersion(db: Database.Database): number {
  const version = db.pragma('user_version', { simple: true })
  return typeof version === 'number' ? version : 0
}

/** Returns the version of SQLite in use. */
export function sqliteVersion(): string {
  const db = new Database(':memory:')
  try {
    return String(db.prepare('SELECT sqlite_version()').pluck().get())
  } finally {
    db.close()
  }
}
