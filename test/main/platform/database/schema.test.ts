import Database from 'better-sqlite3'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { otherKinds, otherTraits } from '../../../../src/shared/model/library-entry.ts'
import { storageKinds } from '../../../../src/shared/model/storage.ts'
import { fileColumns } from '../../../../src/main/library-database/counts.ts'
import { migrate } from '../../../../src/main/platform/database/migrate.ts'
import {
  createSchema,
  domains,
  importedTables,
  jsonOf,
  mergedTables,
  referenced,
  salvagedTables,
  tableNamed,
  tables,
  valuesOf,
} from '../../../../src/main/platform/database/schema.ts'

const db = new Database(':memory:')
migrate(db)
afterAll(() => db.close())

interface Column {
  readonly name: string
  readonly type: string
}
const columnsOf = (table: string): readonly Column[] =>
  db
    .prepare<[string], Column>('SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table)
const has = (table: string, column: string): boolean =>
  columnsOf(table).some(({ name }) => name === column)
const foreignKeysOf = (table: string) =>
  db
    .prepare<[string], { from: string; table: string }>(
      'SELECT "from", "table" FROM pragma_foreign_key_list(?)',
    )
    .all(table)

/** Columns of text without a fixed form. IDs (`id`, `…_id`) are plain text too. */
const plainText = new Set(
  `account_name address again automatic_title background base_name body content content_type create_time description digest
  document_name download_url edited engine excerpt fingerprint finish_reason hash holder icon input joined_media
  joined_peaks key kind label language layout_picture markdown mime model name native_label note notes notice operation
  pages partial placing preset profile prompt query question quote replaces role sha256 status tag template_name text text_key title
  type url voice voice_name who words`.split(/\s+/),
)
/** Numbers that are not those of a row. */
const ordinals = ['message_events.first_seq', 'run_events.first_seq', 'speech_pieces.round_seq']

const tablesOf = (of: Database.Database): readonly string[] =>
  of
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite%'`,
    )
    .pluck()
    .all()
    .toSorted()

test('declares exactly the tables of the schema', () => {
  expect(tables.map(({ name }) => name).toSorted()).toEqual(tablesOf(db))
})

test('reads the tables that migrations removed from damaged libraries of the first schema', () => {
  const first = new Database(':memory:')
  createSchema(first)
  const now = new Set(tablesOf(db))
  const removed = tablesOf(first).filter((name) => !now.has(name))
  first.close()
  expect(domains.flatMap(({ former }) => Object.keys(former ?? {})).toSorted()).toEqual(removed)
  expect(salvagedTables.map(({ name }) => name)).toEqual(expect.arrayContaining(removed))
})

test('declares only existing columns', () => {
  const declared = tables.flatMap(({ name, merge, ...table }) =>
    [
      ...Object.keys({ ...table.values, ...table.json, ...table.files }),
      ...(table.references ? ['seq'] : []),
      ...(table.countedFiles ?? []),
      ...(table.deletedInSteps === undefined ? [] : [table.deletedInSteps]),
      ...(table.received ? ['media_id'] : []),
      ...(typeof merge === 'string' ? [] : 'of' in merge ? [merge.of.column] : merge.same),
    ].map((column) => [name, column] as const),
  )
  expect(declared.filter(([table, column]) => !has(table, column))).toEqual([])
  const names = new Set(mergedTables.flatMap(({ name }) => columnsOf(name).map((one) => one.name)))
  expect([...referenced.keys()].filter((column) => !names.has(column))).toEqual([])
})

test('knows the form of every text of an archive', () => {
  const texts = importedTables.flatMap((table) =>
    columnsOf(table)
      .filter(({ type }) => type === 'TEXT')
      .map(({ name }) => ({ table, name })),
  )
  const plain = texts.filter(({ table, name }) => !valuesOf(table, name) && !jsonOf(table, name))
  const unknown = plain.filter(({ name }) => !/(^|_)id$/.test(name) && !plainText.has(name))
  expect(unknown).toEqual([])
  expect([...plainText].filter((name) => !plain.some((column) => column.name === name))).toEqual([])
  // A state always has a fixed set of values.
  expect(plain.filter(({ name }) => name === 'state')).toEqual([])
})

test('replaces JSON by values that readers accept', () => {
  const wrong = tables.flatMap(({ name, json = {} }) =>
    Object.entries(json)
      .filter(
        ([, { schema, otherwise }]) => otherwise !== null && !schema.safeParse(otherwise).success,
      )
      .map(([column]) => `${name}.${column}`),
  )
  expect(wrong).toEqual([])
})

