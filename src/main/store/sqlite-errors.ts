import { AppError } from '../errors.ts'

/** What SQLite reports, by the head of its result code; the first match counts. */
const table: readonly (readonly [
  head: string,
  make: (message: string, cause: unknown) => AppError,
])[] = [
  ['SQLITE_FULL', diskFull],
  // The shared-memory file could not grow: the same full disk, seen from the WAL's side.
  ['SQLITE_IOERR_SHMSIZE', diskFull],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_BUSY', busy],
  ['SQLITE_LOCKED', busy],
  ['SQLITE_READONLY', readOnly],
  ['SQLITE_CANTOPEN', readOnly],
  ['SQLITE_PERM', readOnly],
  ['SQLITE_IOERR_READ', damaged],
  ['SQLITE_IOERR_SHORT_READ', damaged],
  ['SQLITE_IOERR_CORRUPTFS', damaged],
  ['SQLITE_IOERR', readOnly],
]

/** SQLite's result code of an error (`SQLITE_BUSY_SNAPSHOT`), also after it crossed from a worker; empty for any other error. */
export function sqliteCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return ''
  return error.code.startsWith('SQLITE_') ? error.code : ''
}

/**
 * True when the file itself is damaged or is no database, so that it must be set aside. A page that the disk does not give counts: a
 * dying disk never gives it again, and recovery takes everything else (it moves nothing when the whole disk is away).
 */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|CORRUPTFS)$)/.test(sqliteCode(error))
}

/**
 * The AppError for what SQLite threw: DISK_FULL, READ_ONLY, DATABASE_BUSY or DATABASE_DAMAGED.
 * Anything else (a broken statement, a violated constraint) is a bug or already an AppError and comes back as it is.
 */
export function fromSqlite(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === '' || error instanceof AppError) return error
  const entry = table.find(([head]) => code.startsWith(head))
  return entry ? entry[1](code, error) : error
}

function diskFull(code: string, cause: unknown): AppError {
  return new AppError('DISK_FULL', `The disk that holds the library is full (${code})`, {
    retriable: true,
    cause,
  })
}

function damaged(code: string, cause: unknown): AppError {
  return new AppError('DATABASE_DAMAGED', `The library's database is damaged (${code})`, { cause })
}

function busy(code: string, cause: unknown): AppError {
  return new AppError('DATABASE_BUSY', `Another program holds the library's database (${code})`, {
    retriable: true,
    cause,
  })
}

function readOnly(code: string, cause: unknown): AppError {
  return new AppError('READ_ONLY', `The library's database cannot be written (${code})`, { cause })
}
