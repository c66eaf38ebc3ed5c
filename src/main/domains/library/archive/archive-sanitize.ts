import { inflateRawSync } from 'node:zlib'
import type Database from 'better-sqlite3'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { databaseName } from './layout.ts'
import { importedTables, jsonOf, tableNamed, valuesOf } from '../../../platform/database/schema.ts'

/** Maximum number of uncompressed bytes of a response. */
const maxUnfolded = 256 * 1024 * 1024
/** Maximum amount by which a clock may be ahead and still be trusted. */
export const skewMs = 5 * 60_000
/** Maximum value of a date. */
const lastMoment = 8_640_000_000_000_000
/** Maximum plausible count. */
const maxNumber = 2 ** 50

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

/**
 * Checks every column of every table of an archive: unknown enum values reject it, JSON with an unexpected shape is
 * replaced by the default of a new row, and invalid numbers and times are clamped. The schema must be the current one.
 * Throws ArchiveRefused. Blocks: for workers.
 */
export function repairColumns(db: Database.Database, now = Date.now()): void {
  try {
    for (const table of importedTables) {
      const columns = db
        .prepare<[string], Column>('SELECT name, type, "notnull", pk FROM pragma_table_info(?)')
        .all(table)
      assertKnownValues(db, table, columns)
      repairNumbers(db, table, columns, now)
      repairShapes(db, table, columns)
      if (columns.some(({ name }) => name === 'packed')) repairPacked(db, table)
    }
    repairParts(db)
  } catch (error) {
    // The repair would violate another constraint of the schema.
    throw error instanceof ArchiveRefused
      ? error
      : new ArchiveRefused('database', databaseName, error)
  }
}

