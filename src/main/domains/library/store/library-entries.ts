import type { EntryPage } from '../../../../shared/contract/library.ts'
import type {
  FolderKind,
  ItemFolder,
  ItemSummary,
  ListFacets,
} from '../../../../shared/model/library.ts'
import {
  otherKinds,
  type EntryKind,
  type LibraryEntry,
  type OtherKind,
} from '../../../../shared/model/library-entry.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { ownerOf, sourcesIn } from './entry-sources.ts'
import {
  readEntries,
  type EntryQuery,
  type EntryRow,
  type EntryRows,
} from './library-entries-rows.ts'

/** ID of an entry that is not an item. */
interface OtherId {
  readonly kind: OtherKind
  readonly id: string
}

/** All saved entries of all tables in one order, and how the user organized them. */
export interface EntryStore {
  list(query: EntryQuery): EntryPage
  /** Returns the tags of entries outside Trash with their number of entries, most used first. */
  tags(): readonly { readonly tag: string; readonly items: number }[]
  /**
   * Stars items, moves them to a folder, and adds and removes tags of items and other entries. Throws NOT_FOUND for a folder
   * that does not exist, BAD_REQUEST for one of another list. The time of their last change stays: their content is the same.
   */
  organize(change: {
    readonly ids: readonly string[]
    readonly others: readonly OtherId[]
    readonly starred?: boolean | undefined
    /** Null: no folder. */
    readonly folderId?: string | null | undefined
    readonly addTags: readonly string[]
    readonly removeTags: readonly string[]
  }): void
  /** Returns the folders, stars and tags of the items of a kind outside Trash. */
  facets(kind: FolderKind): ListFacets
  /** Creates a folder, or renames it. */
  saveFolder(folder: Omit<ItemFolder, 'items'> & { readonly at: number }): ItemFolder
  /** Returns the items that were in the folder, which stay without one. Throws NOT_FOUND. */
  removeFolder(id: string): readonly string[]
  /** Returns those of the items that were created in this period and have this tag and star. */
  among(
    ids: readonly string[],
    narrow: Pick<EntryQuery, 'from' | 'to' | 'tag' | 'starred'>,
  ): ReadonlySet<string>
}

