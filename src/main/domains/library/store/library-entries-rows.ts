import { itemKinds } from '../../../../shared/model/library.ts'
import {
  otherKinds,
  type EntryKind,
  type EntryOrder,
} from '../../../../shared/model/library-entry.ts'
import { AppError } from '../../../errors.ts'
import type { Value } from '../../../platform/database/connection.ts'
import { sourcesIn, type EntrySource, type OwnerColumns } from './entry-sources.ts'

/** Filter of a Library list. */
export interface EntryQuery {
  readonly kinds?: readonly EntryKind[]
  /** Unix milliseconds: from (inclusive) and to (exclusive). */
  readonly from?: number
  readonly to?: number
  readonly tag?: string
  /** Only starred items; other entries have no star. */
  readonly starred?: true
  readonly order: EntryOrder
  readonly cursor?: string
  readonly limit: number
}

/** A row of any table in common columns; `place` orders rows of the same table with the same time. */
export interface EntryRow extends OwnerColumns {
  readonly place: number
  readonly id: string
  readonly kind: EntryKind
  readonly title: string
  readonly account: string
  readonly state: string | null
  readonly at: number
}

/** A page of rows; `next` is the cursor of the following page. */
export interface EntryRows {
  readonly rows: readonly EntryRow[]
  readonly next: string | null
}

/** Runs a query on the store's connection or on a read-only one. */
type ReadRows = <Row>(sql: string, ...values: Value[]) => Row[]

/** Reads a page of the union, table by table. Throws BAD_REQUEST for the cursor of another list. */
export function readEntries(all: ReadRows, query: EntryQuery): EntryRows {
  if (query.order === 'kind') return readByKind(all, query)
  const after = query.cursor === undefined ? null : readCursor(query.cursor, query.order)
  const withTag =
    query.tag !== undefined
      ? all<{ kind: string }>('SELECT DISTINCT kind FROM entry_tags WHERE tag = ?', query.tag)
      : null
  const isTagged = (source: EntrySource): boolean =>
    withTag === null || withTag.some(({ kind }) => source.kinds.some((one) => one === kind))
  const selected = sourcesIn(all).filter(
    (source) =>
      (source.rank === 0 || (isTagged(source) && !query.starred)) &&
      (!query.kinds || query.kinds.some((kind) => source.kinds.includes(kind))),
  )
  const found: Found[] = []
  for (const source of selected)
    for (const row of rowsOf(all, source, query, after)) found.push({ row, source })
  const sorted = found.toSorted((a, b) => compare(query.order, a, b))
  const page = sorted.slice(0, query.limit)
  const last = page.at(-1)
  return {
    rows: page.map(({ row }) => row),
    next: sorted.length > query.limit && last ? writeCursor(query.order, last) : null,
  }
}

/** Reads a page of the kinds one after another, each newest first; the cursor is a kind and the cursor within it. */
function readByKind(all: ReadRows, { cursor, ...query }: EntryQuery): EntryRows {
  const kinds = [...itemKinds, ...otherKinds].filter((kind) => query.kinds?.includes(kind) ?? true)
  const [first, after] = cursor === undefined ? [kinds[0], null] : readKindCursor(cursor, kinds)
  const rows: EntryRow[] = []
  let at = first === undefined ? kinds.length : kinds.indexOf(first)
  let inside = after
  for (let kind = kinds[at]; kind !== undefined; kind = kinds[++at]) {
    const limit = query.limit - rows.length
    if (limit === 0) return { rows, next: JSON.stringify([kind, null]) }
    const one = { ...query, kinds: [kind], order: 'newest', limit } as const
    const page = readEntries(all, inside === null ? one : { ...one, cursor: inside })
    inside = null
    rows.push(...page.rows)
    if (page.next !== null) return { rows, next: JSON.stringify([kind, page.next]) }
  }
  return { rows, next: null }
}

