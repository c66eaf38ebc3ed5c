import type Database from 'better-sqlite3'
import type { EntryHit, EntrySearchReply, OtherKind } from '../../shared/model/library-entry.ts'
import { fold } from '../../shared/text/fold.ts'
import { holds, locate, type Range } from '../../shared/text/locate.ts'
import { parseQuery, type Term } from '../../shared/text/query.ts'
import { blankTags } from '../../shared/text/readable.ts'
import { ownerOf, sources, type EntrySource, type OwnerColumns } from './entry-sources.ts'
import { snippet } from './search-snippet.ts'

/** What is sought among the things that are no items: words as typed, and how many hits at most. */
export interface EntrySearchQuery {
  readonly query: string
  readonly kinds?: readonly OtherKind[]
  /** Unix milliseconds: from, and up to but not with. */
  readonly from?: number
  readonly to?: number
  /** Of things that have it. */
  readonly tag?: string
  readonly limit: number
}

/** A row that may hold the words, before it is read. */
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
 * Searches the things that are no items, newest first, in steps of one row each. They have no index: a few thousand of them are read
 * in less time than a word is typed in, and what they say changes too often to be cut into tokens each time.
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

/** Rows of every table that fit what the search is narrowed by, newest first. */
function* candidates(
  db: Database.Database,
  { kinds, from = 0, to = Number.MAX_SAFE_INTEGER, tag }: EntrySearchQuery,
): Generator<undefined, readonly Candidate[]> {
  // A library of an older schema, only looked at, has only some of the tables.
  if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'entry_tags'`).get()) return []
  const found: Candidate[] = []
  for (const source of sources) {
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

/** Reads a candidate; undefined when it has gone meanwhile. */
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

/** Tells at once of most rows without the words that they are none: what is plain ASCII folds to its lower case. */
function mayHold(terms: readonly Term[]): (row: Row) => boolean {
  const words = terms.flatMap(({ parts }) => parts.map(({ text }) => text))
  return ({ title, body }) => {
    const raw = `${title}\n${body}`
    // Other characters may fold to anything, and so may what is written as an escape.
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

/** A string of JSON, with the colon behind it that makes it a name. */
const literal = /"([^"\\]*(?:\\.[^"\\]*)*)(?:"(\s*:)?|$)/gs

/** The strings in pieces of JSON, a line each, without names and without files that stand in them. The last may be cut in the middle. */
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
    // Cut within an escape.
    return text
  }
}