test('knows the table of every row number', () => {
  const numbers = mergedTables.flatMap(({ name }) =>
    columnsOf(name)
      .filter((column) => column.name.endsWith('_seq') && !referenced.has(column.name))
      .map((column) => `${name}.${column.name}`),
  )
  expect(numbers.toSorted()).toEqual(ordinals)
  const other = mergedTables.flatMap(({ name }) =>
    foreignKeysOf(name)
      .filter(({ from, table }) => {
        const target = referenced.get(from)
        // Rows of an item may refer to its row in the table of its kind.
        return target !== undefined && target !== table && !has(table, 'item_seq')
      })
      .map(({ from }) => `${name}.${from}`),
  )
  // The number of a row in `retrieval_rows`, which contains that of its run.
  expect(other).toEqual(['retrieval_found.run_seq'])
})

test('lists owners before what belongs to them', () => {
  const place = (table: string): number => tables.findIndex(({ name }) => name === table)
  const early = tables.flatMap(({ name, merge }) =>
    [
      ...foreignKeysOf(name).map(({ table }) => table),
      ...(typeof merge === 'object' && 'of' in merge ? [merge.of.table] : []),
    ]
      .filter((owner) => place(owner) > place(name))
      .map((owner) => `${name} before ${owner}`),
  )
  expect(early).toEqual([])
})

test('knows every table that refers to files', () => {
  const files = tables.flatMap(({ name, files: declared }) =>
    foreignKeysOf(name)
      .filter(({ from, table }) => table === 'media' && !declared?.[from])
      .map(({ from }) => `${name}.${from}`),
  )
  // Images that the provider lists: their rows are created again.
  expect(files).toEqual(['knowledge_pictures.media_id', 'slice_pictures.media_id'])
  const categories = new Set<string>(storageKinds)
  expect(tables.filter(({ category }) => !categories.has(category))).toEqual([])
})

test('knows every column by which triggers count the uses of a file', () => {
  const counted = db
    .prepare<[], string>(
      `SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%UPDATE media SET uses%'`,
    )
    .pluck()
    .all()
  const columns = fileColumns(db)
  expect([...new Set(columns.map(({ name }) => name))].toSorted()).toEqual(counted.toSorted())
  const declared = tables.flatMap(({ name, countedFiles = [] }) =>
    countedFiles.map((field) => ({ name, field })),
  )
  // A column is counted once.
  for (const one of declared)
    expect(columns.filter((other) => isDeepStrictEqual(one, other))).toHaveLength(1)
})

test('deletes every row with its owner, at once or in steps', () => {
  const cascades = db.prepare<[string], string>(
    `SELECT "from" FROM pragma_foreign_key_list(?) WHERE on_delete = 'CASCADE'`,
  )
  const wrong = tables.filter(({ name, merge, deletedInSteps: column }) => {
    const isOwned = column !== undefined || (typeof merge === 'object' && 'of' in merge)
    const isDeletedAtOnce = cascades.pluck().all(name).length > 0
    return isOwned && isDeletedAtOnce === (column !== undefined)
  })
  // Their store deletes them one by one, each with its response.
  expect(wrong.map(({ name }) => name)).toEqual(['lookup_versions'])
})

test('has one table for every kind of entry', () => {
  const kinds = tables.flatMap(({ entry }) => entry?.kinds ?? [])
  expect(kinds.toSorted()).toEqual(otherKinds.toSorted())
  const ranks = tables.flatMap(({ entry }) => entry?.rank ?? [])
  expect(new Set(ranks).size).toBe(ranks.length)
  expect(ranks).not.toContain(0)
})

test('exports selected entries of the kinds that the page offers', () => {
  const chosen = tables.flatMap(({ entry, merge }) =>
    typeof merge === 'object' && merge.selection?.includes('temp.wanted')
      ? (entry?.kinds ?? [])
      : [],
  )
  expect(otherKinds.filter((kind) => otherTraits[kind].exportable).toSorted()).toEqual(
    chosen.toSorted(),
  )
})

test('keeps the tags of entries when their rows are replaced', () => {
  // Triggers delete the tags of deleted rows, and a repair replaces all rows of one table after another.
  expect(tables.at(-1)?.name).toBe('entry_tags')
  expect(tableNamed('entry_tags')?.merge).toMatchObject({ same: ['kind', 'id', 'tag'] })
})