function rowsOf(
  all: ReadRows,
  source: EntrySource,
  query: EntryQuery,
  after: Cursor | null,
): EntryRow[] {
  const filters = [source.where]
  const values: Value[] = []
  const only = (sql: string, ...more: Value[]): void => {
    filters.push(sql)
    values.push(...more)
  }
  const { kinds } = query
  if (kinds && source.kind !== '' && !source.kinds.every((kind) => kinds.includes(kind)))
    only(`${source.kind} IN (SELECT value FROM json_each(?))`, JSON.stringify(kinds))
  if (query.from !== undefined) only(`${source.at} >= ?`, query.from)
  if (query.to !== undefined) only(`${source.at} < ?`, query.to)
  if (query.starred) only('t.starred = 1')
  if (query.tag !== undefined) {
    if (source.rank === 0)
      only('t.seq IN (SELECT item_seq FROM item_tags WHERE tag = ?)', query.tag)
    else
      only(
        `${source.id} IN (SELECT id FROM entry_tags WHERE tag = ? AND kind IN (SELECT value FROM json_each(?)))`,
        query.tag,
        JSON.stringify(source.kinds),
      )
  }
  const key = query.order === 'title' ? `${source.title} COLLATE NOCASE` : source.at
  const isDown = query.order === 'newest'
  if (after) {
    const sign = isDown ? '<' : '>'
    const isBefore = isDown ? source.rank > after.rank : source.rank < after.rank
    if (source.rank === after.rank)
      only(`(${key}, ${source.place}) ${sign} (?, ?)`, after.key, after.place)
    else only(`${key} ${sign}${isBefore ? '' : '='} ?`, after.key)
  }
  const way = isDown ? 'DESC' : ''
  // Few entries have a tag: collect and sort them instead of scanning all entries in order.
  const sorted = query.tag === undefined ? '' : '+'
  return all<EntryRow>(
    `SELECT ${source.place} AS place, ${source.columns}, ${source.at} AS at FROM ${source.from}
     WHERE ${filters.join(' AND ')} ORDER BY ${sorted}${key} ${way}, ${source.place} ${way} LIMIT ?`,
    ...values,
    query.limit + 1,
  )
}

interface Found {
  readonly row: EntryRow
  readonly source: EntrySource
}

function compare(order: EntryOrder, a: Found, b: Found): number {
  const key = order === 'title' ? plain(a.row.title, b.row.title) : a.row.at - b.row.at || 0
  const up = key || a.source.rank - b.source.rank || a.row.place - b.row.place
  return order === 'newest' ? -up : up
}

/** Compares like SQLite, ignoring the case of ASCII letters. */
function plain(a: string, b: string): number {
  const [one, two] = [a, b].map((text) =>
    Buffer.from(
      text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      'utf8',
    ),
  )
  return one && two ? Buffer.compare(one, two) : 0
}

/** End of a page. */
interface Cursor {
  readonly key: number | string
  readonly rank: number
  readonly place: number
}

const writeCursor = (order: EntryOrder, { row, source }: Found): string =>
  JSON.stringify([order === 'title' ? row.title : row.at, source.rank, row.place])

const wrongCursor = (): AppError => new AppError('BAD_REQUEST', 'Invalid list cursor')

function cursorValues(cursor: string, length: number): readonly unknown[] {
  let value: unknown
  try {
    value = JSON.parse(cursor)
  } catch {
    throw wrongCursor()
  }
  if (!Array.isArray(value) || value.length !== length) throw wrongCursor()
  return value
}

function readCursor(cursor: string, order: EntryOrder): Cursor {
  const [key, rank, place] = cursorValues(cursor, 3)
  const isKey = order === 'title' ? typeof key === 'string' : Number.isSafeInteger(key)
  if (!isKey || !Number.isSafeInteger(rank) || !Number.isSafeInteger(place)) throw wrongCursor()
  return { key: key as number | string, rank: Number(rank), place: Number(place) }
}

function readKindCursor(
  cursor: string,
  kinds: readonly EntryKind[],
): readonly [kind: EntryKind, within: string | null] {
  const [name, within] = cursorValues(cursor, 2)
  const kind = kinds.find((one) => one === name)
  if (kind === undefined || (within !== null && typeof within !== 'string')) throw wrongCursor()
  return [kind, within]
}
