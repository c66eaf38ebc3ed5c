import type Database from 'better-sqlite3'
import { AppError } from '../errors.ts'
import { fromSqlite, isDamage } from './sqlite-errors.ts'

/** A value SQLite can bind. */
export type Value = string | number | bigint | Uint8Array | null

/**
 * The one way to the database: cached statements, SQLite's errors turned into AppErrors, writes refused when they cannot be kept.
 * The file behind it can be exchanged while the app runs (a damaged one for its repaired copy); aggregates never notice.
 */
export interface Connection {
  readonly writable: boolean
  get<Row>(sql: string, ...values: Value[]): Row | undefined
  all<Row>(sql: string, ...values: Value[]): Row[]
  /** Returns the rows changed and the last row number. */
  run(sql: string, ...values: Value[]): { readonly changes: number; readonly lastId: number }
  /** All or nothing; may be nested. */
  transaction<T>(work: () => T): T
  /** Runs work on the bare handle under the same guard. */
  use<T>(work: (db: Database.Database) => T): T
  /** Puts another open file behind this connection. */
  attach(db: Database.Database, writable: boolean): void
  /** Closes the file; until the next `attach` every call throws `error`. */
  detach(error: AppError): void
}

/** What a connection tells about: `damage` once for each file found damaged, after the failing call has unwound. */
export interface ConnectionEvents {
  damage(error: AppError): void
}

/**
 * What a read gave last, where there is no file to read from: while the library is exchanged or mended, whoever looks at a clock goes on
 * with the account and the settings it had.
 */
export function remembered<T>(read: () => T): () => T {
  let last: { readonly value: T } | null = null
  return () => {
    try {
      last = { value: read() }
      return last.value
    } catch (error) {
      const away = error instanceof AppError && error.retriable
      if (away && last) return last.value
      throw error
    }
  }
}

/** A connection with nothing behind it yet. */
export function createConnection(events: ConnectionEvents): Connection {
  let db: Database.Database | null = null
  let canWrite = false
  let refusal = new AppError('DATABASE_BUSY', 'The database is not open', { retriable: true })
  const statements = new Map<string, Database.Statement<unknown[]>>()

  function handle(): Database.Database {
    if (!db) throw new AppError(refusal.code, refusal.message, { retriable: refusal.retriable })
    return db
  }

  function guard<T>(work: (db: Database.Database) => T): T {
    try {
      return work(handle())
    } catch (error) {
      const failure = fromSqlite(error)
      if (isDamage(error) && failure instanceof AppError) reportDamage(failure)
      throw failure
    }
  }

  let reported: Database.Database | null = null
  function reportDamage(error: AppError): void {
    if (reported === db) return
    reported = db
    // Later, so that an open transaction has rolled back before the file is taken away.
    setImmediate(() => events.damage(error))
  }

  function statement(sql: string): Database.Statement<unknown[]> {
    const known = statements.get(sql)
    if (known) return known
    const made = handle().prepare<unknown[]>(sql)
    statements.set(sql, made)
    return made
  }

  function assertWrite(): void {
    handle()
    if (!canWrite) throw new AppError('READ_ONLY', 'The library is open for reading only')
  }

  return {
    get writable() {
      return db !== null && canWrite
    },
    // The row types are what this file's own statements select: the one place where SQLite's answers are trusted.
    get: <Row>(sql: string, ...values: Value[]) =>
      guard(() => statement(sql).get(...values) as Row | undefined),
    all: <Row>(sql: string, ...values: Value[]) =>
      guard(() => statement(sql).all(...values) as Row[]),
    run: (sql, ...values) =>
      guard(() => {
        assertWrite()
        const result = statement(sql).run(...values)
        return { changes: result.changes, lastId: Number(result.lastInsertRowid) }
      }),
    transaction: (work) =>
      guard((open) => {
        assertWrite()
        // Immediate: a lock that cannot be had is told before any work was done, not at the commit.
        return open.transaction(work).immediate()
      }),
    use: (work) => guard(work),
    attach(next, writable) {
      statements.clear()
      db = next
      canWrite = writable
    },
    detach(error) {
      statements.clear()
      const open = db
      db = null
      refusal = error
      open?.close()
    },
  }
}
