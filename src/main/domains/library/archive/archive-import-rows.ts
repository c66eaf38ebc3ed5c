import Database from 'better-sqlite3'
import { AppError } from '../../../errors.ts'
import { compareArchive } from './archive-compare.ts'
import { mergeLibrary, type MergeCounts } from './archive-merge.ts'
import { prepareForWriting } from '../../../platform/database/open-file.ts'
import { fileBytes, withSideFiles } from '../../../platform/database/paths.ts'

/** Record of an imported archive in the library. */
export interface Mark {
  readonly id: string
  /** Unix milliseconds. */
  readonly at: number
  /** Name of the archive. */
  readonly file: string
}

/**
 * Merges the rows of an unpacked database into the library's, which no one else has open; returns the counts by kind.
 * Blocks: for workers.
 */
export function mergeArchive(database: string, from: string, mark: Mark): MergeCounts {
  const { kinds } = compareArchive(database, from)
  const db = new Database(database, { fileMustExist: true })
  try {
    prepareForWriting(db)
    // The foreign schema was validated already, but its functions are still not trusted.
    db.pragma('trusted_schema = OFF')
    db.prepare('ATTACH ? AS src').run(from)
    mergeLibrary(db, { mark })
    db.exec('DETACH src')
    return kinds
  } finally {
    db.close()
  }
}

/** Returns whether the library has imported the archive of this mark. */
export function hasImported(database: string, id: string): boolean {
  return withDatabase(
    database,
    (db) => db.prepare('SELECT 1 FROM take_ins WHERE id = ?').get(id) !== undefined,
    false,
  )
}

/** Returns the media that the library does not contain. */
export const unknownMedia = (database: string, ids: readonly string[]): readonly string[] =>
  unknown(database, 'media', ids)
/** Returns the items that the library does not contain. */
export const unknownItems = (database: string, ids: readonly string[]): readonly string[] =>
  unknown(database, 'items', ids)

function unknown(
  database: string,
  table: 'media' | 'items',
  ids: readonly string[],
): readonly string[] {
  return withDatabase(
    database,
    (db) => {
      const known = db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`)
      return ids.filter((id) => known.get(id) === undefined)
    },
    // Without a library, no item can use them; a damaged one is repaired first and checked at the next start.
    fileBytes(database) === null ? ids : [],
  )
}

function withDatabase<T>(database: string, work: (db: Database.Database) => T, otherwise: T): T {
  if (fileBytes(database) === null) return otherwise
  // Opened for writing, because a WAL that was not checkpointed can be read only that way.
  const db = new Database(database, { fileMustExist: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/**
 * Checkpoints the WAL of a closed database, so that the file is complete. Throws DATABASE_BUSY while it is open
 * elsewhere.
 */
export function makeWhole(database: string): void {
  const db = new Database(database, { fileMustExist: true })
  try {
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  const [, log = ''] = withSideFiles(database)
  if ((fileBytes(log) ?? 0) > 0)
    throw new AppError('DATABASE_BUSY', 'The library is still in use', { retriable: true })
}