function assertKnownValues(db: Database.Database, table: string, columns: readonly Column[]): void {
  for (const { name } of columns) {
    const values = valuesOf(table, name)
    if (!values) continue
    const other = db
      .prepare(
        `SELECT 1 FROM "${table}" WHERE "${name}" NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
      )
      .get(JSON.stringify(values))
    if (other !== undefined) throw new ArchiveRefused('database', databaseName)
  }
}

/** Returns the minimum and maximum of a number; null for references to rows. */
function boundsOf(
  table: string,
  { name, type, pk }: Column,
  now: number,
): readonly [number, number] | null {
  if (type !== 'INTEGER' && type !== 'REAL') return null
  if (name === 'seq' || name.endsWith('_seq') || (pk > 0 && type === 'INTEGER')) return null
  if (name.startsWith('next_')) return [0, lastMoment]
  // Original times decide which of two items or rows was changed last (`archive-merge.ts`).
  const merge = tableNamed(table)?.merge
  const isCompared =
    table === 'items' ||
    name === 'last_at' ||
    (typeof merge === 'object' && merge.changedAt === name)
  if (name === 'at' || name.endsWith('_at')) return [0, isCompared ? lastMoment : now + skewMs]
  if (name.endsWith('_ms')) return [0, 1e9]
  if (name === 'page' || name === 'pages' || name.endsWith('_page')) return [0, 100_000]
  if (name === 'sample_rate') return [1, 1_000_000]
  return [-maxNumber, maxNumber]
}

function repairNumbers(
  db: Database.Database,
  table: string,
  columns: readonly Column[],
  now: number,
): void {
  const bounded = columns.flatMap((column) => {
    const bounds = boundsOf(table, column, now)
    return bounds ? [{ name: column.name, bounds }] : []
  })
  if (bounded.length === 0) return
  const out = bounded.map(
    ({ name, bounds: [min, max] }) => `"${name}" < ${min} OR "${name}" > ${max}`,
  )
  if (db.prepare(`SELECT 1 FROM "${table}" WHERE ${out.join(' OR ')} LIMIT 1`).get() === undefined)
    return
  for (const [n, { name, bounds }] of bounded.entries())
    db.exec(
      `UPDATE "${table}" SET "${name}" = max(${bounds[0]}, min(${bounds[1]}, "${name}")) WHERE ${out[n] ?? 'false'}`,
    )
}

function repairShapes(db: Database.Database, table: string, columns: readonly Column[]): void {
  const shaped = columns.flatMap(({ name }) => {
    const shape = jsonOf(table, name)
    return shape ? [{ name, ...shape }] : []
  })
  if (shaped.length === 0) return
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
  const key = keys.length > 0 ? keys : ['rowid']
  const where = key.map((name) => `"${name}" = ?`).join(' AND ')
  const wrong: { readonly name: string; readonly to: string | null; readonly key: unknown[] }[] = []
  const rows = db
    .prepare<[], unknown[]>(
      `SELECT ${[...key, ...shaped.map(({ name }) => name)].map((name) => `"${name}"`).join(', ')} FROM "${table}"`,
    )
    .raw()
  for (const row of rows.iterate())
    for (const [n, { name, schema, otherwise }] of shaped.entries()) {
      const value = row[key.length + n]
      if (value === null || (typeof value === 'string' && fits(schema, value))) continue
      const to = otherwise === null ? null : JSON.stringify(otherwise)
      wrong.push({ name, to, key: row.slice(0, key.length) })
    }
  const nullable = new Set(columns.filter(({ notnull }) => notnull === 0).map(({ name }) => name))
  for (const { name, to, key: of } of wrong)
    db.prepare(`UPDATE "${table}" SET "${name}" = ? WHERE ${where}`).run(
      to ?? (nullable.has(name) ? null : 'null'),
      ...of,
    )
}

/** Deletes invalid parts of long answers: a message without its steps retains its shortened steps. */
function repairParts(db: Database.Database): void {
  const shape = jsonOf('message_bodies', 'steps')
  const joinedSteps = db
    .prepare<[number], string>(
      `SELECT group_concat(text, '' ORDER BY start) FROM message_parts WHERE message_seq = ? AND kind = 'steps'`,
    )
    .pluck()
  const messages = db
    .prepare<[], number>(`SELECT DISTINCT message_seq FROM message_parts WHERE kind = 'steps'`)
    .pluck()
    .all()
  for (const seq of messages)
    if (!shape || !fits(shape.schema, joinedSteps.get(seq) ?? ''))
      db.prepare(`DELETE FROM message_parts WHERE message_seq = ? AND kind = 'steps'`).run(seq)
  repairTextParts(db)
}

/** Deletes the parts of a text from the first one on that does not continue it. */
function repairTextParts(db: Database.Database): void {
  const beginning = db
    .prepare<[number], string | null>('SELECT text FROM message_bodies WHERE message_seq = ?')
    .pluck()
  const remove = db.prepare(
    `DELETE FROM message_parts WHERE message_seq = ? AND kind = 'text' AND start >= ?`,
  )
  const keys = db
    .prepare<[], { readonly message_seq: number; readonly start: number; readonly units: number }>(
      `SELECT message_seq, start, units FROM message_parts WHERE kind = 'text' ORDER BY message_seq, start`,
    )
    .all()
  const content = db
    .prepare<[number, number], string>(
      `SELECT text FROM message_parts WHERE message_seq = ? AND start = ? AND kind = 'text'`,
    )
    .pluck()
  let seq: number | null = null
  let end = 0
  for (const part of keys) {
    if (part.message_seq !== seq) {
      seq = part.message_seq
      end = beginning.get(seq)?.length ?? 0
    }
    if (part.start === end && content.get(seq, part.start)?.length === part.units) end += part.units
    else {
      remove.run(seq, part.start)
      // No later part of this message continues its text.
      end = NaN
    }
  }
}

/** Removes responses that cannot be uncompressed, or only to more than any response has. */
function repairPacked(db: Database.Database, table: string): void {
  const packedAt = db
    .prepare<[number], Buffer>(`SELECT packed FROM "${table}" WHERE rowid = ?`)
    .pluck()
  const rows = db
    .prepare<[], number>(`SELECT rowid FROM "${table}" WHERE packed IS NOT NULL`)
    .pluck()
    .all()
  for (const at of rows)
    if (!unfolds(packedAt.get(at) ?? Buffer.alloc(0)))
      db.prepare(`UPDATE "${table}" SET packed = NULL WHERE rowid = ?`).run(at)
}

function unfolds(packed: Buffer): boolean {
  try {
    inflateRawSync(packed, { maxOutputLength: maxUnfolded })
    return true
  } catch {
    return false
  }
}

function fits(schema: { safeParse(value: unknown): { success: boolean } }, json: string): boolean {
  try {
    return schema.safeParse(JSON.parse(json)).success
  } catch {
    return false
  }
}
