import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { AppError } from '../errors.ts'
import type { Clock } from '../deps.ts'
import { systemCode } from './file-errors.ts'
import { openForReading } from './open-file.ts'
import { fileStamp, privateFile, privateFolder, withSideFiles, type StorePaths } from './paths.ts'

/** Copies kept. */
const kept = 2
const day = 24 * 60 * 60 * 1000
const namePattern = /^library-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})\.db$/

/** A finished backup. */
export interface Backup {
  readonly path: string
  /** Unix milliseconds. */
  readonly at: number
  readonly bytes: number
}

/** Finds the first complaint about a database file, or null; runs beside the main thread. */
export type Check = (path: string) => Promise<string | null>

/** Backups in a folder, newest first. Unfinished ones are not among them. */
export function listBackups(folder: string): readonly Backup[] {
  return names(folder)
    .flatMap((name) => {
      const match = namePattern.exec(name)
      if (!match) return []
      const [, year, month, date, hour, minute, second, ms] = match
      const at = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}.${ms}Z`)
      const path = join(folder, name)
      return [{ path, at, bytes: statSync(path).size }]
    })
    .toSorted((a, b) => b.at - a.at)
}

/** True when the newest backup is older than a day, or there is none: the moment to call `backup()` when the app is idle. */
export function dueForBackup(backupsFolder: string, now: number): boolean {
  const newest = listBackups(backupsFolder)[0]
  // A backup from the future means that the clock was turned back; it says nothing about today.
  return !newest || newest.at > now || now - newest.at >= day
}

/**
 * Copies an open database, a hundred pages at a time so that the main thread stays free, looks through the copy and gives it its name
 * only when it is sound. The two newest stay. Throws SQLite's, the file system's or an AppError; no half copy is left.
 */
export async function makeBackup(
  db: Database.Database,
  options: {
    readonly paths: StorePaths
    readonly clock: Clock
    /** Finishes the copy and looks through it. */
    readonly settle: Check
    readonly stopped: () => boolean
  },
): Promise<string> {
  const { paths, clock, settle, stopped } = options
  privateFolder(paths.backups)
  // A clock that stands still or was turned back must not let a copy take another's name or the oldest place.
  const newest = listBackups(paths.backups)[0]?.at ?? 0
  const at = Math.max(clock(), newest < clock() + day ? newest + 1 : 0)
  const path = join(paths.backups, `library-${fileStamp(at)}.db`)
  const partial = `${path}.partial`
  try {
    privateFile(partial)
    await db.backup(partial, {
      progress: () => {
        if (stopped())
          throw new AppError('CANCELLED', 'The backup was stopped', { retriable: true })
        return 100
      },
    })
    const trouble = await settle(partial)
    if (trouble !== null)
      throw new AppError('DATABASE_DAMAGED', `The copy is not sound: ${trouble}`)
    await sync(partial)
    renameSync(partial, path)
  } catch (error) {
    for (const each of withSideFiles(partial)) rmSync(each, { force: true })
    throw error
  }
  prune(paths.backups)
  return path
}

/**
 * Removes all but the newest, and whatever an interrupted copy left. When the newest hold no items, the last one that does stays too:
 * a library that was lost and begun anew must not cost its only copy.
 */
export function prune(folder: string): void {
  const all = listBackups(folder)
  const [newest, older] = [all.slice(0, kept), all.slice(kept)]
  const spared = newest.some(holdsItems) ? undefined : older.find(holdsItems)
  for (const old of older) if (old !== spared) rmSync(old.path, { force: true })
  for (const name of names(folder))
    if (name.includes('.partial')) rmSync(join(folder, name), { force: true })
}

function holdsItems(backup: Backup): boolean {
  try {
    const db = openForReading(backup.path)
    try {
      return db.prepare('SELECT 1 FROM items LIMIT 1').get() !== undefined
    } finally {
      db.close()
    }
  } catch {
    // Not to be read: no copy of anything.
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
