import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { StorageNotice } from '../../shared/contract/app.ts'
import { removal } from '../../system/file-moves.ts'
import type { Clock, Log } from '../deps.ts'
import { AppError, toFailure } from '../errors.ts'
import type { SearchWorkerData } from '../workers/search.ts'
import { makeBackup } from './backup.ts'
import { fromFileSystem } from '../platform/database/file-errors.ts'
import {
  isBeforeFirst,
  migrate,
  pending,
  supportedVersion,
  type Migration,
} from '../platform/database/migrate.ts'
import {
  openFile,
  openReadOnly,
  readOnly,
  prepareForWriting,
  schemaVersion,
} from '../platform/database/open-file.ts'
import { fileBytes, privateFolder, removeStrays } from '../platform/database/paths.ts'
import { finishRecovery, isLost, recover, type RecoveryDeps } from './recovery.ts'
import { fromSqlite, isDamage } from '../platform/database/sqlite-errors.ts'

/** An open database and the state it was found in. */
export interface Opened {
  readonly db: Database.Database
  readonly writable: boolean
  readonly notice: StorageNotice
  /** The file that searches read; null when there is none. */
  readonly search: SearchWorkerData | null
  /** Removes files that opening created next to the database; call it after closing. */
  dispose(): void
}

export interface OpeningDeps extends RecoveryDeps {
  readonly clock: Clock
  readonly log: Log
  readonly migrations: readonly Migration[]
  /** The file was found damaged while in use, even if it can be opened: repair it before opening. */
  readonly knownDamaged?: boolean
  /** The version that opens the file: one last written by another version is copied first. */
  readonly appVersion?: string
  /** Names of backups that are never pruned. */
  neededBackups(): readonly string[]
}

/**
 * Opens the library's database in any state: intact, missing, lost, damaged, from a newer version, on a read-only disk.
 * Throws DATABASE_BUSY when another program has locked it; otherwise returns a store that can at least be read.
 */
export async function openDatabase(deps: OpeningDeps): Promise<Opened> {
  try {
    privateFolder(deps.paths.home)
    finishRecovery(deps.paths, deps.clock, deps.log)
    const lost = isLost(deps.paths)
    if (!lost) removeStrays(deps.paths.database)
    return await openOrRecover(deps, lost || deps.knownDamaged === true)
  } catch (error) {
    const failure = fromSqlite(fromFileSystem(error))
    if (failure instanceof AppError && failure.code === 'DATABASE_BUSY') throw failure
    if (!(failure instanceof AppError))
      deps.log.error('The database is not writable', describe(error))
    return openForInspection(deps, failure)
  }
}

async function openOrRecover(deps: OpeningDeps, broken: boolean): Promise<Opened> {
  try {
    if (!broken) return await openAudio(deps)
  } catch (error) {
    // The copy before a migration is checked, and the file is as damaged as its copy.
    const isCopyDamaged = error instanceof AppError && error.code === 'DATABASE_DAMAGED'
    if (!isDamage(error) && !isCopyDamaged) throw error
    deps.log.warn('The database cannot be opened', describe(error))
  }
  const notice = await recover(deps)
  return { ...(await openAudio(deps)), notice }
}

