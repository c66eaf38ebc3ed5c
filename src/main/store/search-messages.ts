import type Database from 'better-sqlite3'
import type { MessageHit } from '../../shared/model/chat.ts'
import { blankMarks } from '../../shared/chat/references.ts'
import { locate, type Range } from '../../shared/text/locate.ts'
import { parseQuery, type Term } from '../../shared/text/query.ts'
import { wholeText } from './chats-parts.ts'
import { chunkCount, chunkOf, chunkStart } from './chats-chunks.ts'
import type { MessageQuery } from './chats-types.ts'
import { messageExpression } from './search-expression.ts'
import { rowsPerItem } from './search-numbers.ts'
import { maxRanked, rankedRows } from './search-ranked.ts'
import { snippet } from './search-snippet.ts'
import { minUnits, prefilterFrom, prefilterOf, type Prefilter } from './search-prefilter.ts'

/** Result of a message search. */
export interface MessageSearchReply {
  readonly hits: readonly MessageHit[]
  readonly more: boolean
  readonly tookMs: number
}

/** A row of the index with the returned fields of its message. */
export interface FoundMessage {
  readonly row: number
  readonly id: string
  readonly role: MessageHit['role']
  readonly created_at: number
  readonly conversation: string
  readonly title: string
}

/** Messages `m` of existing conversations `i` outside Trash, within a period. */
const columns = 'm.id, m.role, m.created_at, i.id AS conversation, i.title'
const there = `CROSS JOIN items i ON i.seq = m.item_seq
  WHERE i.deleted_at IS NULL AND m.created_at >= ? AND m.created_at < ?`

// The index walks its rows from the newest down and stops when the consumer does.
const newestFirst = `SELECT s.rowid AS row, ${columns} FROM message_text s
  CROSS JOIN messages m ON m.seq = s.rowid / ${rowsPerItem} ${there} AND s.message_text MATCH ? ORDER BY s.rowid DESC`
// By number, not by the index of times, which would sort them all first.
const all = `SELECT m.seq * ${rowsPerItem} AS row, ${columns} FROM messages m CROSS JOIN items i ON i.seq = m.item_seq
  WHERE i.kind = 'conversation' AND i.deleted_at IS NULL AND +m.created_at >= ? AND +m.created_at < ?
    AND m.state <> 'running' AND m.role = coalesce(?, m.role) AND m.who = coalesce(?, m.who) ORDER BY m.seq DESC`
const one = `SELECT ${columns} FROM messages m ${there} AND m.seq = ?`

/** That share when sorting by relevance: a term that ranks is rarer than `common` there. */
const prefilterRanked = 0.05

/** Runs a message search in small steps. One result per message, newest or best first. */
export function* searchMessages(
  db: Database.Database,
  query: MessageQuery,
): Generator<undefined, MessageSearchReply> {
  const started = performance.now()
  const terms = parseQuery(query.query)
  const prefilter = prefilterOf(
    db,
    terms,
    query.limit,
    query.ranked ? prefilterRanked : prefilterFrom,
  )
  const found =
    (prefilter && (yield* collect(db, query, terms, prefilter))) ??
    (yield* collect(db, query, terms, { terms, maxUnits: Infinity })) ??
    none
  return { ...found, tookMs: Math.round((performance.now() - started) * 100) / 100 }
}

const none = { hits: [], more: false }

/**
 * Yields results among the index matches for `asked`; null if these are not all terms and too much had to be scanned.
 */
function* collect(
  db: Database.Database,
  query: MessageQuery,
  terms: readonly Term[],
  prefilter: Prefilter,
): Generator<undefined, Pick<MessageSearchReply, 'hits' | 'more'> | null> {
  if (terms.length === 0 || query.limit <= 0) return none
  const isPrefiltered = prefilter.terms.length < terms.length
  const hits: MessageHit[] = []
  const seen = new Set<string>()
  const read = textReader(db)
  let units = 0
  let rows = 0
  for (const found of candidates(db, prefilter.terms, query)) {
    yield
    rows += 1
    if (seen.has(found.id)) continue
    seen.add(found.id)
    const text = read(found.row)
    units += Math.max(minUnits, text.length)
    if (units > prefilter.maxUnits) return null
    const hit = yield* messageHit(found, text, terms)
    if (!hit) continue
    if (hits.length === query.limit) return { hits, more: true }
    hits.push(hit)
  }
  // There may be more than the ranked ones.
  return isPrefiltered && query.ranked && rows >= maxRanked ? null : { hits, more: false }
}

function candidates(
  db: Database.Database,
  terms: readonly Term[],
  query: MessageQuery,
): Iterable<FoundMessage> {
  const times = db
    .prepare<[], { oldest: number | null; newest: number | null }>(
      'SELECT (SELECT min(created_at) FROM messages) AS oldest, (SELECT max(created_at) FROM messages) AS newest',
    )
    .get()
  if (!times || times.newest === null || times.oldest === null) return []
  const span = [query.from ?? times.oldest, query.to ?? times.newest + 1] as const
  if (terms.length === 0)
    return db
      .prepare<unknown[], FoundMessage>(all)
      .iterate(...span, query.role ?? null, query.who ?? null)
  const expression = messageExpression(terms, query, [times.oldest, times.newest])
  if (!query.ranked)
    return db.prepare<unknown[], FoundMessage>(newestFirst).iterate(...span, expression)
  return theseRows(db, rankedRows(db, terms, query.role, expression), span)
}

function* theseRows(
  db: Database.Database,
  rows: readonly number[],
  span: readonly [number, number],
): Generator<FoundMessage> {
  const read = db.prepare<unknown[], Omit<FoundMessage, 'row'>>(one)
  for (const row of rows) {
    const found = read.get(...span, Math.floor(row / rowsPerItem))
    if (found) yield { row, ...found }
  }
}

/** Returns a reader for the text behind a row of the index. */
export function textReader(db: Database.Database): (row: number) => string {
  const body = db.prepare<[number], { text: string }>(
    `SELECT ${wholeText} AS text FROM message_bodies b WHERE b.message_seq = ?`,
  )
  return (row) => body.get(Math.floor(row / rowsPerItem))?.text ?? ''
}

/** Finds the first position of all terms in a text: in the first piece that contains them, as indexed. */
export function* locateFirst(
  text: string,
  terms: readonly Term[],
): Generator<undefined, { readonly offset: number; readonly ranges: readonly Range[] } | null> {
  for (let place = 0; place < chunkCount(text.length); place++) {
    const held = locate(blankMarks(chunkOf(text, place)), terms)
    if (held.every((ranges) => ranges.length > 0)) {
      const start = chunkStart(place)
      const ranges = held.flat().map(([from, to]) => [from + start, to + start] as const)
      return { offset: Math.min(...ranges.map(([from]) => from)), ranges }
    }
    yield
  }
  return null
}

function* messageHit(
  found: FoundMessage,
  text: string,
  terms: readonly Term[],
): Generator<undefined, MessageHit | null> {
  const first = yield* locateFirst(text, terms)
  if (!first) return null
  const cut = snippet(text, first.offset, first.ranges)
  return {
    conversationId: found.conversation,
    messageId: found.id,
    title: found.title,
    role: found.role,
    snippet: cut.text,
    ranges: cut.ranges,
    offset: first.offset,
    createdAt: found.created_at,
  }
}
