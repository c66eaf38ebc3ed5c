import type Database from 'better-sqlite3'
import type { Connection } from './connection.ts'

/** Pieces of one size that are merged into one: more would be slower to search, fewer are written anew more often. */
const segmentsAtOnce = 8
/** Pieces of one size at which a write merges them after all. Only when no step was taken for long; FTS5 itself ends at 2,000 in all. */
const maxSegments = 500
/** Pages of the index that one step writes: a few milliseconds. What stands under one word is written in one go, whatever its length. */
const pagesPerStep = 24

/** Pieces at which work that nobody waits for leaves off adding more, well before a write has to merge. */
const segmentsToPause = 150
/** Pages of the index that one step writes while nobody waits. */
const pagesInBulk = 20_000

/** The indexes of the search: of items, and of messages. */
export type SearchTable = 'search_text' | 'message_text'

/** Leaves merging to {@link mergeSearch}. */
export function defaultMerging(db: Database.Database, table: SearchTable = 'search_text'): void {
  configure(db, table, 'automerge', 0)
  configure(db, table, 'crisismerge', maxSegments)
  configure(db, table, 'usermerge', segmentsAtOnce)
}

/** Merges with every write, for when the whole index is written anew and nobody waits. */
export function bulkMerging(db: Database.Database, table: SearchTable = 'search_text'): void {
  configure(db, table, 'automerge', 4)
  configure(db, table, 'crisismerge', 16)
}

/** One step of merging pieces of an index; false when there is nothing to merge. */
export function mergeSearch(connection: Connection, table: SearchTable = 'search_text'): boolean {
  if (!connection.writable) return false
  return connection.transaction(() => {
    const before = changes(connection)
    connection.run(`INSERT INTO ${table}(${table}, rank) VALUES ('merge', ${pagesPerStep})`)
    // The command itself counts as one.
    return changes(connection) - before > 1
  })
}

/**
 * Whether an index is in so many pieces that the next should wait: a large merge that goes on holds the small ones up, and a write that
 * meets {@link maxSegments} merges all of them at once.
 */
export function isFragmented(connection: Connection, table: SearchTable): boolean {
  // From the first row of each piece to that of the next: there may be hundreds of thousands of rows.
  const segments = connection.get<{ n: number }>(
    `WITH RECURSIVE pieces(id) AS (
       SELECT min(segid) FROM ${table}_idx
       UNION ALL SELECT (SELECT min(segid) FROM ${table}_idx WHERE segid > id) FROM pieces WHERE id IS NOT NULL LIMIT ${segmentsToPause + 1})
     SELECT count(id) AS n FROM pieces`,
  )
  return (segments?.n ?? 0) > segmentsToPause
}

/** Merges all there is to merge, those that were begun above all, for when nobody waits. */
export function mergeAll(db: Database.Database, table: SearchTable): void {
  const total = db.prepare<[], number>('SELECT total_changes()').pluck()
  for (let before = -1; before !== 0;) {
    const at = total.get() ?? 0
    configure(db, table, 'merge', pagesInBulk)
    // The command itself counts as one.
    before = (total.get() ?? 0) - at - 1
  }
}

const changes = (connection: Connection): number =>
  connection.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0

// Written out: the index wants whole numbers, and bound ones arrive as floating point.
const configure = (
  db: Database.Database,
  table: SearchTable,
  option: string,
  value: number,
): void => void db.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('${option}', ${value})`)
