import type Database from 'better-sqlite3'
import type { Term } from '../../shared/text/query.ts'
import type { MessageQuery } from './chats-types.ts'
import { textExpression } from './search-expression.ts'

/** Newest matches among which the best are sought: ranking takes about a microsecond for each. */
const ranked = 10_000
/** Rows of the index that are ranked to find them, at most. */
const weighed = 20_000
/** Newest matches of one term from which it is told how common it is. */
const sampled = 2000
/** A term in more than this share of all rows says nothing about any of them, and to count it would take longer than all else. */
const common = 0.1

/**
 * Rows of the index that hold all terms, the best first (bm25), then the others, newest first. Ranked are the newest matches by the
 * terms that are not common; filters narrow, they do not weigh.
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
  const telling = terms.filter((term) => !isCommon(db, textExpression([term], role)))
  if (telling.length === 0 || newest.length < 2) return newest
  const weighing = textExpression(telling, role)
  const oldest = Math.max(newest.at(-1) ?? 0, oldestOf(db, weighing, weighed))
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

/** The row of the match that so many newer ones precede; 0 when there are not as many. */
const oldestOf = (db: Database.Database, expression: string, after: number): number =>
  db
    .prepare<[string, number], { row: number }>(
      'SELECT rowid AS row FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
    )
    .get(expression, after)?.row ?? 0

/** Whether so many newest matches lie so close together that the term is in a large share of all rows. */
function isCommon(db: Database.Database, expression: string): boolean {
  const oldest = oldestOf(db, expression, sampled)
  if (oldest === 0) return false
  const rows = db
    .prepare<[bigint], { n: number }>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM message_text_docsize WHERE id >= ? LIMIT 20001)',
    )
    .get(BigInt(oldest))
  return sampled / (rows?.n ?? Infinity) > common
}
