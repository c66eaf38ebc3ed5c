import Database from 'better-sqlite3'
import { withoutParts } from './chats-parts.ts'
import { privateFile } from './paths.ts'

/** Milliseconds that opening waits for another program's lock: a Lectern that is just closing lets go of it. */
const openingTimeout = 1000
/** Milliseconds that a write waits afterwards. Nobody but a second Lectern can hold a lock, the page waits with main, and callers may try again. */
const writingTimeout = 100
/** Pages of 4 KB at which a write brings the log in itself: 64 MB. */
const pagesOfLog = 16_384

/**
 * Opens (or makes) a database with mode 0600 and reads its schema, so that a broken first page is known before anybody
 * relies on it. Nothing in the file is changed yet. Throws SQLite's own errors.
 */
export function openFile(path: string): Database.Database {
  privateFile(path)
  return looked(new Database(path, { timeout: openingTimeout }))
}

/**
 * Makes an open database ready for writing. Throws SQLite's SQLITE_READONLY where the file cannot be written: on Windows SQLite then opens
 * it for reading and says nothing. `synchronous=NORMAL` under WAL keeps every commit through a crash of the app;
 * a power cut may take the last moments but never the whole.
 */
export function prepareForWriting(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  db.pragma('temp_store = MEMORY')
  // Bringing the log in copies it and waits for the disk: workers do it (`planCheckpoints`) long before a write has to.
  db.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
  // One long transaction may grow the log far beyond the usual; it is cut back at the next checkpoint.
  db.pragma('journal_size_limit = 16777216')
  // Takes the right to write and gives it back; BEGIN IMMEDIATE alone is content with reading.
  db.exec(`BEGIN; PRAGMA user_version = ${schemaVersion(db)}; ROLLBACK`)
  db.pragma(`busy_timeout = ${writingTimeout}`)
}

/** Opens a database to look at it. Under WAL this needs a folder in which SQLite can make the log's index. */
export function openReadOnly(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: openingTimeout })
  db.pragma('temp_store = MEMORY')
  return looked(db, () => {
    withoutParts(db)
    db.pragma('query_only = ON')
  })
}

function looked(db: Database.Database, prepare?: () => void): Database.Database {
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    prepare?.()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The schema version a database carries. */
export function schemaVersion(db: Database.Database): number {
  const version = db.pragma('user_version', { simple: true })
  return typeof version === 'number' ? version : 0
}

/** The version of SQLite that the database is read and written with. */
export function sqliteVersion(): string {
  const db = new Database(':memory:')
  try {
    return String(db.prepare('SELECT sqlite_version()').pluck().get())
  } finally {
    db.close()
  }
}