/** Creates the union of the tables; `summaryOf` reads an item in the form every list shows. */
export function entryStore(
  connection: Connection,
  summaryOf: (id: string) => ItemSummary | undefined,
): EntryStore {
  const page = ({ rows, next }: EntryRows): EntryPage => ({ entries: rows.map(toEntry), next })

  const toEntry = (row: EntryRow): LibraryEntry => {
    const item = isOther(row.kind) ? null : (summaryOf(row.id) ?? null)
    const { id, kind, title, account, state, at: createdAt } = row
    return {
      id,
      kind,
      title,
      account,
      state,
      createdAt,
      tags: item ? item.tags : otherTags(row.kind, id),
      owner: ownerOf(row),
      item,
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

  function organizeItems({
    ids,
    starred,
    folderId,
    addTags,
    removeTags,
  }: Parameters<EntryStore['organize']>[0]): void {
    const wanted = JSON.stringify(ids)
    const among = 'SELECT seq FROM items WHERE id IN (SELECT value FROM json_each(?))'
    if (typeof folderId === 'string') requireFolder(folderId, wanted)
    for (const tag of addTags)
      connection.run(
        `INSERT OR IGNORE INTO item_tags(item_seq, tag) SELECT seq, ? FROM (${among})`,
        tag,
        wanted,
      )
    connection.run(
      `DELETE FROM item_tags WHERE item_seq IN (${among}) AND tag IN (SELECT value FROM json_each(?))`,
      wanted,
      JSON.stringify(removeTags),
    )
    connection.run(
      `UPDATE items SET starred = coalesce(?, starred), folder_id = iif(?, ?, folder_id) WHERE seq IN (${among})`,
      starred === undefined ? null : Number(starred),
      folderId === undefined ? 0 : 1,
      folderId ?? null,
      wanted,
    )
  }
  /** A list shows only its own folders: an item in another one would be in none of the list. */
  function requireFolder(id: string, items: string): void {
    const folder = connection.get<{ kind: string }>('SELECT kind FROM folders WHERE id = ?', id)
    if (!folder) throw new AppError('NOT_FOUND', 'Folder not found')
    const other = connection.get(
      `SELECT 1 FROM items WHERE id IN (SELECT value FROM json_each(?)) AND iif(kind = 'temporary', 'conversation', kind) <> ?`,
      items,
      folder.kind,
    )
    if (other) throw new AppError('BAD_REQUEST', 'The folder belongs to another list')
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
    organize(change) {
      connection.transaction(() => {
        organizeItems(change)
        for (const { kind, id } of change.others) {
          for (const tag of change.addTags)
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
            JSON.stringify(change.removeTags),
          )
        }
      })
    },
    facets: (kind) => ({
      folders: connection.all<ItemFolder>(
        `${selectFolders} WHERE f.kind = ? ORDER BY f.created_at, f.id`,
        kind,
      ),
      starred:
        connection.get(
          'SELECT 1 FROM items WHERE starred = 1 AND deleted_at IS NULL AND kind = ? LIMIT 1',
          kind,
        ) !== undefined,
      tags: connection
        .all<{ tag: string }>(
          // Each tag is looked up in the index once, whatever the number of its items.
          `WITH RECURSIVE names(tag) AS (
             SELECT min(tag) FROM item_tags
             UNION ALL SELECT (SELECT min(tag) FROM item_tags WHERE tag > names.tag) FROM names WHERE tag IS NOT NULL)
           SELECT tag FROM names WHERE tag IS NOT NULL AND EXISTS (
             SELECT 1 FROM item_tags g CROSS JOIN items i ON i.seq = g.item_seq
             WHERE g.tag = names.tag AND i.kind = ? AND i.deleted_at IS NULL) LIMIT 500`,
          kind,
        )
        .map(({ tag }) => tag),
    }),
    saveFolder({ id, kind, name, at }) {
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO folders(id, kind, name, created_at) VALUES (?, ?, ?, ?)
           ON CONFLICT(id) DO UPDATE SET name = excluded.name`,
          id,
          kind,
          name,
          at,
        )
        const saved = connection.get<ItemFolder>(`${selectFolders} WHERE f.id = ?`, id)
        if (!saved) throw new AppError('INTERNAL', 'The folder was not saved')
        return saved
      })
    },
    removeFolder(id) {
      return connection.transaction(() => {
        const { changes } = connection.run('DELETE FROM folders WHERE id = ?', id)
        if (changes === 0) throw new AppError('NOT_FOUND', 'Folder not found')
        const items = connection.all<{ id: string }>('SELECT id FROM items WHERE folder_id = ?', id)
        connection.run('UPDATE items SET folder_id = NULL WHERE folder_id = ?', id)
        return items.map((item) => item.id)
      })
    },
    among(ids, { from, to, tag, starred }) {
      const rows = connection.all<{ id: string }>(
        `SELECT t.id FROM items t WHERE t.id IN (SELECT value FROM json_each(?)) AND t.created_at >= ? AND t.created_at < ?
         AND (? IS NULL OR EXISTS (SELECT 1 FROM item_tags g WHERE g.item_seq = t.seq AND g.tag = ?)) AND t.starred >= ?`,
        JSON.stringify(ids),
        from ?? 0,
        to ?? Number.MAX_SAFE_INTEGER,
        tag ?? null,
        tag ?? null,
        starred ? 1 : 0,
      )
      return new Set(rows.map(({ id }) => id))
    },
  }
}

const selectFolders = `SELECT f.id, f.kind, f.name, (
    SELECT count(*) FROM items i WHERE i.folder_id = f.id AND i.deleted_at IS NULL AND i.kind = f.kind) AS items
  FROM folders f`

const isOther = (kind: EntryKind): kind is OtherKind => otherKinds.some((one) => one === kind)
