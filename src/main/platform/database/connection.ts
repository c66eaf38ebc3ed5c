import type Database from 'better-sqlite3'
import { AppError } from '../../errors.ts'
import { fromSqlite, isDamage } from './sqlite-errors.ts'

/** A value SQLite can bind. */
export type Value = string | number | bigint | Uint8Array | null

/**
 * The only access to the database: caches statements, converts SQLite errors to AppErrors, and rejects writes that
 * cannot be stored. The file behind it can be replaced while the app runs (a damaged one by its repaired copy), without
 * the aggregates noticing.
 */
export interface Connection {
  readonly writable: boolean
  get<Row>(sql: string, ...values: Value[]): Row | undefined
  all<Row>(sql: string, ...values: Value[]): Row[]
  /** Returns the number of changed rows and the last row ID. */
  run(sql: string, ...values: Value[]): { readonly changes: number; readonly lastId: number }
  /** All or nothing; may be nested. */
  transaction<T>(work: () => T): T
  /** Runs work on the raw handle with the same error handling. */
  use<T>(work: (db: Database.Database) => T): T
  /** Attaches another open file to this connection. */
  attach(db: Database.Database, writable: boolean): void
  /** Closes the file; every call throws `error` until the next `attach`. */
  detach(error: AppError): void
}

/** Events of a connection: `damage` is called once per damaged file, after the failing call has unwound. */
interface ConnectionEvents {
  damage(error: AppError): void
}

/**
 * Caches the last value of a read for when no file is attached: while the library is replaced or repaired, callers
 * continue with the previous account and settings.
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

/** Creates a connection without a file. */
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
    // Deferred, so that an open transaction is rolled back before the file is detached.
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
    if (!canWrite) throw new AppError('READ_ONLY', 'The library is read-only')
  }

  return {
    get writable() {
      return db !== null && canWrite
    },
    // Row types match the statements of this file: the only place where SQLite's results are trusted.
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
        // Immediate: an unavailable lock is reported before any work is done, not at the commit.
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