async function openAudio(deps: OpeningDeps): Promise<Opened> {
  const path = deps.paths.database
  const db = openFile(path)
  const rest = { search: { path }, dispose: nothing }
  try {
    const version = schemaVersion(db)
    const supported = supportedVersion(deps.migrations)
    if (version > supported) {
      // Opened for writing anyway: a log without a checkpoint can only be read this way. Nothing is written.
      db.pragma('query_only = ON')
      return { db, writable: false, notice: { state: 'from-future', version, supported }, ...rest }
    }
    const steps = pending(db, deps.migrations)
    prepareForWriting(db)
    await migrateLibrary(db, version, steps, deps)
    writeFact(db, 'app', deps.appVersion)
    return { db, writable: true, notice: { state: 'ok' }, ...rest }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Runs missing migrations, after a verified copy of a database with content. Without a copy there is no migration.
 */
async function migrateLibrary(
  db: Database.Database,
  version: number,
  steps: readonly Migration[],
  deps: OpeningDeps,
): Promise<void> {
  const isUpdate = hasNewOwner(db, version, deps.appVersion)
  if (steps.length === 0 && isUpdate) await copyBeforeUpdate(db, deps)
  if (steps.length === 0) return
  if (version > 0) await makeBackup(db, { ...deps, ...(isUpdate && { label: 'before-update' }) })
  migrate(db, steps)
}

/** Returns whether another version of Lectern last wrote to this library, if recorded. */
function hasNewOwner(
  db: Database.Database,
  version: number,
  appVersion: string | undefined,
): boolean {
  if (version === 0 || appVersion === undefined) return false
  const last = fact(db, 'app')
  return last !== undefined && last !== appVersion
}

/**
 * Copies the library before an update. An update without a schema change must not prevent the start: a failed copy is only
 * logged.
 */
async function copyBeforeUpdate(db: Database.Database, deps: OpeningDeps): Promise<void> {
  try {
    await makeBackup(db, { ...deps, label: 'before-update' })
  } catch (error) {
    deps.log.warn('No backup was made before the update', describe(error))
  }
}

/**
 * Opens the database as it is for reading; an empty one in memory when even that fails, or when it was written by a test
 * version.
 */
function openForInspection(deps: OpeningDeps, failure: unknown): Opened {
  const notice: StorageNotice = { state: 'read-only', error: toFailure(failure, deps.clock()) }
  const shared = { writable: false, notice }
  const isTooOld = failure instanceof AppError && failure.code === 'DATABASE_TOO_OLD'
  if (!isTooOld && (fileBytes(deps.paths.database) ?? 0) > 0) {
    for (const open of [openInPlace, openCopy]) {
      const found = attempt(() => open(deps.paths.database))
      if (found && isUsable(schemaVersion(found.db))) {
        return { ...found, ...shared }
      }
      found?.db.close()
      found?.dispose()
    }
  }
  const db = new Database(':memory:')
  migrate(db, deps.migrations)
  db.pragma('query_only = ON')
  return { db, search: null, dispose: nothing, ...shared }
}

const isUsable = (version: number): boolean => version > 0 && !isBeforeFirst(version)

type Found = Pick<Opened, 'db' | 'search' | 'dispose'>

const nothing = (): void => undefined

const openInPlace = (path: string): Found => ({
  db: openReadOnly(path),
  search: { path },
  dispose: nothing,
})

/**
 * Opens a private copy. SQLite reads a database under WAL only if it can create the log's index, which a read-only folder
 * does not allow.
 */
function openCopy(path: string): Found {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'))
  const dispose = (): void => rmSync(folder, removal)
  try {
    const copy = join(folder, 'library.db')
    for (const side of ['', '-wal']) {
      if (fileBytes(path + side) === null) continue
      copyFileSync(path + side, copy + side)
      // A copy has the mode of its source, which may forbid writing.
      chmodSync(copy + side, 0o600)
    }
    const db = openFile(copy)
    readOnly(db)
    return { db, search: { path: copy }, dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

/** Returns null if the file cannot be opened this way: damaged, inaccessible, or no room for a copy. */
function attempt(open: () => Found): Found | null {
  try {
    return open()
  } catch (error) {
    const failure = fromSqlite(fromFileSystem(error))
    if (failure instanceof AppError) return null
    throw error
  }
}

const describe = (error: unknown) => ({ error: String(error) })

const hasFacts = (db: Database.Database): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'library_facts'`).get() !== undefined

/** Returns a metadata value of the library by key; undefined when there is none or the schema is older. */
function fact(db: Database.Database, key: string): string | undefined {
  if (!hasFacts(db)) return undefined
  return db
    .prepare<[string], { value: string }>('SELECT value FROM library_facts WHERE key = ?')
    .get(key)?.value
}

/** Saves a metadata value if it changed. */
function writeFact(db: Database.Database, key: string, value: string | undefined): void {
  if (value === undefined || !hasFacts(db) || fact(db, key) === value) return
  db.prepare('INSERT OR REPLACE INTO library_facts(key, value) VALUES (?, ?)').run(key, value)
}
