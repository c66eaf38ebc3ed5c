import type Database from 'better-sqlite3'
import { blankMarks } from '../../../../shared/chats/references.ts'
import type { MessageHit } from '../../../../shared/model/chat.ts'
import { locate, type Range } from '../../../../shared/text/locate.ts'
import { parseQuery, type Term } from '../../../../shared/text/query.ts'
import {
  chunkCount,
  chunkOf,
  chunkStart,
  wholeText,
  type MessageQuery,
} from '../../chats/store/index.ts'
import { messageExpression, textExpression } from './search-expression.ts'
import { rowsPerItem } from '../../../platform/database/search-rows.ts'
import {
  minUnits,
  prefilterFrom,
  prefilterOf,
  type Prefilter,
  isGathered,
  shareOf,
} from './search-prefilter.ts'
import { snippet } from '../../../platform/database/search-snippet.ts'

/** Result of a message search. */
export interface MessageSearchReply {
  readonly hits: readonly MessageHit[]
  readonly more: boolean
  readonly tookMs: number
}

/** A row of the index with the returned fields of its message. */
interface FoundMessage {
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

/** Number of newest matches searched for the best: ranking takes about a microsecond for each. */
const maxRanked = 3000
/** Maximum number of index rows ranked to find them. */
const weighed = 6000
/** Number of newest matches of a term used to estimate how common it is. */
const sampled = 1000
/**
 * A term in more than this share of all messages is a weak criterion, and counting it would take longer than everything else.
 */
const common = 0.05

/**
 * Returns index rows that contain all terms: the best first (bm25), then the others, newest first. The newest matches are
 * ranked by the terms that are not common; filters narrow without weighing. The index is queried as rarely as possible: for a
 * word that is still being typed, it collects all words with that prefix each time.
 */
function rankedRows(
  db: Database.Database,
  terms: readonly Term[],
  role: MessageQuery['role'],
  expression: string,
): readonly number[] {
  const isCommon = commonness(db, role)
  const weighing = textExpression(
    terms.filter((term) => !isCommon(term)),
    role,
  )
  // Without further filters, the matches themselves are ranked.
  if (weighing === expression) return bestOf(db, weighing, 0, maxRanked)
  const newest = db
    .prepare<[string, number], number>(
      'SELECT rowid FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck()
    .all(expression, maxRanked)
  if (newest.length < 2 || terms.every(isCommon)) return newest
  const wanted = new Set(newest)
  const best = bestOf(db, weighing, newest.at(-1) ?? 0, weighed).filter((row) => wanted.has(row))
  const placed = new Set(best)
  return [...best, ...newest.filter((row) => !placed.has(row))]
}

/** Returns the newest matches of an expression down to a row, up to a maximum number, best first. */
const bestOf = (
  db: Database.Database,
  expression: string,
  oldest: number,
  max: number,
): readonly number[] =>
  db
    .prepare<[string, bigint, number], { readonly row: number; readonly score: number }>(
      `SELECT rowid AS row, bm25(message_text) AS score FROM message_text
       WHERE message_text MATCH ? AND rowid >= ? ORDER BY rowid DESC LIMIT ?`,
    )
    .all(expression, BigInt(oldest), max)
    .toSorted((a, b) => a.score - b.score)
    .map(({ row }) => row)

/** Returns the row of the match preceded by this many newer ones; undefined when there are not as many. */
const oldestOf = (db: Database.Database, expression: string, after: number): number | undefined =>
  db
    .prepare<[string, number], { row: number }>(
      'SELECT rowid AS row FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
    )
    .get(expression, after)?.row

/**
 * Returns a predicate for terms in a large share of all messages: their newest matches are close together. For prefixes the
 * newest messages are used, since the index would have to collect all matches first.
 */
function commonness(db: Database.Database, role: MessageQuery['role']): (term: Term) => boolean {
  const known = new Map<Term, boolean>()
  const newest = db
    .prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM messages')
    .get()?.seq
  const isCommonTerm = (term: Term): boolean => {
    if (isGathered(term)) return shareOf(db, term) > common
    const oldest = oldestOf(db, textExpression([term], role), sampled)
    if (oldest === undefined) return false
    return sampled / ((newest ?? 0) - Math.floor(oldest / rowsPerItem) + 1) > common
  }
  return (term) => {
    const verdict = known.get(term) ?? isCommonTerm(term)
    known.set(term, verdict)
    return verdict
  }
}
