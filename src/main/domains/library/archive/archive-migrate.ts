import Database from 'better-sqlite3'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { resetPendingWork } from './archive-reset-pending.ts'
import { migrate } from '../../../platform/database/migrate.ts'

/**
 * Migrates a validated database to the current schema, without anything that would continue automatically. Throws
 * ArchiveRefused for rows that no version of Lectern wrote. Blocks: for workers.
 */
export function migrateDatabase(path: string, name = ''): void {
  const db = new Database(path)
  try {
    db.pragma('trusted_schema = OFF')
    db.pragma('foreign_keys = ON')
    // Foreign statistics must not influence query plans.
    db.exec('DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4')
    migrate(db)
    resetPendingWork(db)
    db.pragma('journal_mode = DELETE')
  } catch (error) {
    const isForeign =
      error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')
    throw isForeign ? new ArchiveRefused('database', name, error) : error
  } finally {
    db.close()
  }
}

/**
 * Sanitizes a foreign copy of the local service's data: intact, and only tables. Everything else it needs (search
 * indexes, the one trigger) is created again when the service opens it. Throws ArchiveRefused. Blocks: for workers.
 */
export function migrateState(path: string, name: string): void {
  try {
    const db = new Database(path)
    try {
      db.pragma('trusted_schema = OFF')
      db.pragma('cell_size_check = ON')
      if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok')
        throw new ArchiveRefused('database', name)
      const doubtful = db
        .prepare<[], { type: string; name: string; sql: string }>(
          `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') OR rootpage = 0`,
        )
        .all()
      for (const { type, name: called, sql } of doubtful) {
        if (type !== 'table') db.exec(`DROP ${type} "${called.replaceAll('"', '""')}"`)
        else if (!/^CREATE VIRTUAL TABLE \w+ USING fts5\s*\(/i.test(sql))
          throw new ArchiveRefused('database', name)
      }
      db.pragma('journal_mode = DELETE')
    } finally {
      db.close()
    }
  } catch (error) {
    throw error instanceof ArchiveRefused ? error : new ArchiveRefused('database', name, error)
  }
}
