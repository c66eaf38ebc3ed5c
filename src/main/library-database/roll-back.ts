import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AppError } from '../errors.ts'
import { moveFileSync, removal } from '../../system/file-moves.ts'
import { backupPath } from './backup.ts'
import { saveCopy, assertUsable, syncFile } from './backup-restore.ts'
import { supportedVersion, type Migration } from '../platform/database/migrate.ts'
import { openFile, openReadOnly, schemaVersion } from '../platform/database/open-file.ts'
import { fileBytes, storePaths, withSideFiles } from '../platform/database/paths.ts'

/**
 * Prepares a downgrade to an older version: a library migrated by a newer one is saved as a backup (`before-restore`), and
 * the backup made before the update replaces it unchanged. A library that this version can read stays, so that nothing is
 * lost. Returns whether the backup was restored. Throws if it cannot be used; then nothing was changed. Call it before the
 * store is opened.
 */
export function openRollBack(
  home: string,
  backup: string,
  now: number,
  migrations?: readonly Migration[],
): boolean {
  const paths = storePaths(home)
  const { database } = paths
  if ((fileBytes(database) ?? 0) === 0 || !isNewer(database, migrations)) return false
  const from = join(paths.backups, basename(backup))
  if (!existsSync(from)) throw new AppError('NOT_FOUND', 'The backup no longer exists')
  assertUsable(from, migrations)
  saveCopy(database, backupPath(paths, now, 'before-restore'))
  const next = `${database}.restoring`
  copyFileSync(from, next)
  syncFile(next)
  for (const side of withSideFiles(database).slice(1)) rmSync(side, removal)
  moveFileSync(next, database)
  return true
}

/**
 * Returns whether the library is of a newer version. Also merges a remaining log into the file, since its copy must contain
 * everything.
 */
function isNewer(database: string, migrations: readonly Migration[] | undefined): boolean {
  const supported = supportedVersion(migrations)
  const opened = openReadOnly(database)
  try {
    if (schemaVersion(opened) <= supported) return false
  } finally {
    opened.close()
  }
  const db = openFile(database)
  try {
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  return true
}
