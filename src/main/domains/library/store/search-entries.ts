import type Database from 'better-sqlite3'
import type {
  EntryHit,
  EntrySearchReply,
  OtherKind,
} from '../../../../shared/model/library-entry.ts'
import { fold } from '../../../../shared/text/fold.ts'
import { holds, locate, type Range } from '../../../../shared/text/locate.ts'
import { parseQuery, type Term } from '../../../../shared/text/query.ts'
import { blankTags } from '../../../../shared/text/readable.ts'
import { ownerOf, sourcesIn, type EntrySource, type OwnerColumns } from './entry-sources.ts'
import { snippet } from '../../../platform/database/search-snippet.ts'

/** Search query for entries that are not items: the words as typed, and the maximum number of results. */
export interface EntrySearchQuery {
  readonly query: string
  readonly kinds?: readonly OtherKind[]
  /** Unix milliseconds: from (inclusive) and to (exclusive). */
  readonly from?: number
  readonly to?: number
  /** Only entries with this tag. */
  readonly tag?: string
  readonly limit: number
}

/** A row that may contain the words, before it is read. */
interface Candidate {
  readonly place: number
  readonly at: number
  readonly source: EntrySource
}

interface Row extends OwnerColumns {
  readonly id: string
  readonly kind: OtherKind
  readonly title: string
  readonly account: string
  readonly body: string
}

/**
 * Searches the entries that are not items, newest first, in steps of one row each. They have no index: reading a few thousand
 * takes less time than typing a word, and their text changes too often to be tokenized each time.
 */
export function* searchEntries(
  db: Database.Database,
  query: EntrySearchQuery,
): Generator<undefined, EntrySearchReply> {
  const started = performance.now()
  const terms = parseQuery(query.query)
  const hits: EntryHit[] = []
  let more = false
  if (terms.length > 0 && query.limit > 0) {
    const read = reader(db)
    const may = mayHold(terms)
    for (const candidate of yield* candidates(db, query)) {
      yield
      const row = read(candidate)
      const hit = row && may(row) ? toHit(candidate, row, terms) : null
      if (!hit) continue
      if (hits.length === query.limit) {
        more = true
        break
      }
      hits.push(hit)
    }
  }
  return { hits, more, tookMs: Math.round((performance.now() - started) * 100) / 100 }
}

/** Yields rows of every table that match the filters, newest first. */
function* candidates(
  db: Database.Database,
  { kinds, from = 0, to = Number.MAX_SAFE_INTEGER, tag }: EntrySearchQuery,
): Generator<undefined, readonly Candidate[]> {
  const found: Candidate[] = []
  const all = (sql: string) => db.prepare<[], { name: string }>(sql).all()
  for (const source of sourcesIn(all)) {
    const wanted = source.kinds.filter((kind) => !kinds || kinds.some((one) => one === kind))
    if (source.rank === 0 || wanted.length === 0) continue
    const isKind =
      source.kind === '' ? '' : `AND ${source.kind} IN (SELECT value FROM json_each(?))`
    const isTagged =
      tag === undefined
        ? ''
        : `AND EXISTS (SELECT 1 FROM entry_tags g WHERE g.tag = ? AND g.id = ${source.id}
            AND g.kind = ${source.kind === '' ? `'${source.kinds[0]}'` : source.kind})`
    const rows = db
      .prepare<unknown[], { place: number; at: number }>(
        `SELECT ${source.place} AS place, ${source.at} AS at FROM ${source.from}
         WHERE ${source.where} AND ${source.at} >= ? AND ${source.at} < ? ${isKind} ${isTagged}`,
      )
      .all(
        from,
        to,
        ...(source.kind === '' ? [] : [JSON.stringify(wanted)]),
        ...(tag === undefined ? [] : [tag]),
      )
    for (const row of rows) found.push({ ...row, source })
    yield
  }
  return found.toSorted((a, b) => b.at - a.at || b.source.rank - a.source.rank || b.place - a.place)
}

/** Returns a reader of candidates; undefined when one was deleted in the meantime. */
function reader(db: Database.Database): (candidate: Candidate) => Row | undefined {
  const statements = new Map<EntrySource, Database.Statement<[number], Row>>()
  return ({ source, place }) => {
    const statement =
      statements.get(source) ??
      db.prepare<[number], Row>(
        `SELECT ${source.columns}, ${source.text} AS body FROM ${source.from} WHERE ${source.place} = ?`,
      )
    statements.set(source, statement)
    return statement.get(place)
  }
}

/** Quickly rejects most rows without the words: plain ASCII folds to lower case. */
function mayHold(terms: readonly Term[]): (row: Row) => boolean {
  const words = terms.flatMap(({ parts }) => parts.map(({ text }) => text))
  return ({ title, body }) => {
    const raw = `${title}\n${body}`
    // Other characters may fold to anything, and so may escape sequences.
    if (/[^\0-\x7f]|\\u/.test(raw)) return true
    const lower = raw.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
}

function toHit({ at }: Candidate, row: Row, terms: readonly Term[]): EntryHit | null {
  const { id, kind, title, account } = row
  const body = blankTags(strings(row.body))
  const [inTitle, inBody] = [fold(title), fold(body)]
  if (!terms.every((term) => holds(inTitle, term) || holds(inBody, term))) return null
  const field = terms.every((term) => holds(inTitle, term)) ? 'title' : 'text'
  const shown = field === 'title' ? title : body
  const ranges: readonly Range[] = locate(shown, terms).flat()
  const offset = ranges.reduce((min, [start]) => Math.min(min, start), shown.length)
  const cut = snippet(shown, offset, ranges, field === 'text')
  return {
    id,
    kind,
    title,
    account,
    field,
    owner: ownerOf(row),
    snippet: cut.text,
    ranges: cut.ranges,
    createdAt: at,
  }
}

/** A string in JSON, with the colon after it that makes it a key. */
const literal = /"([^"\\]*(?:\\.[^"\\]*)*)(?:"(\s*:)?|$)/gs

/**
 * Returns the strings in JSON fragments, one per line, without keys and embedded files. The last may be truncated.
 */
export function strings(json: string): string {
  const found: string[] = []
  for (const [, text = '', colon] of json.matchAll(literal)) {
    if (colon !== undefined || text === '' || /^data:[a-z-]+\/[^;,]*;base64,/.test(text)) continue
    found.push(text.includes('\\') ? unescaped(text) : text)
  }
  return found.join('\n')
}

const unescaped = (text: string): string => {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    // Truncated within an escape sequence.
    return text
  }
}
