import Database from 'better-sqlite3'
import { openFile, openReadOnly } from './open-file.ts'
import { isDamage } from './sqlite-errors.ts'

/** Looks through a whole database (`quick_check`). Null when it is sound, else SQLite's first complaint. Blocks: for workers. */
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

/** Brings the log into the file as far as nobody reads from it, beside whoever writes. Blocks: for workers. */
export function checkpointLog(path: string): void {
  const db = new Database(path, { fileMustExist: true })
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
  } finally {
    db.close()
  }
}

/**
 * Makes a fresh copy a file of its own: out of WAL, so that it can be read later from a read-only disk and without side files,
 * then looks through it. Blocks: for workers.
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
