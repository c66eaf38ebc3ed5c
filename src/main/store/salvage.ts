import type Database from 'better-sqlite3'
import { isDamage } from './sqlite-errors.ts'

/** Tables in the order in which rows refer to each other. The search index is not among them: it is made anew. */
const tables = [
  'settings',
  'accounts',
  'media',
  'items',
  'transcripts',
  'jobs',
  'replies',
  'activity',
] as const

/**
 * Copies what can be read of a damaged database into a sound one. A table that reads whole replaces what the sound one has;
 * of a table that breaks off, only rows the sound one lacks are added, from both ends up to the damage. Returns the rows read.
 */
export function salvage(source: Database.Database, into: Database.Database): number {
  into.pragma('foreign_keys = OFF')
  let rows = 0
  try {
    into
      .transaction(() => {
        for (const table of tables) rows += salvageTable(source, into, table)
        mendReferences(into)
      })
      .immediate()
  } finally {
    into.pragma('foreign_keys = ON')
  }
  return rows
}

function salvageTable(source: Database.Database, into: Database.Database, table: string): number {
  const columns = sharedColumns(source, into, table)
  if (columns.length === 0) return 0
  const names = columns.map((name) => `"${name}"`).join(', ')
  const write = (mode: string) =>
    into.prepare(
      `INSERT OR ${mode} INTO ${table}(${names}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
  const whole = into.transaction(() => {
    into.exec(`DELETE FROM ${table}`)
    const result = copyRows(
      source,
      `SELECT ${names} FROM ${table} ORDER BY rowid`,
      write('REPLACE'),
    )
    if (!result.whole) throw new BrokenOff()
    return result.rows
  })
  try {
    return whole()
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error
  }
  const add = write('IGNORE')
  const up = copyRows(source, `SELECT ${names} FROM ${table} ORDER BY rowid`, add)
  const down = copyRows(source, `SELECT ${names} FROM ${table} ORDER BY rowid DESC`, add)
  return up.rows + down.rows
}

/** Takes the transaction of a table back. */
class BrokenOff extends Error {}

function copyRows(
  source: Database.Database,
  sql: string,
  write: Database.Statement<unknown[]>,
): { readonly rows: number; readonly whole: boolean } {
  let rows = 0
  try {
    for (const row of source.prepare<unknown[], unknown[]>(sql).raw().iterate()) {
      if (accepted(write, row)) rows += 1
    }
    return { rows, whole: true }
  } catch (error) {
    if (isDamage(error) || isUnreadable(error)) return { rows, whole: false }
    throw error
  }
}

/** A row that was garbled may break the schema's rules; it is left out, the others go on. */
function accepted(write: Database.Statement<unknown[]>, row: unknown[]): boolean {
  try {
    return write.run(...row).changes > 0
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_CONSTRAINT') || codeOf(error) === 'SQLITE_MISMATCH')
      return false
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isUnreadable = (error: unknown): boolean => /^SQLITE_(IOERR|ERROR)/.test(codeOf(error))

function sharedColumns(
  source: Database.Database,
  into: Database.Database,
  table: string,
): readonly string[] {
  const of = (db: Database.Database): string[] => {
    try {
      return db
        .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map((column) => column.name)
    } catch (error) {
      if (isDamage(error) || isUnreadable(error)) return []
      throw error
    }
  }
  const theirs = new Set(of(source))
  return of(into).filter((name) => theirs.has(name))
}

/** Rows whose parent could not be read: media get a row of their own (the file may well be there), anything else goes. */
function mendReferences(db: Database.Database): void {
  db.exec(`
    INSERT INTO media(id, sha256, bytes, mime, name, created_at)
    SELECT media_id, '', 0, 'application/octet-stream', min(title), min(created_at) FROM items
    WHERE media_id NOT IN (SELECT id FROM media) GROUP BY media_id`)
  const check = db.prepare<[], { table: string; rowid: number }>(
    'SELECT "table", rowid FROM pragma_foreign_key_check',
  )
  for (let broken = check.all(); broken.length > 0; broken = check.all()) {
    for (const row of broken)
      db.prepare(`DELETE FROM "${row.table}" WHERE rowid = ?`).run(row.rowid)
  }
}
