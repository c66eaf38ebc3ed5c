import type { EntryPage } from '../../shared/bridge/library.ts'
import type { ItemSummary } from '../../shared/model/library.ts'
import {
  otherKinds,
  type EntryKind,
  type EntryOrder,
  type LibraryEntry,
  type OtherKind,
} from '../../shared/model/library-entry.ts'
import { AppError } from '../errors.ts'
import type { Connection, Value } from './connection.ts'
import { sources, type EntrySource } from './entry-sources.ts'
import { sayingTheSame } from './semantic-scope.ts'

/** What of the Library is listed. */
export interface EntryQuery {
  readonly kinds?: readonly EntryKind[]
  /** Unix milliseconds: from, and up to but not with. */
  readonly from?: number
  readonly to?: number
  readonly tag?: string
  readonly order: EntryOrder
  readonly cursor?: string
  readonly limit: number
}

/** Everything that is kept, in one order, whatever table it is in. */
export interface EntryStore {
  list(query: EntryQuery): EntryPage
  /** Tags of items outside the bin, with how many items have each, the most used first. */
  tags(): readonly { readonly tag: string; readonly items: number }[]
  /** Gives tags to items and takes others away. */
  tag(ids: readonly string[], add: readonly string[], remove: readonly string[], at: number): void
  /** Those of the items that were made within these times and have this tag. */
  among(
    ids: readonly string[],
    narrow: Pick<EntryQuery, 'from' | 'to' | 'tag'>,
  ): ReadonlySet<string>
}

/** A row of any table, in common terms; `place` orders rows of one moment within their table. */
interface Row {
  readonly place: number
  readonly id: string
  readonly kind: EntryKind
  readonly title: string
  readonly account: string
  readonly state: string | null
  readonly at: number
}

/** Builds the union over the tables; `summaryOf` reads an item as every list shows it. */
export function entryStore(
  connection: Connection,
  summaryOf: (id: string) => ItemSummary | undefined,
): EntryStore {
  const hasOthers = (): boolean =>
    connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'take_ins'`) !== undefined

  function rowsOf(source: EntrySource, query: EntryQuery, after: Cursor | null): Row[] {
    const filters = [source.where]
    const values: Value[] = []
    if (query.kinds && source.kind !== '') {
      filters.push(`${source.kind} IN (SELECT value FROM json_each(?))`)
      values.push(JSON.stringify(query.kinds))
    }
    if (query.from !== undefined) {
      filters.push(`${source.at} >= ?`)
      values.push(query.from)
    }
    if (query.to !== undefined) {
      filters.push(`${source.at} < ?`)
      values.push(query.to)
    }
    if (query.tag !== undefined) {
      filters.push('t.seq IN (SELECT item_seq FROM item_tags WHERE tag = ?)')
      values.push(query.tag)
    }
    const key = query.order === 'title' ? `${source.title} COLLATE NOCASE` : source.at
    const isDown = query.order === 'newest'
    if (after) {
      const sign = isDown ? '<' : '>'
      const isBefore = isDown ? source.rank > after.rank : source.rank < after.rank
      if (source.rank === after.rank) {
        filters.push(`(${key}, ${source.place}) ${sign} (?, ?)`)
        values.push(after.key, after.place)
      } else {
        filters.push(`${key} ${sign}${isBefore ? '' : '='} ?`)
        values.push(after.key)
      }
    }
    const way = isDown ? 'DESC' : ''
    return connection.all<Row>(
      `SELECT ${source.place} AS place, ${source.columns}, ${source.at} AS at FROM ${source.from}
       WHERE ${filters.join(' AND ')} ORDER BY ${key} ${way}, ${source.place} ${way} LIMIT ?`,
      ...values,
      query.limit + 1,
    )
  }

  const toEntry = (row: Row): LibraryEntry => {
    const isItem = !isOther(row.kind)
    return {
      id: row.id,
      kind: row.kind,
      title: row.title,
      account: row.account,
      state: row.state,
      tags: isItem ? tagsOf(connection, row.id) : [],
      item: isItem ? (summaryOf(row.id) ?? null) : null,
      createdAt: row.at,
    }
  }

  return {
    list(query) {
      const after = query.cursor === undefined ? null : readCursor(query.cursor, query.order)
      const asked = sources.filter(
        (source) =>
          (source.rank === 0 || (query.tag === undefined && hasOthers())) &&
          (!query.kinds || query.kinds.some((kind) => source.kinds.includes(kind))),
      )
      const found = asked
        .flatMap((source) => rowsOf(source, query, after).map((row) => ({ row, source })))
        .toSorted((a, b) => compare(query.order, a, b))
      const page = found.slice(0, query.limit)
      const last = page.at(-1)
      return {
        entries: page.map(({ row }) => toEntry(row)),
        next: found.length > query.limit && last ? writeCursor(query.order, last) : null,
      }
    },
    tags: () =>
      connection.all<{ tag: string; items: number }>(
        `SELECT g.tag, count(*) AS items FROM item_tags g CROSS JOIN items i ON i.seq = g.item_seq
         WHERE i.deleted_at IS NULL AND i.kind <> 'temporary' GROUP BY g.tag ORDER BY items DESC, g.tag LIMIT 500`,
      ),
    tag(ids, add, remove, at) {
      connection.transaction(() => {
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
        sayingTheSame(connection, ids, () => {
          connection.run(`UPDATE items SET updated_at = ? WHERE seq IN (${among})`, at, wanted)
        })
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

/** Tags of an item, in the order in which they were given. */
export const tagsOf = (connection: Connection, id: string): readonly string[] =>
  connection
    .all<{ tag: string }>(
      `SELECT tag FROM item_tags WHERE item_seq = (SELECT seq FROM items WHERE id = ?) ORDER BY rowid`,
      id,
    )
    .map(({ tag }) => tag)

const isOther = (kind: EntryKind): kind is OtherKind => otherKinds.some((other_) => other_ === kind)

interface Found {
  readonly row: Row
  readonly source: EntrySource
}

function compare(order: EntryOrder, a: Found, b: Found): number {
  const key = order === 'title' ? plain(a.row.title, b.row.title) : a.row.at - b.row.at || 0
  const up = key || a.source.rank - b.source.rank || a.row.place - b.row.place
  return order === 'newest' ? -up : up
}

/** As SQLite compares without regard to the case of ASCII letters. */
function plain(a: string, b: string): number {
  const [one, two] = [a, b].map((text) =>
    Buffer.from(
      text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      'utf8',
    ),
  )
  return one && two ? Buffer.compare(one, two) : 0
}

/** Where a page ended. */
interface Cursor {
  readonly key: number | string
  readonly rank: number
  readonly place: number
}

const writeCursor = (order: EntryOrder, { row, source }: Found): string =>
  JSON.stringify([order === 'title' ? row.title : row.at, source.rank, row.place])

function readCursor(cursor: string, order: EntryOrder): Cursor {
  const wrong = new AppError('BAD_REQUEST', 'This is no cursor of the list')
  let told: unknown
  try {
    told = JSON.parse(cursor)
  } catch {
    throw wrong
  }
  if (!Array.isArray(told) || told.length !== 3) throw wrong
  const [key, rank, place]: readonly unknown[] = told
  const isKey = order === 'title' ? typeof key === 'string' : Number.isSafeInteger(key)
  if (!isKey || !Number.isSafeInteger(rank) || !Number.isSafeInteger(place)) throw wrong
  return { key: key as number | string, rank: Number(rank), place: Number(place) }
}
