import { closeSync, constants, copyFileSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { moveFileSync, removal } from '../../system/file-moves.ts'
import type { BackupInspection } from '../../shared/model/archive.ts'
import { AppError } from '../errors.ts'
import { resetPendingInBackup } from '../domains/library/archive/archive-migrate.ts'
import { sideBySide } from '../domains/library/archive/archive-compare.ts'
import type { Mark } from '../domains/library/archive/archive-merge.ts'
import { checkDatabase, settleCopy } from '../platform/database/check.ts'
import { migrate, pending, supportedVersion, type Migration } from '../platform/database/migrate.ts'
import { openReadOnly, schemaVersion } from '../platform/database/open-file.ts'
import { withSideFiles } from '../platform/database/paths.ts'
import { tables } from '../platform/database/schema.ts'

/** Maximum number of titles shown for a backup. */
const shown = 5

/**
 * Inspects a backup without changing anything. Throws DATABASE_DAMAGED, DATABASE_FROM_FUTURE or DATABASE_TOO_OLD. Blocks: for workers.
 */
export function inspectBackup(backup: string, database: string): Omit<BackupInspection, 'backup'> {
  assertUsable(backup)
  const db = openReadOnly(backup)
  try {
    const now = openReadOnly(database)
    try {
      const { kinds, onlyThere, onlyHere } = sideBySide(db, now, { without: ['note', 'summary'] })
      return {
        kinds: kinds.map(({ kind, there, here }) => ({ kind, there, here })),
        onlyThere,
        onlyHere,
        newest: db
          .prepare<[number], BackupInspection['newest'][number]>(
            `SELECT id, kind, title, created_at AS at FROM items WHERE deleted_at IS NULL AND kind <> 'temporary'
             ORDER BY created_at DESC, seq DESC LIMIT ?`,
          )
          .all(shown),
      }
    } finally {
      now.close()
    }
  } finally {
    db.close()
  }
}

/** Throws if a backup cannot replace the library. */
export function assertUsable(backup: string, steps?: readonly Migration[]): void {
  const trouble = checkDatabase(backup)
  if (trouble !== null) throw new AppError('DATABASE_DAMAGED', `The backup is damaged: ${trouble}`)
  const db = openReadOnly(backup)
  try {
    if (schemaVersion(db) > supportedVersion(steps))
      throw new AppError('DATABASE_FROM_FUTURE', 'The backup was made by a newer version')
    pending(db, steps)
  } finally {
    db.close()
  }
}

/**
 * Replaces the library's database with a backup; it must be closed and checkpointed. Accounts and settings stay as they
 * are now. The last step is a single rename: a crash leaves the old library or the new one. Blocks: for workers.
 */
export function restoreBackup(
  database: string,
  backup: string,
  { mark, keepAs }: { readonly mark: Mark; readonly keepAs: string },
): void {
  assertUsable(backup)
  saveCopy(database, keepAs)
  const next = `${database}.restoring`
  const remove = (): void => withSideFiles(next).forEach((path) => rmSync(path, removal))
  remove()
  try {
    copyFileSync(backup, next)
    const db = new Database(next)
    try {
      migrate(db)
      db.prepare('ATTACH ? AS here').run(database)
      db.transaction(() => {
        for (const { name, staysOnRestore } of tables)
          if (staysOnRestore)
            db.exec(`DELETE FROM main.${name}; INSERT INTO main.${name} SELECT * FROM here.${name}`)
        resetPendingInBackup(db)
        db.prepare('INSERT OR REPLACE INTO main.take_ins(id, at, file) VALUES (?, ?, ?)').run(
          mark.id,
          mark.at,
          mark.file,
        )
      })()
      db.exec('DETACH here')
      db.pragma('journal_mode = DELETE')
    } finally {
      db.close()
    }
    syncFile(next)
    for (const side of withSideFiles(database).slice(1)) rmSync(side, removal)
    moveFileSync(next, database)
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Saves a checked copy of a closed database before it is changed, so that it can be restored. Throws if it is damaged.
 */
export function saveCopy(database: string, keepAs: string): void {
  const partial = `${keepAs}.partial`
  mkdirSync(dirname(keepAs), { recursive: true, mode: 0o700 })
  try {
    copyFileSync(database, partial, constants.COPYFILE_FICLONE)
    const trouble = settleCopy(partial)
    if (trouble !== null) throw new AppError('DATABASE_DAMAGED', `The copy is damaged: ${trouble}`)
    syncFile(partial)
    moveFileSync(partial, keepAs)
  } finally {
    for (const path of withSideFiles(partial)) rmSync(path, removal)
  }
}

/** Flushes a file to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
