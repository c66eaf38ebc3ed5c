import type Database from 'better-sqlite3'
import {
  itemKinds,
  itemTraits,
  type ItemKind,
  type SearchHit,
  type SearchReply,
} from '../../../../shared/model/library.ts'
import { locate, type Range } from '../../../../shared/text/locate.ts'
import { matchExpression, parseQuery, type Term } from '../../../../shared/text/query.ts'
import { textExpression } from './search-expression.ts'
import { containsAll, searchKinds } from './search-kinds.ts'
import { locateFirst, textReader } from './search-messages.ts'
import { type PartTexts, rowsPerItem } from '../../../platform/database/search-rows.ts'
import { itemKindSql } from '../../../platform/database/recordings-to-meetings.ts'
import { minUnits, prefilterFrom, prefilterOf, type Prefilter } from './search-prefilter.ts'
import { snippet } from '../../../platform/database/search-snippet.ts'

/** Search query: the words as typed, and the maximum number of items. */
export interface SearchQuery {
  readonly query: string
  readonly kinds?: readonly ItemKind[]
  /** Creation time of items in Unix milliseconds: from (inclusive), to (exclusive). */
  readonly from?: number
  readonly to?: number
  /** Only items with this tag. */
  readonly tag?: string
  /** Only starred items. */
  readonly starred?: true
  readonly limit: number
}

interface Candidate {
  readonly row: number
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  readonly created_at: number
}

// The index walks its rows from the newest down and stops when the consumer does; nothing is ranked or sorted.
const sql = `
  SELECT s.rowid AS row, i.id, ${itemKindSql('i')} AS kind, i.title, i.created_at
  FROM search_text s
  CROSS JOIN items i ON i.seq = s.rowid / ${rowsPerItem}
  WHERE s.search_text MATCH ? AND i.deleted_at IS NULL AND (? IS NULL OR i.kind IN (SELECT value FROM json_each(?)))
  ORDER BY s.rowid DESC`

/**
 * Runs a query in small steps (one row each), so that the worker can switch to a newer one in between. One result per item,
 * newest first: items by creation time, chats by the matching message.
 */
export function* runSearch(
  db: Database.Database,
  query: SearchQuery,
): Generator<undefined, SearchReply> {
  const started = performance.now()
  const terms = parseQuery(query.query)
  const hits: SearchHit[] = []
  let more = false
  if (terms.length > 0 && query.limit > 0) {
    const withMessages = query.kinds?.includes('conversation') ?? true
    const shown = new Set<string>()
    const fits = narrowed(db, query)
    const both = newestOf(
      itemHits(db, terms, query.kinds),
      withMessages ? conversationHits(db, terms, query.limit) : [].values(),
    )
    for (const hit of both) {
      yield
      if (!hit || shown.has(hit.itemId) || !fits(hit.itemId)) continue
      if (hits.length === query.limit) {
        more = true
        break
      }
      hits.push(hit)
      shown.add(hit.itemId)
    }
  }
  return { hits, more, tookMs: Math.round((performance.now() - started) * 100) / 100 }
}

/** Returns a predicate for items created in the requested period, with the requested tag or star. */
function narrowed(
  db: Database.Database,
  { from, to, tag, starred }: Pick<SearchQuery, 'from' | 'to' | 'tag' | 'starred'>,
): (itemId: string) => boolean {
  if (from === undefined && to === undefined && tag === undefined && !starred) return () => true
  const times = `SELECT seq FROM items WHERE id = ? AND created_at >= ? AND created_at < ?${starred ? ' AND starred = 1' : ''}`
  const bounds = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER] as const
  if (tag === undefined) {
    const within = db.prepare<[string, number, number]>(times)
    return (itemId) => within.get(itemId, ...bounds) !== undefined
  }
  const tagged = db.prepare<[string, number, number, string]>(
    `SELECT 1 FROM item_tags WHERE item_seq = (${times}) AND tag = ?`,
  )
  return (itemId) => tagged.get(itemId, ...bounds, tag) !== undefined
}

