import Database from 'better-sqlite3'
import type { ItemName } from '../../../../shared/model/archive.ts'
import { skewMs } from './archive-sanitize.ts'
import { recount } from '../../../library-database/counts.ts'
import { rebuildMessages } from '../../chats/store/index.ts'
import { mergedTables, referenced, type MergedTable } from '../../../platform/database/schema.ts'
import type { Merge as TableMerge } from '../../../platform/database/schema/table.ts'
import { rebuildItems } from '../store/search-rebuild.ts'
import { AppError } from '../../../errors.ts'
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

/** Scope of a merge: everything, or a selection. */
interface Merge {
  /** IDs of items, runs and tasks; absent: everything. */
  readonly only?: readonly string[]
  /** Recorded in the library in the same transaction, so that it is known later that the merge was done. */
  readonly mark?: Mark
}

/** Counts of a merge or of its preview, by kind: new, newer than the existing one, already existing. */
export type MergeCounts = Readonly<
  Record<string, { readonly added: number; readonly newer: number; readonly known: number }>
>

/** Returns an SQL expression for the time an item of a library was last changed. */
const changed = (of: string, item: string): string =>
  `max(${item}.updated_at, coalesce((SELECT last_at FROM ${of}.conversations c WHERE c.item_seq = ${item}.seq), 0))`

