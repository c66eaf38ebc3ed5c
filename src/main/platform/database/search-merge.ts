import type Database from 'better-sqlite3'
import type { Connection } from './connection.ts'

/**
 * Number of index segments of one size that are merged: more would slow down searches, fewer are rewritten more often.
 */
const segmentsAtOnce = 8
/**
 * Number of segments of one size at which a write merges them anyway. Only when no merge step ran for long; FTS5 itself stops
 * at 2,000 in total.
 */
const maxSegments = 500
/**
 * Index pages that one step writes: a few milliseconds. All entries of one word are written at once, whatever their length.
 */
const pagesPerStep = 24

/** Number of segments at which background work pauses adding more, well before a write has to merge. */
const segmentsToPause = 150
/** Index pages that one step writes in the background. */
const pagesInBulk = 20_000

/** The search indexes: items and messages. */
export type SearchTable = 'search_text' | 'message_text'

/** Leaves merging to {@link mergeSearch}. */
export function defaultMerging(db: Database.Database, table: SearchTable = 'search_text'): void {
  configure(db, table, 'automerge', 0)
  configure(db, table, 'crisismerge', maxSegments)
  configure(db, table, 'usermerge', segmentsAtOnce)
}

/** Merges with every write, for rebuilding the whole index in the background. */
export function bulkMerging(db: Database.Database, table: SearchTable = 'search_text'): void {
  configure(db, table, 'automerge', 4)
  configure(db, table, 'crisismerge', 16)
}

/** Runs one merge step of an index; returns false when there is nothing to merge. */
export function mergeSearch(connection: Connection, table: SearchTable = 'search_text'): boolean {
  if (!connection.writable) return false
  return connection.transaction(() => {
    const before = changes(connection)
    connection.run(`INSERT INTO ${table}(${table}, rank) VALUES ('merge', ${pagesPerStep})`)
    // The command itself counts as one change.
    return changes(connection) - before > 1
  })
}

/**
 * Returns a step of merging all indexes, which returns false when there is nothing to merge. It runs only after something was
 * written: the command itself is a write, so an app at rest would otherwise write and checkpoint every few seconds.
 */
export function searchMerging(connection: Connection): () => boolean {
  let merged = -1
  return () => {
    if (!connection.writable || changes(connection) === merged) return false
    if (mergeSearch(connection) || mergeSearch(connection, 'message_text')) return true
    merged = changes(connection)
    return false
  }
}

/**
 * Returns whether an index has so many segments that adding more should wait: a large running merge delays the small ones,
 * and a write that reaches {@link maxSegments} merges all of them at once.
 */
export function isFragmented(connection: Connection, table: SearchTable): boolean {
  // Jumps from the first row of each segment to that of the next: there may be hundreds of thousands of rows.
  const segments = connection.get<{ n: number }>(
    `WITH RECURSIVE pieces(id) AS (
       SELECT min(segid) FROM ${table}_idx
       UNION ALL SELECT (SELECT min(segid) FROM ${table}_idx WHERE segid > id) FROM pieces WHERE id IS NOT NULL LIMIT ${segmentsToPause + 1})
     SELECT count(id) AS n FROM pieces`,
  )
  return (segments?.n ?? 0) > segmentsToPause
}

/** Merges everything, started merges first, for use in the background. */
export function mergeAll(db: Database.Database, table: SearchTable): void {
  const total = db.prepare<[], number>('SELECT total_changes()').pluck()
  for (let before = -1; before !== 0;) {
    const at = total.get() ?? 0
    configure(db, table, 'merge', pagesInBulk)
    // The command itself counts as one change.
    before = (total.get() ?? 0) - at - 1
  }
}

const changes = (connection: Connection): number =>
  connection.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0

// Written as literals: the index requires integers, and bound values arrive as floating point.
const configure = (
  db: Database.Database,
  table: SearchTable,
  option: string,
  value: number,
): void => void db.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('${option}', ${value})`)
