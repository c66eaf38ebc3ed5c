import { rmSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { removal } from '../../system/file-moves.ts'
import { migrate } from './migrate.ts'
import type { StorePaths } from './paths.ts'

/**
 * Empties a database: every table is dropped and the schema made anew in one transaction, then the file is rewritten so that
 * nothing of the old content stays in free pages or in the log. Backups and quarantined files go too.
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
  // Before the file is rewritten, which takes its time: a crash must not leave copies of what was erased.
  rmSync(paths.backups, removal)
  rmSync(paths.quarantine, removal)
  db.exec('VACUUM')
  db.pragma('wal_checkpoint(TRUNCATE)')
}
