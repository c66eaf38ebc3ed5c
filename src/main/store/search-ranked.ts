import type Database from 'better-sqlite3'
import type { Term } from '../../shared/text/query.ts'
import type { MessageQuery } from './chats-types.ts'
import { textExpression } from './search-expression.ts'
import { rowsPerItem } from './search-numbers.ts'
import { isGathered, shareOf } from './search-prefilter.ts'

/** Number of newest matches searched for the best: ranking takes about a microsecond for each. */
export const maxRanked = 3000
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
export function rankedRows(
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
    .toSorted((one, other) => one.score - other.score)
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
