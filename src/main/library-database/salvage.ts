import type Database from 'better-sqlite3'
import { recount } from './counts.ts'
import { domains, salvagedTables, tables, type SalvagedTable } from '../platform/database/schema.ts'
import type { LostFile } from '../platform/database/schema/table.ts'
import { isDamage } from '../platform/database/sqlite-errors.ts'

/**
 * Copies everything readable in a damaged database into an intact one. A table that can be read completely replaces that of
 * the intact one. Of a partly readable table, the rows before, between and after the damaged pages are newer than the intact
 * ones and replace them one by one; unreadable rows stay as they were. Returns the number of rows read.
 */
export function salvage(source: Database.Database, into: Database.Database): number {
  into.pragma('foreign_keys = OFF')
  let rows = 0
  try {
    into
      .transaction(() => {
        // Replacing tagged rows deletes their tags, also those that are unreadable in the damaged database.
        into.exec('CREATE TEMP TABLE tags_before AS SELECT * FROM entry_tags')
        for (const table of salvagedTables) {
          if (table.name === 'entry_tags')
            into.exec('INSERT OR IGNORE INTO entry_tags SELECT * FROM temp.tags_before')
          rows += salvageTable(source, into, table)
        }
        into.exec('DROP TABLE temp.tags_before')
        dropTagsOfLostEntries(into)
        repairReferences(into)
        recount(into)
      })
      .immediate()
  } finally {
    into.pragma('foreign_keys = ON')
  }
  return rows
}

/** Deletes tags of entries that neither database has any more. */
function dropTagsOfLostEntries(into: Database.Database): void {
  for (const { name, entry } of tables) {
    // An earlier schema lacks some.
    if (!entry || columnsOf(into, name).length === 0) continue
    const kinds = entry.kinds.map((kind) => `'${kind}'`).join(', ')
    into.exec(`DELETE FROM entry_tags WHERE kind IN (${kinds})
      AND id NOT IN (SELECT ${entry.id ?? 't.id'} FROM ${entry.from})`)
  }
}

function salvageTable(
  source: Database.Database,
  into: Database.Database,
  { name: table, preferred }: SalvagedTable,
): number {
  const columns = sharedColumns(source, into, table)
  if (columns.length === 0) return 0
  const names = columns.map((name) => `"${name}"`).join(', ')
  const replace = `INSERT OR REPLACE INTO ${table}(${names}) VALUES (${columns.map(() => '?').join(', ')})`
  const key = keyWithoutRowNumbers(into, table)
  const select = key
    ? `SELECT 0, ${names} FROM ${table} WHERE ? = 0 ORDER BY ${key.join(', ')}`
    : `SELECT rowid, ${names} FROM ${table} WHERE rowid >= ? ORDER BY rowid`
  const whole = into.transaction(() => {
    into.exec(`DELETE FROM ${table}`)
    const result = copyFrom(source, select, 0, into.prepare(replace))
    if (!result.whole) throw new BrokenOff()
    return result.rows
  })
  try {
    return whole()
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error
  }
  const update = columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')
  const write = into.prepare(
    preferred === undefined
      ? replace
      : `${replace} ON CONFLICT(id) DO UPDATE SET ${update} WHERE ${preferred}`,
  )
  if (!key) return copyAround(source, select, write)
  // Such a table can only be read from its ends.
  const backwards = select.replace(/ORDER BY .*/, `ORDER BY ${key.join(' DESC, ')} DESC`)
  return [select, backwards].reduce((sum, each) => sum + copyFrom(source, each, 0, write).rows, 0)
}

/** Returns the primary key of a table `WITHOUT ROWID`; null for one with row numbers. */
function keyWithoutRowNumbers(db: Database.Database, table: string): readonly string[] | null {
  const without = db
    .prepare<[string], number>(
      `SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?`,
    )
    .pluck()
    .get(table)
  if (without !== 1) return null
  return db
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .pluck()
    .all(table)
}

/** Rolls back the transaction of a table. */
class BrokenOff extends Error {}

/**
 * Number of single-row steps over unreadable rows; a page contains fewer rows. Beyond that, steps double: a whole branch is
 * lost.
 */
const singleSteps = 1000

/** Copies a table's rows before, between and after its damaged pages. */
function copyAround(
  source: Database.Database,
  select: string,
  write: Database.Statement<unknown[]>,
): number {
  let rows = 0
  let from = 0
  let failures = 0
  while (from < Number.MAX_SAFE_INTEGER) {
    const result = copyFrom(source, select, from, write)
    rows += result.rows
    if (result.whole) break
    if (result.last >= from) {
      failures = 0
      from = result.last + 1
      continue
    }
    failures += 1
    from += failures < singleSteps ? 1 : 2 ** (failures - singleSteps)
  }
  return rows
}

/**
 * Copies rows from row number `from` on, up to the end or the first unreadable one; `last` is the last row read.
 */
function copyFrom(
  source: Database.Database,
  select: string,
  from: number,
  write: Database.Statement<unknown[]>,
): { readonly rows: number; readonly last: number; readonly whole: boolean } {
  let rows = 0
  let last = from - 1
  try {
    for (const row of source.prepare<unknown[], unknown[]>(select).raw().iterate(from)) {
      const [number, ...values] = row
      last = Number(number)
      if (accepted(write, values)) rows += 1
    }
    return { rows, last, whole: true }
  } catch (error) {
    if (isDamage(error) || isUnreadable(error)) return { rows, last, whole: false }
    throw error
  }
}

/** Inserts a row. A corrupt row may violate the schema's constraints; it is skipped and the others continue. */
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
  const theirs = new Set(columnsOf(source, table))
  return columnsOf(into, table).filter((name) => theirs.has(name))
}

/** Returns the columns of a table; none if it does not exist or cannot be read. */
function columnsOf(db: Database.Database, table: string): readonly string[] {
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

/**
 * Repairs rows whose parent could not be read: media get a row of their own (the file may still exist), anything else is
 * deleted.
 */
function repairReferences(db: Database.Database): void {
  for (const [table, column, file] of lostFiles) {
    // An earlier schema lacks some.
    if (columnsOf(db, table).length > 0) db.exec(lostFileSql(table, column, file))
  }
  for (const { repair } of domains) repair?.(db)
  const check = db.prepare<[], { table: string; rowid: number }>(
    'SELECT "table", rowid FROM pragma_foreign_key_check',
  )
  for (let broken = check.all(); broken.length > 0; broken = check.all()) {
    for (const row of broken)
      db.prepare(`DELETE FROM "${row.table}" WHERE rowid = ?`).run(row.rowid)
  }
}

/** Columns that refer to files; those that tell a name come first. */
const lostFiles = tables
  .flatMap(({ name, files = {} }) =>
    Object.entries(files).map(([column, file]) => [name, column, file] as const),
  )
  .toSorted(([, , a], [, , b]) => Number(a.name === undefined) - Number(b.name === undefined))

const lostFileSql = (table: string, column: string, { name, at, mime }: LostFile): string => `
  INSERT INTO media(id, sha256, bytes, mime, name, created_at)
  SELECT ${column}, '', 0, '${mime ?? 'application/octet-stream'}', min(${name ?? `''`}), min(${at ?? 0}) FROM ${table}
  WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM media) GROUP BY ${column}`
