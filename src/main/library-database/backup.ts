import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type Database from 'better-sqlite3'
import { moveFileSync, removal } from '../../system/file-moves.ts'
import { AppError } from '../errors.ts'
import type { Clock } from '../deps.ts'
import { systemCode } from '../../system/system-code.ts'
import { openReadOnly } from '../platform/database/open-file.ts'
import {
  fileBytes,
  fileStamp,
  privateFile,
  privateFolder,
  withSideFiles,
  type StorePaths,
} from '../platform/database/paths.ts'

/** Number of daily backups to keep. */
const savedCopies = 2
const day = 24 * 60 * 60 * 1000
/**
 * Number of copies to keep per label, regardless of age: a wrong clock must not make them appear old. Manual copies are
 * only removed manually.
 */
const maxPerReason = 5
const namePattern =
  /^library-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})(?:-(by-hand|before-update|before-import|before-restore))?\.db$/

/** Reason for a copy that is not a daily backup. */
export type BackupLabel = 'by-hand' | 'before-update' | 'before-import' | 'before-restore'

/** A finished backup. */
export interface Backup {
  readonly path: string
  /** Unix milliseconds. */
  readonly at: number
  readonly bytes: number
  /** Null for daily backups and those before migrations. */
  readonly label: BackupLabel | null
}

/** Returns the first error of a database file, or null; runs outside the main thread. */
export type Check = (path: string) => Promise<string | null>

/**
 * Lists the backups in a folder, newest first, without unfinished ones. Backups dated more than a day after `now` were
 * made with a wrong clock: their age is unknown, so they are last.
 */
export function listBackups(folder: string, now: number): readonly Backup[] {
  const all = names(folder)
    .flatMap((name) => {
      const match = namePattern.exec(name)
      if (!match) return []
      const [, year, month, date, hour, minute, second, ms, label] = match
      const at = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}.${ms}Z`)
      const path = join(folder, name)
      const made = { path, at, bytes: statSync(path).size }
      return [{ ...made, label: (label as BackupLabel | undefined) ?? null }]
    })
    .toSorted((a, b) => b.at - a.at)
  const isDated = ({ at }: Backup): boolean => at <= now + day
  return [...all.filter(isDated), ...all.filter((backup) => !isDated(backup))]
}

/** Returns the path of a copy made at `at` (Unix ms). */
export const backupPath = (paths: StorePaths, at: number, label?: BackupLabel): string =>
  join(paths.backups, `library-${fileStamp(at)}${label ? `-${label}` : ''}.db`)

/**
 * Returns true if the newest backup is a day old or there is none, so that `backup()` should be called when the app is
 * idle. A backup from a clock that was turned back does not count; the next one does, so that the wrong date costs a
 * single copy.
 */
export function dueForBackup(backupsFolder: string, now: number): boolean {
  const newest = listBackups(backupsFolder, now)[0]
  return !newest || Math.abs(now - newest.at) >= day
}

/**
 * Copies an open database, a hundred pages at a time so that the main thread stays responsive, checks the copy, and
 * renames it only if it is intact. The two newest stay. Throws errors of SQLite or the file system, or an AppError; no
 * partial copy is left.
 */
export async function makeBackup(
  db: Database.Database,
  options: {
    readonly paths: StorePaths
    readonly clock: Clock
    /** Finishes the copy and checks it. */
    readonly settle: Check
    /** Cancels the copy; its file is deleted immediately. */
    readonly signal?: AbortSignal
    readonly label?: BackupLabel | undefined
    /** Returns the names of copies that stay regardless of their age and number. */
    neededBackups(): readonly string[]
  },
): Promise<string> {
  const { paths, clock, settle, signal, label } = options
  privateFolder(paths.backups)
  // A clock that stands still or was turned back must not give a copy another's name or the oldest position.
  const now = clock()
  const newest = listBackups(paths.backups, now)[0]?.at ?? 0
  const at = Math.max(now, newest < now + day ? newest + 1 : 0)
  const path = backupPath(paths, at, label)
  const partial = `${path}.partial`
  const discardPartial = (): void => withSideFiles(partial).forEach(discard)
  signal?.addEventListener('abort', discardPartial, { once: true })
  try {
    privateFile(partial)
    await db.backup(partial, {
      progress: () => {
        if (signal?.aborted)
          throw new AppError('CANCELLED', 'The backup was stopped', { retriable: true })
        return 100
      },
    })
    const trouble = await settle(partial)
    if (trouble !== null) throw new AppError('DATABASE_DAMAGED', `The copy is damaged: ${trouble}`)
    await sync(partial)
    moveFileSync(partial, path)
  } catch (error) {
    discardPartial()
    throw error
  } finally {
    signal?.removeEventListener('abort', discardPartial)
  }
  pruneBackups(paths.backups, path, now, options.neededBackups())
  return path
}

/**
 * Removes all but the two newest backups, of which `made` is always one, and leftovers of interrupted copies. If those
 * contain no items, the last one that does stays too: a library that was lost and started again must not cost its only
 * copy. Copies in `needed` (by name) stay and are not counted.
 */
export function pruneBackups(
  folder: string,
  made: string,
  now: number,
  needed: readonly string[] = [],
): void {
  const all = listBackups(folder, now).filter(
    ({ path }) => path === made || !needed.includes(basename(path)),
  )
  const labelled = all.filter(({ label }) => label !== null)
  for (const same of Object.values(Object.groupBy(labelled, ({ label }) => label ?? '')))
    for (const old of (same ?? []).slice(maxPerReason))
      if (old.path !== made && old.label !== 'by-hand') rmSync(old.path, removal)
  if (labelled.some(({ path }) => path === made)) return removeUnfinished(folder)
  const others = all.filter(({ path, label }) => path !== made && label === null)
  const [newest, older] = [others.slice(0, savedCopies - 1), others.slice(savedCopies - 1)]
  const spared = [made, ...newest.map(({ path }) => path)].some(holdsItems)
    ? undefined
    : older.find(({ path }) => holdsItems(path))
  for (const old of older) if (old !== spared) rmSync(old.path, removal)
  removeUnfinished(folder)
}

function removeUnfinished(folder: string): void {
  for (const name of names(folder))
    if (name.includes('.partial')) rmSync(join(folder, name), removal)
}

/**
 * Deletes a file that may still be read or flushed: empties it first, so that a check of it ends and nothing is left to
 * flush.
 */
function discard(path: string): void {
  if (fileBytes(path) === null) return
  try {
    truncateSync(path)
    rmSync(path, removal)
  } catch {
    // Windows locks an open file; the next backup removes it.
  }
}

function holdsItems(path: string): boolean {
  try {
    const db = openReadOnly(path)
    try {
      return db.prepare('SELECT 1 FROM items LIMIT 1').get() !== undefined
    } finally {
      db.close()
    }
  } catch {
    // Not readable, so it is not a usable copy.
    return false
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
