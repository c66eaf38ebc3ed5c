import { rmSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { removal } from '../../system/file-moves.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { StorePaths } from '../platform/database/paths.ts'

/**
 * Empties a database: all tables are dropped and the schema recreated in one transaction, then the file is rewritten so that
 * no old content remains in free pages or the log. Backups and quarantined files are deleted too.
 */
export function eraseDatabase(db: Database.Database, paths: StorePaths): void {
  db.pragma('foreign_keys = OFF')
  try {
    db.transaction(() => {
      db.exec('DROP TABLE IF EXISTS search_text; DROP TABLE IF EXISTS message_text')
      const tables = db
        .prepare<[], { name: string }>(
          `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
        )
        .all()
      for (const { name } of tables) db.exec(`DROP TABLE "${name}"`)
      db.pragma('user_version = 0')
      migrate(db)
    }).immediate()
  } finally {
    db.pragma('foreign_keys = ON')
  }
  // Before rewriting the file, which takes a while: a crash must not leave copies of erased data.
  rmSync(paths.backups, removal)
  rmSync(paths.quarantine, removal)
  db.exec('VACUUM')
  db.pragma('wal_checkpoint(TRUNCATE)')
}
