import { AppError } from '../../errors.ts'

/** Errors of SQLite, by the beginning of the result code; the first match counts. */
const table: readonly (readonly [
  head: string,
  make: (message: string, cause: unknown) => AppError,
])[] = [
  ['SQLITE_FULL', diskFull],
  // The shared-memory file could not grow: also a full disk, as reported for the WAL.
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

/** Returns the SQLite result code of an error (`SQLITE_BUSY_SNAPSHOT`), even from a worker; empty for any other error. */
function sqliteCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return ''
  return error.code.startsWith('SQLITE_') ? error.code : ''
}

/**
 * Whether the file itself is damaged or not a database, so that it must be quarantined. A page that the disk cannot read counts:
 * a failing disk never returns it again, and recovery saves everything else (it moves nothing if the whole disk is missing).
 */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|CORRUPTFS)$)/.test(sqliteCode(error))
}

/**
 * Converts an SQLite error to an AppError: DISK_FULL, READ_ONLY, DATABASE_BUSY or DATABASE_DAMAGED.
 * Any other error (an invalid statement, a violated constraint) is a bug or already an AppError and is returned unchanged.
 */
export function fromSqlite(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === '' || error instanceof AppError) return error
  const entry = table.find(([head]) => code.startsWith(head))
  return entry ? entry[1](code, error) : error
}

function diskFull(code: string, cause: unknown): AppError {
  return new AppError('DISK_FULL', `The disk with the library is full (${code})`, {
    retriable: true,
    cause,
  })
}

function damaged(code: string, cause: unknown): AppError {
  return new AppError('DATABASE_DAMAGED', `The library's database is damaged (${code})`, { cause })
}

function busy(code: string, cause: unknown): AppError {
  return new AppError(
    'DATABASE_BUSY',
    `Another program is using the library's database (${code})`,
    {
      retriable: true,
      cause,
    },
  )
}

function readOnly(code: string, cause: unknown): AppError {
  return new AppError('READ_ONLY', `The library's database is not writable (${code})`, { cause })
}
