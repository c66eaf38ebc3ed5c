import type Database from 'better-sqlite3'
import type { SearchHit } from '../../shared/model/library.ts'
import type { Term } from '../../shared/text/query.ts'
import { textExpression } from './search-expression.ts'
import { locateFirst, textReader } from './search-messages.ts'
import { rowsPerItem } from './search-numbers.ts'
import { snippet } from './search-snippet.ts'
import { minUnits, prefilterFrom, prefilterOf, type Prefilter } from './search-prefilter.ts'

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
export function* conversationHits(
  db: Database.Database,
  terms: readonly Term[],
  wanted: number,
): Generator<SearchHit | undefined> {
  // A read-only library with an older schema has none.
  if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'message_text'`).get()) return
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
