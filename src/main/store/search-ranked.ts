import type Database from 'better-sqlite3'
import type { Term } from '../../shared/text/query.ts'
import type { MessageQuery } from './chats-types.ts'
import { textExpression } from './search-expression.ts'
import { rowsPerItem } from './search-numbers.ts'

/** Newest matches among which the best are sought: ranking takes about a microsecond for each. */
const ranked = 3000
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
  const newest = db
    .prepare<[string, number], { row: number }>(
      'SELECT rowid AS row FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .all(expression, ranked)
    .map(({ row }) => row)
  if (newest.length < 2) return newest
  const isCommon = commonness(db)
  const telling = terms.filter((term) => {
    const alone = textExpression([term], role)
    return !isCommon(alone === expression ? newest[sampled] : oldestOf(db, alone, sampled))
  })
  if (telling.length === 0) return newest
  const weighing = textExpression(telling, role)
  const last = newest.at(-1) ?? 0
  // Where nothing else narrows, these are the matches themselves.
  const oldest =
    weighing === expression ? last : Math.max(last, oldestOf(db, weighing, weighed) ?? 0)
  const wanted = new Set(newest)
  const best = db
    .prepare<[string, bigint], { row: number }>(
      'SELECT rowid AS row FROM message_text WHERE message_text MATCH ? AND rowid >= ? ORDER BY bm25(message_text)',
    )
    .all(weighing, BigInt(oldest))
    .map(({ row }) => row)
    .filter((row) => wanted.has(row))
  const placed = new Set(best)
  return [...best, ...newest.filter((row) => !placed.has(row))]
}

/** The row of the match that so many newer ones precede; undefined when there are not as many. */
const oldestOf = (db: Database.Database, expression: string, after: number): number | undefined =>
  db
    .prepare<[string, number], { row: number }>(
      'SELECT rowid AS row FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
    )
    .get(expression, after)?.row

/** Tells of the {@link sampled}th newest match of a term whether those before it lie so close together that it is in a large share of all messages. */
function commonness(db: Database.Database): (oldest: number | undefined) => boolean {
  const newest = db
    .prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM messages')
    .get()?.seq
  return (oldest) =>
    oldest !== undefined &&
    sampled / ((newest ?? 0) - Math.floor(oldest / rowsPerItem) + 1) > common
}
