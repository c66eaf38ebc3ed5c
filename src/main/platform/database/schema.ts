import type Database from 'better-sqlite3'
import { audio } from './schema/audio.ts'
import { chats } from './schema/chats.ts'
import { documents } from './schema/documents.ts'
import { everywhere, type Json } from './schema/json.ts'
import { knowledge } from './schema/knowledge.ts'
import { entries, library } from './schema/library.ts'
import { playground } from './schema/playground.ts'
import { semantic } from './schema/semantic.ts'
import type { Domain, Merge, Table } from './schema/table.ts'
import { voices } from './schema/voices.ts'
import { defaultMerging } from './search-merge.ts'

/**
 * All domains. Everything that treats all tables alike (merging and checking archives, resetting unfinished work,
 * repairing damaged libraries, the Library’s list, categories of storage) is derived from their declarations.
 */
export const domains: readonly Domain[] = [
  library,
  audio,
  documents,
  chats,
  voices,
  knowledge,
  playground,
  semantic,
  entries,
]

/** Table with its name and the category of its files. */
interface NamedTable extends Table {
  readonly name: string
  readonly category: NonNullable<Table['category']>
}

/** All tables of the current schema, owners first. */
export const tables: readonly NamedTable[] = domains.flatMap((domain) =>
  Object.entries(domain.tables).map(([name, table]) => ({
    name,
    ...table,
    category: table.category ?? domain.category,
  })),
)

/** Table whose rows are copied from a damaged library. */
export type SalvagedTable = Pick<NamedTable, 'name' | 'preferred'>

/** All tables of all schemas with rows of their own, owners first; a database contains those of its schema. */
export const salvagedTables: readonly SalvagedTable[] = domains.flatMap(
  ({ former, tables: own }) => [
    ...Object.entries(former ?? {}).map(([name, table]) => ({ name, ...table })),
    ...Object.entries(own)
      .filter(([, { merge }]) => merge !== 'derived')
      .map(([name, table]) => ({ name, ...table })),
  ],
)

/** Table whose rows are merged by a rule. */
export type MergedTable = NamedTable & { readonly merge: Merge }

/** Tables that are merged after items and files. */
export const mergedTables: readonly MergedTable[] = tables.filter(
  (table): table is MergedTable => typeof table.merge === 'object',
)

/** All tables whose rows come from an archive. */
export const importedTables: readonly string[] = [
  ...tables.filter(({ merge }) => merge === 'first'),
  ...mergedTables,
].map(({ name }) => name)

/** Tables that refer to rows of others by their integer key: the name of the column tells the table. */
export const referenced: ReadonlyMap<string, string> = new Map(
  tables.flatMap(({ name, references = [] }) => references.map((column) => [column, name])),
)

const byName: ReadonlyMap<string, NamedTable> = new Map(tables.map((table) => [table.name, table]))

/** Returns the declaration of a table; undefined for one of another schema. */
export const tableNamed = (name: string): NamedTable | undefined => byName.get(name)

/** Returns the tables of a domain whose rows are deleted in steps, by the column with the number of their owner; owners last. */
export const deletedInSteps = ({ tables: own }: Domain, column: string): readonly string[] =>
  Object.entries(own)
    .flatMap(([name, table]) => (table.deletedInSteps === column ? [name] : []))
    .toReversed()

/** Returns the values of a column with a fixed set of them. */
export const valuesOf = (table: string, column: string): readonly string[] | undefined =>
  byName.get(table)?.values?.[column]

/** Returns the shape of a JSON column. */
export const jsonOf = (table: string, column: string): Json | undefined =>
  everywhere[column] ?? byName.get(table)?.json?.[column]

/** Creates all tables, indexes and triggers of the first schema in an empty database. */
export function createSchema(db: Database.Database): void {
  for (const { sql } of domains) db.exec(sql)
  defaultMerging(db)
  defaultMerging(db, 'message_text')
}
