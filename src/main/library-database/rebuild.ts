import {
  closeSync,
  copyFileSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type Database from 'better-sqlite3'
import { moveFileSync, removal } from '../../system/file-moves.ts'
import { AppError } from '../errors.ts'
import { copyReadable } from '../platform/database/copy-readable.ts'
import {
  migrate,
  migrations,
  supportedVersion,
  type Migration,
} from '../platform/database/migrate.ts'
import { openFile, prepareForWriting, schemaVersion } from '../platform/database/open-file.ts'
import { fileBytes, withSideFiles } from '../platform/database/paths.ts'
import { salvage } from './salvage.ts'
import { rebuildSearch } from '../domains/library/store/search-rebuild.ts'

/** Sources and target of a new database. */
export interface Rebuild {
  readonly damaged: string
  /** An intact backup, or null. */
  readonly backup: string | null
  /** Path of the result: complete or not written at all. */
  readonly target: string
}

/** Result: rows read from the damaged file, and the newest item's modification time (Unix ms). */
export interface Rebuilt {
  readonly rows: number
  readonly newest: number | null
}

/**
 * Builds an intact database at `target`: the backup's rows (or none), everything still readable in the damaged file, and a
 * new search index. The damaged file is only copied. Blocks until done: for workers.
 */
export function rebuildDatabase(rebuild: Rebuild): Rebuilt {
  const building = `${rebuild.target}.building`
  remove(building)
  try {
    if (rebuild.backup) copyFileSync(rebuild.backup, building)
    const rebuilt = build(rebuild.damaged, building, `${rebuild.target}.copy`)
    moveFileSync(building, rebuild.target)
    return rebuilt
  } catch (error) {
    remove(building)
    throw error
  }
}

function build(damaged: string, building: string, copy: string): Rebuilt {
  const db = openFile(building)
  try {
    if (schemaVersion(db) > supportedVersion())
      throw new AppError('DATABASE_FROM_FUTURE', 'The backup was made by a newer version')
    prepareForWriting(db)
    const rows = salvageFrom(damaged, copy, db)
    migrate(db)
    rebuildSearch(db)
    const newest = db
      .prepare<[], { newest: number | null }>('SELECT max(updated_at) AS newest FROM items')
      .get()
    db.pragma('wal_checkpoint(TRUNCATE)')
    return { rows, newest: newest?.newest ?? null }
  } finally {
    db.close()
    remove(copy)
  }
}

/**
 * Reads from a copy: opening a database whose log had no checkpoint changes it, and the damaged file is evidence.
 */
function salvageFrom(damaged: string, copy: string, into: Database.Database): number {
  remove(copy)
  for (const [index, path] of withSideFiles(damaged).entries()) {
    // The log's index is rebuilt from the log.
    if (!path.endsWith('-shm') && fileBytes(path) !== null)
      copyReadable(path, withSideFiles(copy)[index] ?? copy)
  }
  if ((fileBytes(copy) ?? 0) === 0 && !makeRoomForLog(copy)) return 0
  padToSize(copy)
  let source: Database.Database
  try {
    source = openFile(copy)
  } catch {
    // No longer a database: nothing in it can be read.
    return 0
  }
  try {
    migrate(into, stepsTo(source))
    return salvage(source, into)
  } finally {
    source.close()
  }
}

/** The steps to the schema of a damaged database: its rows are read as they were written, and migrated afterwards. */
function stepsTo(source: Database.Database): readonly Migration[] {
  try {
    const version = schemaVersion(source)
    const steps = migrations.filter((step) => step.version <= version)
    return steps.length > 0 ? steps : migrations
  } catch {
    return migrations
  }
}

/**
 * Extends a truncated file to the length in its header (page size at byte 16, page count at 28): SQLite refuses to open it
 * otherwise, while empty pages at its end are damage like any other.
 */
function padToSize(path: string): void {
  const header = Buffer.alloc(32)
  const file = openSync(path, 'r')
  const read = readSync(file, header, 0, header.length, 0)
  closeSync(file)
  if (read < header.length || !header.toString('latin1').startsWith('SQLite format 3')) return
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expected = pageSize * header.readUInt32BE(28)
  const bytes = fileBytes(path) ?? 0
  // A corrupt header may specify terabytes: then nothing is padded and nothing can be read.
  if (expected > bytes && expected < bytes * 100 + 2 ** 30) truncateSync(path, expected)
}

/**
 * If only the log is left, makes its pages readable behind an empty first page (SQLite would delete the log of an empty
 * file). The log's header: magic number at byte 0, page size at 8. Returns false if there is no log.
 */
function makeRoomForLog(path: string): boolean {
  const log = `${path}-wal`
  if ((fileBytes(log) ?? 0) < 32) return false
  const header = Buffer.alloc(32)
  const file = openSync(log, 'r')
  readSync(file, header, 0, header.length, 0)
  closeSync(file)
  const pageSize = header.readUInt32BE(8)
  const isLog = header.readUInt32BE(0) >>> 1 === 0x377f0682 >>> 1
  if (!isLog || pageSize < 512 || pageSize > 65_536) return false
  writeFileSync(path, Buffer.alloc(pageSize), { mode: 0o600 })
  return true
}

function remove(path: string): void {
  for (const each of withSideFiles(path)) rmSync(each, removal)
}