/** Merges two sequences of results, newer first; undefined for a step without a result. */
function* newestOf(
  one: Iterator<SearchHit | undefined>,
  other: Iterator<SearchHit | undefined>,
): Generator<SearchHit | undefined> {
  const rows = [one, other].map((hits) => ({ hits, head: null as SearchHit | null, done: false }))
  try {
    while (true) {
      for (const row of rows) {
        while (!row.head && !row.done) {
          const { value, done } = row.hits.next()
          if (done === true) row.done = true
          else if (value === undefined) yield undefined
          else row.head = value
        }
      }
      const [first] = rows
        .filter((row) => row.head)
        .toSorted((a, b) => (b.head?.createdAt ?? 0) - (a.head?.createdAt ?? 0))
      if (!first?.head) return
      const hit = first.head
      first.head = null
      yield hit
    }
  } finally {
    for (const { hits } of rows) hits.return?.()
  }
}

/**
 * Yields results of items by their titles, lines and blocks, newest first; undefined for rows without one.
 */
function* itemHits(
  db: Database.Database,
  terms: readonly Term[],
  kinds: readonly ItemKind[] | undefined,
): Generator<SearchHit | undefined> {
  // A library of a later version may contain other kinds.
  const listed = JSON.stringify(kinds ?? itemKinds)
  const statement = db.prepare<unknown[], Candidate>(sql)
  const hitOfRows = rowsToHit(db, terms)
  // The rows of an item follow each other.
  let rows: Candidate[] = []
  for (const row of statement.iterate(matchExpression(terms), listed, listed)) {
    const isSame = row.id === rows[0]?.id
    const hit = isSame || rows.length === 0 ? null : hitOfRows(rows)
    if (!isSame) rows = []
    rows.push(row)
    yield hit ?? undefined
  }
  if (rows.length > 0) yield hitOfRows(rows) ?? undefined
}

/** Number of rows of an item that are read for its first mention. */
const maxRead = 8

/** Returns a function that creates the result of an item from its matching rows, the last of them first. */
function rowsToHit(
  db: Database.Database,
  terms: readonly Term[],
): (rows: readonly Candidate[]) => SearchHit | null {
  const readers = new Map<ItemKind, (row: number) => PartTexts>()
  const textsOf = ({ kind, row }: Candidate): PartTexts => {
    const reader = readers.get(kind) ?? searchKinds[kind].texts(db, terms)
    readers.set(kind, reader)
    return reader(row)
  }
  const withText = db.prepare<[string, bigint, bigint], { row: number }>(
    `SELECT rowid AS row FROM search_text WHERE search_text MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ${maxRead}`,
  )
  /** Rows to read for the first mention. Each row contains the title, too: if that matches, the rows say nothing of the text. */
  const firstRows = (rows: readonly Candidate[]): readonly Candidate[] => {
    const [last] = rows
    const first = rows.at(-1)
    if (!last || !first || rows.length === 1 || !locate(last.title, terms).some(found))
      return rows.toReversed().slice(0, maxRead)
    return withText
      .all(`body : (${matchExpression(terms)})`, BigInt(first.row), BigInt(last.row))
      .map(({ row }) => ({ ...last, row }))
  }
  return (rows) => {
    const [last] = rows
    const inOrder = last !== undefined && searchKinds[last.kind].inOrder
    if (inOrder)
      for (const row of firstRows(rows)) {
        const texts = textsOf(row)
        if (containsAll(texts, terms)) return toHit(row, texts, terms)
      }
    for (const row of inOrder ? rows.toReversed() : rows) {
      const hit = toHit(row, textsOf(row), terms)
      if (hit) return hit
    }
    return null
  }
}

/**
 * Creates the result of a row. The text is shown if it contains every term, or if the title alone does not; otherwise the
 * title. Null when the terms cannot be found in the originals.
 */
function toHit(row: Candidate, texts: PartTexts, terms: readonly Term[]): SearchHit | null {
  const text = texts.text ?? ''
  const inText = locate(text, terms)
  const inTitle = locate(row.title, terms)
  if (!terms.every((_, index) => found(inText[index]) || found(inTitle[index]))) return null
  const showText = inText.every(found) || (!inTitle.every(found) && inText.some(found))
  const shown = showText ? text : row.title
  const ranges = (showText ? inText : inTitle).flat()
  const offset = ranges.reduce((min, range) => Math.min(min, range[0]), shown.length)
  const part = texts.parts?.findLast((each) => each.start <= offset) ?? {
    id: texts.part,
    start: 0,
    page: undefined,
  }
  const cut = snippet(shown, offset, ranges, showText && row.kind === 'document')
  return {
    itemId: row.id,
    kind: row.kind,
    title: row.title,
    field: showText ? itemTraits[row.kind].part : 'title',
    partId: showText ? part.id : null,
    ...(showText && part.page !== undefined && { page: part.page }),
    snippet: cut.text,
    ranges: cut.ranges,
    offset: showText ? offset - part.start : offset,
    createdAt: row.created_at,
  }
}

