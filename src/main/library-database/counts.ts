import type Database from 'better-sqlite3'
import { domains, tables } from '../platform/database/schema.ts'

/** Returns the columns that refer to files: foreign keys, and those that only count them. */
export const fileColumns = (
  db: Database.Database,
): readonly { readonly name: string; readonly field: string }[] => [
  ...db
    .prepare<[], { name: string; field: string }>(
      `SELECT t.name, f."from" AS field FROM pragma_table_list t CROSS JOIN pragma_foreign_key_list(t.name) f
       WHERE t.schema = 'main' AND t.type = 'table' AND f."table" = 'media'`,
    )
    .all(),
  ...tables.flatMap(({ name, countedFiles = [] }) =>
    countedFiles.map((field) => ({ name, field })),
  ),
]

/** Returns the number of rows that refer to a file. */
const usesOf = (db: Database.Database): string =>
  fileColumns(db)
    .map(({ name, field }) => `(SELECT count(*) FROM "${name}" WHERE "${field}" = media.id)`)
    .join(' + ')

/** Recomputes the counts of all domains, and those of files; for rows that were written in bulk or replaced. */
export function recount(db: Database.Database): void {
  for (const { counts } of domains) if (counts !== undefined) db.exec(counts)
  db.exec(`UPDATE media SET uses = ${usesOf(db)}`)
}
