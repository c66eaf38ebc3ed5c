import Database from 'better-sqlite3'
import { openFile, openReadOnly } from './open-file.ts'
import { isDamage } from './sqlite-errors.ts'

/**
 * Checks a whole database (`quick_check`). Returns null if it is intact, otherwise SQLite's first error. Blocks: for
 * workers.
 */
export function checkDatabase(path: string): string | null {
  try {
    const db = openReadOnly(path)
    try {
      const result = db.pragma('quick_check(1)', { simple: true })
      return result === 'ok' ? null : String(result)
    } finally {
      db.close()
    }
  } catch (error) {
    if (isDamage(error) && error instanceof Error) return error.message
    throw error
  }
}

/** Checkpoints the WAL as far as no one reads from it, concurrently with writers. Blocks: for workers. */
export function checkpointLog(path: string): void {
  const db = new Database(path, { fileMustExist: true })
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
  } finally {
    db.close()
  }
}

/**
 * Makes a new copy self-contained (not in WAL mode, so that it can be read later from a read-only disk and without side
 * files), then checks it. Blocks: for workers.
 */
export function settleCopy(path: string): string | null {
  const db = openFile(path)
  try {
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
  return checkDatabase(path)
}