/** SQL expression for the current time. */
const now = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`

/** Returns an SQL expression for whether a row was changed later than another one. */
const changedLater = (row: string, than: string, column: string): string =>
  `(${row}.${column} BETWEEN ${than}.${column} + 1 AND ${now} + ${skewMs})`

/**
 * Compares the items of the attached `src` with those of the library `here`. A change dated in the future comes from a
 * wrong clock: it is unknown whether it is newer, so it is treated as older.
 */
const comparison = (here: string): string => `
  SELECT i.seq, i.id, i.kind, h.seq AS here, h.seq IS NOT NULL AND
    ${changed('src', 'i')} BETWEEN ${changed(here, 'h')} + 1 AND ${now} + ${skewMs} AS newer
  FROM src.items i LEFT JOIN ${here}.items h ON h.id = i.id WHERE i.kind <> 'temporary'`

/** Returns what a merge of the attached `src` into `here` would do. */
export function compareLibraries(db: Database.Database, here = 'main'): MergeCounts {
  const rows = db
    .prepare<[], { kind: string; added: number; newer: number; known: number }>(
      `SELECT kind, sum(here IS NULL) AS added, sum(here IS NOT NULL AND newer) AS newer,
         sum(here IS NOT NULL AND NOT newer) AS known FROM (${comparison(here)}) GROUP BY kind`,
    )
    .all()
  return Object.fromEntries(rows.map(({ kind, ...counts }) => [kind, counts]))
}

/** Returns what a merge would do with the rows that are merged on their own. */
export function compareRows(db: Database.Database, here: string): MergeCounts {
  const counts: Record<string, MergeCounts[string]> = {}
  for (const { name, merge, entry } of mergedTables) {
    const kind = entry?.kinds[0]
    if (merge.changedAt === undefined || kind === undefined) continue
    const newer = `coalesce(${changedLater('t', 'h', merge.changedAt)}, false)`
    const row = db
      .prepare<[], MergeCounts[string]>(
        `SELECT sum(h.id IS NULL) AS added, sum(${newer}) AS newer, sum(h.id IS NOT NULL AND NOT ${newer}) AS known
         FROM src.${name} t LEFT JOIN ${here}.${name} h ON h.id = t.id
         WHERE t.removed_at IS NULL OR ${newer} HAVING count(*) > 0`,
      )
      .get()
    if (row) counts[kind] = row
  }
  return counts
}

/** Returns the newest items that would replace those in `here`. */
export function newerItems(
  db: Database.Database,
  here: string,
  limit: number,
): readonly ItemName[] {
  return db
    .prepare<[number], ItemName>(
      `SELECT i.id, i.kind, i.title, i.updated_at AS at FROM (${comparison(here)}) c
       JOIN src.items i ON i.seq = c.seq WHERE c.newer ORDER BY i.updated_at DESC, i.seq DESC LIMIT ?`,
    )
    .all(limit)
}

/**
 * Merges the rows of the attached library `src`, which has the same schema, into the open one in one transaction. An
 * existing item is replaced if the other was changed later, and stays otherwise; its star, folder and tags are those of
 * both. Blocks: for workers.
 */
export function mergeLibrary(db: Database.Database, { only, mark }: Merge): void {
  db.pragma('foreign_keys = OFF')
  try {
    db.transaction(() => {
      prepare(db, only)
      importItems(db)
      for (const table of mergedTables) take(db, table, only !== undefined)
      organize(db)
      finish(db)
      if (mark)
        db.prepare('INSERT INTO main.take_ins(id, at, file) VALUES (?, ?, ?)').run(
          mark.id,
          mark.at,
          mark.file,
        )
    }).immediate()
  } finally {
    db.pragma('foreign_keys = ON')
    for (const { name } of db
      .prepare<[], { name: string }>(`SELECT name FROM temp.sqlite_schema WHERE type = 'table'`)
      .all())
      db.exec(`DROP TABLE temp."${name}"`)
  }
}

/**
 * Determines which items to import, and marks older items with the same ID for removal with everything they own.
 */
function prepare(db: Database.Database, only: readonly string[] | undefined): void {
  db.exec('CREATE TEMP TABLE wanted(id TEXT PRIMARY KEY) WITHOUT ROWID')
  if (only)
    db.prepare('INSERT OR IGNORE INTO temp.wanted SELECT value FROM json_each(?)').run(
      JSON.stringify(only),
    )
  const chosen = only ? 'AND id IN (SELECT id FROM temp.wanted)' : ''
  db.exec(`
    CREATE TEMP TABLE coming AS SELECT * FROM (${comparison('main')}) WHERE (here IS NULL OR newer) ${chosen};
    CREATE TEMP TABLE gone_items AS SELECT here AS seq FROM temp.coming WHERE here IS NOT NULL;
    CREATE TEMP TABLE gone_places AS SELECT id, starred, folder_id FROM main.items
      WHERE seq IN (SELECT seq FROM temp.gone_items);
    CREATE TEMP TABLE gone_tags AS SELECT i.id, g.tag FROM temp.gone_items JOIN main.items i USING (seq)
      JOIN main.item_tags g ON g.item_seq = i.seq`)
  removeOld(db)
  map(db, 'items', 'SELECT seq, id FROM temp.coming')
}

type OwnedMerge = Extract<TableMerge, { readonly of: unknown }>

/** Removes what is replaced, and orphaned rows, which would conflict with imported rows. */
function removeOld(db: Database.Database): void {
  const doomed = ({ of: { column, table, by }, changedAt }: OwnedMerge): string =>
    table === 'items' && changedAt === undefined
      ? `${column} IN (SELECT seq FROM temp.gone_items) OR ${column} NOT IN (SELECT seq FROM main.items)`
      : `${column} NOT IN (SELECT ${by ?? 'seq'} FROM main.${table})`
  // Owners first, so that their dependents become orphans.
  for (const { name, merge } of mergedTables)
    if ('of' in merge) db.exec(`DELETE FROM main.${name} WHERE ${doomed(merge)}`)
  db.exec('DELETE FROM main.items WHERE seq IN (SELECT seq FROM temp.gone_items)')
}

/** Assigns the row numbers of a table: consecutive, in the old order, after all numbers ever used. */
function map(db: Database.Database, table: string, rows: string): void {
  db.exec(`
    CREATE TEMP TABLE map_${table}(old INTEGER PRIMARY KEY, new INTEGER NOT NULL, id TEXT);
    CREATE INDEX temp.map_${table}_id ON map_${table}(id);
    INSERT INTO temp.map_${table}
      SELECT seq, row_number() OVER (ORDER BY seq) + max(
        coalesce((SELECT max(seq) FROM main.${table}), 0),
        coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = '${table}'), 0)), id
      FROM (${rows})`)
}

function importItems(db: Database.Database): void {
  const media = columns(db, 'media').join(', ')
  db.exec(`
    CREATE TEMP TABLE new_media AS SELECT id FROM src.media WHERE id NOT IN (SELECT id FROM main.media);
    INSERT INTO main.media(${media}) SELECT ${media} FROM src.media WHERE id IN (SELECT id FROM temp.new_media)`)
  const names = columns(db, 'items')
  const values = names.map((name) => {
    if (name === 'seq') return 'm.new'
    return name.endsWith('_at') ? notOfTheFuture(name) : `t."${name}"`
  })
  db.exec(`INSERT INTO main.items(${quoted(names)}) SELECT ${values.join(', ')}
    FROM src.items t JOIN temp.map_items m ON m.old = t.seq ORDER BY m.new`)
  // Whether they were imported or not: some of their rows are merged on their own.
  db.exec(`
    CREATE TEMP TABLE same_items(old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
    INSERT INTO temp.same_items SELECT i.seq, h.seq FROM src.items i JOIN main.items h ON h.id = i.id
      WHERE i.kind = h.kind`)
}

/** An item from the future would be sorted before all others until that time. */
const notOfTheFuture = (name: string): string => `iif(t."${name}" > ${now}, ${now}, t."${name}")`

/**
 * Imports the rows of a table. Integer keys are assigned again, and every column that refers to one is updated: those of
 * tables that are imported later once they have their numbers.
 */
function take(db: Database.Database, table: MergedTable, isSelection: boolean): void {
  const { name, merge } = table
  const names = columns(db, name)
  const hasKey = names.includes('seq')
  if (merge.changedAt !== undefined) removeOlder(db, table)
  const comes = conditions(db, table, isSelection)
  if (comes === null) {
    // Dependent rows look for their numbers and find none.
    if (hasKey) map(db, name, 'SELECT 0 AS seq, NULL AS id WHERE 0')
    return
  }
  if (hasKey) {
    const id = names.includes('id') ? 't.id' : 'NULL'
    map(db, name, `SELECT t.seq, ${id} AS id FROM src.${name} t WHERE ${comes}`)
  }
  const values = names.map((column) => {
    const target = column === 'seq' ? name : referenced.get(column)
    if (target !== undefined && !isLater(target, name)) {
      const numbers =
        merge.changedAt !== undefined && column === 'item_seq' ? 'same_items' : `map_${target}`
      return `(SELECT new FROM temp.${numbers} WHERE old = t."${column}")`
    }
    return column === 'last_at' || column === merge.changedAt
      ? notOfTheFuture(column)
      : `t."${column}"`
  })
  db.exec(
    `INSERT INTO main.${name}(${quoted(names)}) SELECT ${values.join(', ')} FROM src.${name} t WHERE ${comes}${hasKey ? ' ORDER BY t.seq' : ''}`,
  )
  if (hasKey) repairLater(db, name)
}

/**
 * Combines how items of both libraries are organized, whichever version of an item is kept: a star or folder here stays,
 * one of the other library applies where there is none, and tags are those of both.
 */
function organize(db: Database.Database): void {
  db.exec(`
    UPDATE main.items AS h SET starred = max(h.starred, o.starred), folder_id = coalesce(o.folder_id, h.folder_id)
      FROM temp.gone_places o WHERE o.id = h.id;
    UPDATE main.items AS h SET starred = 1
      FROM temp.same_items s JOIN src.items t ON t.seq = s.old WHERE s.new = h.seq AND t.starred > h.starred;
    UPDATE main.items AS h SET folder_id = f.id
      FROM temp.same_items s JOIN src.items t ON t.seq = s.old JOIN main.folders f ON f.id = t.folder_id
      WHERE s.new = h.seq AND h.folder_id IS NULL;
    INSERT OR IGNORE INTO main.item_tags(item_seq, tag)
      SELECT i.seq, g.tag FROM temp.gone_tags g JOIN main.items i ON i.id = g.id;
    INSERT OR IGNORE INTO main.item_tags(item_seq, tag)
      SELECT s.new, g.tag FROM temp.same_items s JOIN src.item_tags g ON g.item_seq = s.old`)
}

/** Moves the rows of replaced items to their new version, and removes those that were changed later in the other library. */
function removeOlder(db: Database.Database, { name, merge }: MergedTable): void {
  const at = merge.changedAt ?? ''
  db.exec(`
    UPDATE main.${name} AS h SET item_seq = m.new
      FROM temp.coming c JOIN temp.map_items m ON m.old = c.seq WHERE c.here = h.item_seq;
    DELETE FROM main.${name} AS h WHERE EXISTS (
      SELECT 1 FROM src.${name} t JOIN temp.same_items s ON s.old = t.item_seq
      WHERE t.id = h.id AND s.new = h.item_seq AND ${changedLater('t', 'h', at)}
        AND ${merge.where ?? 'true'})`)
}

const isLater = (table: string, than: string): boolean => orderOf(table) > orderOf(than)
const orderOf = (table: string): number => mergedTables.findIndex(({ name }) => name === table)

/** Repairs numbers in rows that were imported before the table they refer to. */
function repairLater(db: Database.Database, table: string): void {
  for (const { name } of mergedTables) {
    if (!isLater(table, name)) continue
    const names = columns(db, name)
    const imported = names.includes('seq')
      ? `seq IN (SELECT new FROM temp.map_${name})`
      : 'item_seq IN (SELECT new FROM temp.map_items)'
    for (const column of names)
      if (referenced.get(column) === table)
        db.exec(
          `UPDATE main.${name} SET "${column}" = (SELECT new FROM temp.map_${table} WHERE old = "${column}") WHERE ${imported}`,
        )
  }
}

/** Returns the condition for importing rows of a table; null for none. */
function conditions(
  db: Database.Database,
  { name, merge }: MergedTable,
  isSelection: boolean,
): string | null {
  const all = merge.where ? [`(${merge.where})`] : []
  if ('of' in merge) {
    const { column, table, by, alone } = merge.of
    if (merge.changedAt !== undefined)
      return [
        ...all,
        `t."${column}" IN (SELECT old FROM temp.same_items)`,
        `t.id NOT IN (SELECT id FROM main.${name})`,
      ].join(' AND ')
    const owned = `t."${column}" IN (SELECT ${by ?? 'old'} FROM temp.map_${table})`
    const ownerless = `(t."${column}" IS NULL AND t.id NOT IN (SELECT id FROM main.${name}))`
    return [...all, alone && !isSelection ? `(${owned} OR ${ownerless})` : owned].join(' AND ')
  }
  if (isSelection && merge.selection === undefined) return null
  for (const names of [merge.same, ...uniqueOf(db, name)]) {
    const same = names.map((column) => `h."${column}" = t."${column}"`).join(' AND ')
    all.push(`NOT EXISTS (SELECT 1 FROM main.${name} h WHERE ${same})`)
  }
  if (isSelection && merge.selection !== undefined) all.push(merge.selection)
  return all.join(' AND ')
}

/** Returns the unique column sets of a table, except its row number. */
function uniqueOf(db: Database.Database, table: string): readonly (readonly string[])[] {
  const columnsOf = db.prepare<[string], { name: string }>(
    `SELECT name FROM pragma_index_info(?, 'main') ORDER BY seqno`,
  )
  return db
    .prepare<[string], { name: string }>(
      `SELECT name FROM pragma_index_list(?, 'main') WHERE "unique" = 1 AND partial = 0`,
    )
    .all(table)
    .map(({ name }) => columnsOf.all(name).map((column) => column.name))
}

/**
 * Recomputes counts maintained by triggers, releases files that no imported row uses, and makes imported items
 * searchable.
 */
function finish(db: Database.Database): void {
  recount(db)
  db.exec('DELETE FROM main.media WHERE uses = 0 AND id IN (SELECT id FROM temp.new_media)')
  const first = (table: string): number =>
    db
      .prepare<[], { first: number | null }>(`SELECT min(new) AS first FROM temp.map_${table}`)
      .get()?.first ?? Number.MAX_SAFE_INTEGER
  rebuildItems(db, first('items'))
  rebuildMessages(db, first('messages'))
}

/** Returns the writable columns of a table. */
function columns(db: Database.Database, table: string): readonly string[] {
  return db
    .prepare<[string], { name: string }>(
      `SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0`,
    )
    .all(table)
    .map(({ name }) => name)
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/**
 * Merges the rows of an unpacked database into the library's, which no one else has open. Blocks: for workers.
 */
export function mergeArchive(database: string, from: string, mark: Mark): void {
  const db = new Database(database, { fileMustExist: true })
  try {
    prepareForWriting(db)
    // The foreign schema was validated already, but its functions are still not trusted.
    db.pragma('trusted_schema = OFF')
    db.prepare('ATTACH ? AS src').run(from)
    mergeLibrary(db, { mark })
    db.exec('DETACH src')
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
