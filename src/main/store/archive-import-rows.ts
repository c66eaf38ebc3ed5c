import Database from 'better-sqlite3'
import { AppError } from '../errors.ts'
import { compareArchive } from './archive-compare.ts'
import { mergeLibrary, type MergeCounts } from './archive-merge.ts'
import { prepareForWriting } from './open-file.ts'
import { fileBytes, withSideFiles } from './paths.ts'

/** What a library keeps of an archive that was taken in. */
export interface Mark {
  readonly id: string
  /** Unix milliseconds. */
  readonly at: number
  /** The archive's name. */
  readonly file: string
}

/** Takes the rows of an unpacked database into the library's, which nobody else has open; gives what came, by kind. Blocks: for workers. */
export function mergeArchive(database: string, from: string, mark: Mark): MergeCounts {
  const { kinds } = compareArchive(database, from)
  const db = new Database(database, { fileMustExist: true })
  try {
    prepareForWriting(db)
    // What a stranger's schema says was judged already; its functions are believed no more for that.
    db.pragma('trusted_schema = OFF')
    db.prepare('ATTACH ? AS src').run(from)
    mergeLibrary(db, { mark })
    db.exec('DETACH src')
    return kinds
  } finally {
    db.close()
  }
}

/** Whether the library has taken in the archive of this mark. */
export function hasImported(database: string, id: string): boolean {
  return withDatabase(
    database,
    (db) => db.prepare('SELECT 1 FROM take_ins WHERE id = ?').get(id) !== undefined,
    false,
  )
}

/** Those of the media that the library does not know. */
export const unknownMedia = (database: string, ids: readonly string[]): readonly string[] =>
  unknown(database, 'media', ids)
/** Those of the items that the library does not know. */
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
    // No library, no item that could use them; a damaged one is mended first, and asked at the next start.
    fileBytes(database) === null ? ids : [],
  )
}

function withDatabase<T>(database: string, work: (db: Database.Database) => T, otherwise: T): T {
  if (fileBytes(database) === null) return otherwise
  // For writing: a log that was not checkpointed can only be read so.
  const db = new Database(database, { fileMustExist: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Brings the log into a database that was closed, so that the file is all of it. Throws DATABASE_BUSY while anybody has it open. */
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
