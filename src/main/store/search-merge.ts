import type Database from 'better-sqlite3'
import type { Connection } from './connection.ts'

/** Pieces of one size that are merged into one: more would be slower to search, fewer are written anew more often. */
const piecesAtOnce = 8
/** Pieces of one size at which a write merges them after all. Only when no step was taken for long; FTS5 itself ends at 2,000 in all. */
const piecesAtMost = 500
/** Pages of the index that one step writes: a few milliseconds. What stands under one word is written in one go, whatever its length. */
const pagesPerStep = 24

/** Leaves merging to {@link mergeSearch}. */
export function usualMerging(db: Database.Database): void {
  configure(db, 'automerge', 0)
  configure(db, 'crisismerge', piecesAtMost)
  configure(db, 'usermerge', piecesAtOnce)
}

/** Merges with every write, for when the whole index is written anew and nobody waits. */
export function bulkMerging(db: Database.Database): void {
  configure(db, 'automerge', 4)
  configure(db, 'crisismerge', 16)
}

/** One step of merging pieces of the index; false when there is nothing to merge. */
export function mergeSearch(connection: Connection): boolean {
  if (!connection.writable) return false
  return connection.transaction(() => {
    const before = changes(connection)
    connection.run(`INSERT INTO search_text(search_text, rank) VALUES ('merge', ${pagesPerStep})`)
    // The command itself counts as one.
    return changes(connection) - before > 1
  })
}

const changes = (connection: Connection): number =>
  connection.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0

// Written out: the index wants whole numbers, and bound ones arrive as floating point.
const configure = (db: Database.Database, option: string, value: number): void =>
  void db.exec(`INSERT INTO search_text(search_text, rank) VALUES ('${option}', ${value})`)
