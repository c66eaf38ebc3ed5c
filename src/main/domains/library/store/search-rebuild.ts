import type Database from 'better-sqlite3'
import { rebuildMessages } from '../../chats/store/index.ts'
import { searchKinds } from './search-kinds.ts'
import {
  bulkMerging,
  defaultMerging,
  mergeAll,
  type SearchTable,
} from '../../../platform/database/search-merge.ts'
import { rowWriter } from '../../../platform/database/search-rows.ts'

/**
 * Bytes of postings collected in memory before writing while the index is built: fewer segments to merge than with the
 * default of 1 MB.
 */
const bulkHashBytes = 64 * 1024 * 1024
const defaultHashBytes = 1024 * 1024
/** Number of items indexed in one transaction, which keeps the log short, and read at once, which limits memory. */
const itemsPerCommit = 20_000
const itemsPerRead = 200

/**
 * Rebuilds the whole index from items, lines, blocks and messages: after a repair, or after rows were written in
 * bulk. Not one transaction: for a database that is not in use yet.
 */
export function rebuildSearch(db: Database.Database): void {
  inBulk(db, 'search_text', () => rebuildItems(db))
  inBulk(db, 'message_text', () => rebuildMessages(db))
}

/** Empties an index, and lets `fill` write it with the settings for bulk writes. */
function inBulk(db: Database.Database, table: SearchTable, fill: () => void): void {
  // Written as literals: the index requires integers, and bound values arrive as floating point.
  const setHashBytes = (bytes: number) =>
    db.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('hashsize', ${bytes})`)
  db.exec(`INSERT INTO ${table}(${table}) VALUES ('delete-all')`)
  setHashBytes(bulkHashBytes)
  bulkMerging(db, table)
  try {
    fill()
  } finally {
    setHashBytes(defaultHashBytes)
    defaultMerging(db, table)
  }
  // An unfinished merge of gigabytes would delay the merges of later writes.
  mergeAll(db, table)
}

/** Writes the rows of all items from number `first` on, which have none yet. */
export function rebuildItems(db: Database.Database, first = 0): void {
  const kinds = new Set(Object.values(searchKinds))
  const readers = [...kinds].map(({ rows }) => rows(db))
  const put = rowWriter(db)
  const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM items').get()
  db.prepare('DELETE FROM document_stale WHERE item_seq >= ?').run(first)
  db.prepare('DELETE FROM speech_unindexed WHERE item_seq >= ?').run(first)
  db.prepare('DELETE FROM retrieval_unindexed WHERE item_seq >= ?').run(first)
  const end = (last?.seq ?? -1) + 1
  for (let from = first; from < end; from += itemsPerCommit) {
    db.transaction(() => {
      for (let at = from; at < Math.min(end, from + itemsPerCommit); at += itemsPerRead) {
        const upTo = Math.min(end, at + itemsPerRead)
        for (const rowsOf of readers) for (const row of rowsOf(at, upTo)) put(row)
      }
    }).immediate()
  }
}
