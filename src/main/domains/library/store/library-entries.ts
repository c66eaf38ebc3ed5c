import type { EntryPage } from '../../../../shared/contract/library.ts'
import type { ItemSummary } from '../../../../shared/model/library.ts'
import {
  otherKinds,
  type EntryKind,
  type LibraryEntry,
  type OtherKind,
} from '../../../../shared/model/library-entry.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { ownerOf, sourcesIn } from './entry-sources.ts'
import {
  readEntries,
  type EntryQuery,
  type EntryRow,
  type EntryRows,
} from './library-entries-rows.ts'
import { writeWithoutReindexing } from '../../../platform/database/semantic-stamp.ts'

/** ID of an entry that is not an item. */
interface OtherId {
  readonly kind: OtherKind
  readonly id: string
}

/** All saved entries of all tables in one order. */
export interface EntryStore {
  list(query: EntryQuery): EntryPage
  /** Returns the tags of entries outside Trash with their number of entries, most used first. */
  tags(): readonly { readonly tag: string; readonly items: number }[]
  /** Adds and removes tags of items and other entries. */
  tag(change: {
    readonly ids: readonly string[]
    readonly others: readonly OtherId[]
    readonly add: readonly string[]
    readonly remove: readonly string[]
    readonly at: number
  }): void
  /** Returns those of the items that were created in this period and have this tag. */
  among(
    ids: readonly string[],
    narrow: Pick<EntryQuery, 'from' | 'to' | 'tag'>,
  ): ReadonlySet<string>
}

/** Creates the union of the tables; `summaryOf` reads an item in the form every list shows. */
export function entryStore(
  connection: Connection,
  summaryOf: (id: string) => ItemSummary | undefined,
): EntryStore {
  const page = ({ rows, next }: EntryRows): EntryPage => ({ entries: rows.map(toEntry), next })

  const toEntry = (row: EntryRow): LibraryEntry => {
    const isItem = !isOther(row.kind)
    const { id, kind, title, account, state, at: createdAt } = row
    return {
      id,
      kind,
      title,
      account,
      state,
      createdAt,
      tags: isItem ? tagsOf(connection, id) : otherTags(row.kind, id),
      owner: ownerOf(row),
      item: isItem ? (summaryOf(id) ?? null) : null,
    }
  }
  const otherTags = (kind: string, id: string): readonly string[] =>
    connection
      .all<{ tag: string }>('SELECT tag FROM entry_tags WHERE kind = ? AND id = ?', kind, id)
      .map(({ tag }) => tag)

  /** Tags of listed entries that are not items: removed ones keep their tags until they are restored. */
  const ofOthers = (): string => {
    const queries = sourcesIn(connection.all)
      .slice(1)
      .map(({ kinds, from, id, where }) => {
        const tags = `UNION ALL SELECT g.tag FROM entry_tags g WHERE g.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`
        // If every row is listed, a deleted row takes its tags with it.
        return where === 'true'
          ? tags
          : `${tags} AND EXISTS (SELECT 1 FROM ${from} WHERE ${id} = g.id AND ${where})`
      })
    return queries.join('\n')
  }

  function tagItems(
    ids: readonly string[],
    add: readonly string[],
    remove: readonly string[],
    at: number,
  ): void {
    const wanted = JSON.stringify(ids)
    const among = 'SELECT seq FROM items WHERE id IN (SELECT value FROM json_each(?))'
    for (const tag of add)
      connection.run(
        `INSERT OR IGNORE INTO item_tags(item_seq, tag) SELECT seq, ? FROM (${among})`,
        tag,
        wanted,
      )
    connection.run(
      `DELETE FROM item_tags WHERE item_seq IN (${among}) AND tag IN (SELECT value FROM json_each(?))`,
      wanted,
      JSON.stringify(remove),
    )
    writeWithoutReindexing(connection, ids, () => {
      connection.run(`UPDATE items SET updated_at = ? WHERE seq IN (${among})`, at, wanted)
    })
  }

  return {
    list: (query) => page(readEntries(connection.all, query)),
    tags: () =>
      connection.all<{ tag: string; items: number }>(
        `SELECT tag, count(*) AS items FROM (
           SELECT g.tag FROM item_tags g CROSS JOIN items i ON i.seq = g.item_seq
             WHERE i.deleted_at IS NULL AND i.kind <> 'temporary'
           ${ofOthers()})
         GROUP BY tag ORDER BY items DESC, tag LIMIT 500`,
      ),
    tag({ ids, others, add, remove, at }) {
      connection.transaction(() => {
        tagItems(ids, add, remove, at)
        for (const { kind, id } of others) {
          for (const tag of add)
            connection.run(
              'INSERT OR IGNORE INTO entry_tags(kind, id, tag) VALUES (?, ?, ?)',
              kind,
              id,
              tag,
            )
          connection.run(
            'DELETE FROM entry_tags WHERE kind = ? AND id = ? AND tag IN (SELECT value FROM json_each(?))',
            kind,
            id,
            JSON.stringify(remove),
          )
        }
      })
    },
    among(ids, { from, to, tag }) {
      const rows = connection.all<{ id: string }>(
        `SELECT t.id FROM items t WHERE t.id IN (SELECT value FROM json_each(?)) AND t.created_at >= ? AND t.created_at < ?
         AND (? IS NULL OR EXISTS (SELECT 1 FROM item_tags g WHERE g.item_seq = t.seq AND g.tag = ?))`,
        JSON.stringify(ids),
        from ?? 0,
        to ?? Number.MAX_SAFE_INTEGER,
        tag ?? null,
        tag ?? null,
      )
      return new Set(rows.map(({ id }) => id))
    },
  }
}

/** Returns the tags of an item in the order they were added. */
const tagsOf = (connection: Connection, id: string): readonly string[] =>
  connection
    .all<{ tag: string }>(
      `SELECT tag FROM item_tags WHERE item_seq = (SELECT seq FROM items WHERE id = ?) ORDER BY rowid`,
      id,
    )
    .map(({ tag }) => tag)

const isOther = (kind: EntryKind): kind is OtherKind => otherKinds.some((one) => one === kind)
