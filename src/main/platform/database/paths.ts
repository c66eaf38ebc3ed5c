import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { removal } from '../../../system/file-moves.ts'
import { systemCode } from '../../../system/system-code.ts'

/** Paths of the store's files below the data folder. */
export interface StorePaths {
  readonly home: string
  readonly database: string
  readonly backups: string
  /** Quarantined damaged databases, never deleted except by `erase`. */
  readonly quarantine: string
  /** Vector indexes: copies of database content, rebuilt when missing. */
  readonly vectors: string
}

/** Returns the store's paths below `home`. */
export function storePaths(home: string): StorePaths {
  return {
    home,
    database: join(home, 'library.db'),
    backups: join(home, 'backups'),
    quarantine: join(home, 'quarantine'),
    vectors: join(home, 'vectors'),
  }
}

/** Returns the files of one database: itself, its write-ahead log and the log's index. */
export const withSideFiles = (database: string): readonly string[] => [
  database,
  `${database}-wal`,
  `${database}-shm`,
]

/** Returns the size of a file in bytes, or null when there is none. */
export function fileBytes(path: string): number | null {
  try {
    return statSync(path).size
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null
    throw error
  }
}

/** Creates a folder that only its owner can access. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
}

/** Creates an empty file that only its owner can read; SQLite gives a database's side files the same mode. */
export function privateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

/**
 * Removes files that would mislead SQLite at a first start: an empty main file (a crash before the first write) and the index
 * of a log. Side files of a real database stay, since they contain commits. Call it only when nothing is lost (`isLost`).
 */
export function removeStrays(database: string): void {
  if ((fileBytes(database) ?? 0) > 0) return
  for (const path of withSideFiles(database)) rmSync(path, removal)
}

/** Formats a time for file names, sortable: `20260131T095959123`. */
export const fileStamp = (at: number): string => new Date(at).toISOString().replace(/[-:.Z]/g, '')