const found = (ranges: readonly Range[] | undefined): boolean => (ranges?.length ?? 0) > 0

/**
 * Number of consecutive rows of chats already returned, after which the next other chat is looked up: querying the index
 * again takes as long.
 */
const repeats = 2000

interface Found {
  readonly row: number
  readonly item_seq: number
  readonly id: string
  readonly created_at: number
  readonly conversation: string
  readonly title: string
  readonly deleted: number
}

const columns = `m.item_seq, m.id, m.created_at, i.id AS conversation, i.title, i.deleted_at IS NOT NULL AS deleted`
const matching = `
  SELECT s.rowid AS row, ${columns}
  FROM message_text s CROSS JOIN messages m ON m.seq = s.rowid / ${rowsPerItem} CROSS JOIN items i ON i.seq = m.item_seq
  WHERE s.rowid < ? AND s.message_text MATCH ? ORDER BY s.rowid DESC`
const all = `
  SELECT m.seq * ${rowsPerItem} AS row, ${columns}
  FROM messages m CROSS JOIN items i ON i.seq = m.item_seq
  WHERE m.seq < ? AND i.kind = 'conversation' AND m.state <> 'running' ORDER BY m.seq DESC`

/**
 * Yields chats by message text, newest message first, each once; undefined for rows without a new result. `wanted` is the
 * requested number.
 */
function* conversationHits(
  db: Database.Database,
  terms: readonly Term[],
  wanted: number,
): Generator<SearchHit | undefined> {
  const nextOther = db.prepare<[number, string], { seq: number | null }>(
    'SELECT max(seq) AS seq FROM messages WHERE seq < ? AND item_seq NOT IN (SELECT value FROM json_each(?))',
  )
  const read = textReader(db)
  const shown = new Set<number>()
  const whole: Prefilter = { terms, maxUnits: Infinity }
  let prefilter = prefilterOf(db, terms, wanted, prefilterFrom) ?? whole
  let units = 0
  let below = Number.MAX_SAFE_INTEGER
  for (let goesOn = true; goesOn;) {
    goesOn = false
    let again = 0
    for (const row of rowsBelow(db, prefilter.terms, below)) {
      if (shown.has(row.item_seq)) {
        yield undefined
        if (++again < repeats) continue
        // Thousands of messages of one chat are skipped in the table, which is much faster to walk than the index.
        const other = nextOther.get(
          Math.floor(row.row / rowsPerItem),
          JSON.stringify(Array.from(shown)),
        )
        if (!other || other.seq === null) return
        below = (other.seq + 1) * rowsPerItem
        goesOn = true
        break
      }
      again = 0
      const text = row.deleted === 0 ? read(row.row) : ''
      const hit = row.deleted === 0 ? yield* hitOf(row, text, terms) : null
      if (hit || row.deleted !== 0) shown.add(row.item_seq)
      yield hit ?? undefined
      units += Math.max(minUnits, text.length)
      if (units <= prefilter.maxUnits) continue
      // Too much text was scanned in vain: query the index for all terms from here on.
      prefilter = whole
      below = row.row
      goesOn = true
      break
    }
  }
}

/** Returns rows below a number, newest first: those the index finds, or all when there are no terms for it. */
function rowsBelow(
  db: Database.Database,
  terms: readonly Term[],
  below: number,
): IterableIterator<Found> {
  if (terms.length === 0)
    return db.prepare<[number], Found>(all).iterate(Math.floor(below / rowsPerItem))
  return db
    .prepare<[bigint, string], Found>(matching)
    .iterate(BigInt(below), textExpression(terms, undefined))
}

function* hitOf(
  row: Found,
  text: string,
  terms: readonly Term[],
): Generator<undefined, SearchHit | null> {
  const first = yield* locateFirst(text, terms)
  if (!first) return null
  const cut = snippet(text, first.offset, first.ranges)
  return {
    itemId: row.conversation,
    kind: 'conversation',
    title: row.title,
    field: 'message',
    partId: row.id,
    snippet: cut.text,
    ranges: cut.ranges,
    offset: first.offset,
    createdAt: row.created_at,
  }
}
