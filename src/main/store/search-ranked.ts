import type Database from 'better-sqlite3'
import type { Term } from '../../shared/text/query.ts'
import type { MessageQuery } from './chats-types.ts'
import { textExpression } from './search-expression.ts'
import { rowsPerItem } from './search-numbers.ts'
import { isGathered, shareOf } from './search-prefilter.ts'

/** Newest matches among which the best are sought: ranking takes about a microsecond for each. */
export const maxRanked = 3000
/** Rows of the index that are ranked to find them, at most. */
const weighed = 6000
/** Newest matches of one term from which it is told how common it is. */
const sampled = 1000
/** A term in more than this share of all messages says little about any of them, and to count it would take longer than all else. */
const common = 0.05

/**
 * Rows of the index that hold all terms, the best first (bm25), then the others, newest first. Ranked are the newest matches by the
 * terms that are not common; filters narrow, they do not weigh. The index is asked as seldom as can be: a word that is still being
 * typed has it collect all that begin so, each time.
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
  // Where nothing else narrows, what weighs are the matches themselves.
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

/** The newest matches of an expression down to a row, at most so many, the best first. */
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

/** The row of the match that so many newer ones precede; undefined when there are not as many. */
const oldestOf = (db: Database.Database, expression: string, after: number): number | undefined =>
  db
    .prepare<[string, number], { row: number }>(
      'SELECT rowid AS row FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
    )
    .get(expression, after)?.row

/**
 * Tells of a term whether it is in a large share of all messages: whether its newest matches lie close together. Of a beginning of
 * words the newest messages tell it, because the index would have to collect all matches first.
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
