import { insertSearchRow } from '../platform/database/search-rows.ts'
import type Database from 'better-sqlite3'
import { blockText } from '../../shared/documents/block-text.ts'
import type { Block } from '../../shared/model/document.ts'
import { indexTokens } from '../../shared/text/cut.ts'
import { rebuildMessages } from '../domains/chats/store/chats-rebuild.ts'
import { retrievalRows } from '../domains/knowledge/store/retrieval-texts.ts'
import {
  bulkMerging,
  mergeAll,
  defaultMerging,
  type SearchTable,
} from '../platform/database/search-merge.ts'
import {
  bucketSql,
  rowsPerItem,
  type SearchRow,
  pageBucketSql,
} from '../platform/database/search-numbers.ts'

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
 * Rebuilds the whole index from items, transcripts, lines, blocks and messages: after a repair, or after rows were written in
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
  const rows = db.prepare<[number, number], SearchRow>(`
    SELECT i.seq, coalesce(t.number, 0) AS number, i.title, coalesce(t.text, '') AS text
    FROM items i LEFT JOIN transcripts t ON t.item_seq = i.seq
    WHERE i.kind NOT IN ('meeting', 'document', 'temporary', 'speech', 'retrieval') AND i.seq >= ? AND i.seq < ? ORDER BY i.seq, t.number`)
  const meetings = db.prepare<[number, number], { seq: number; title: string }>(
    `SELECT seq, title FROM items WHERE kind = 'meeting' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  const minutes = db.prepare<[number], { number: number; text: string }>(`
    SELECT ${bucketSql} AS number, group_concat(text, char(10) ORDER BY start_ms, channel, seq) AS text
    FROM meeting_lines WHERE item_seq = ? GROUP BY 1 ORDER BY 1`)
  const documents = documentRows(db)
  const speeches = speechRows(db)
  const sets = retrievalRows(db)
  const write = db.prepare(insertSearchRow)
  const put = (row: SearchRow) =>
    write.run(row.seq * rowsPerItem + row.number, indexTokens(row.title), indexTokens(row.text))
  const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM items').get()
  db.prepare('DELETE FROM document_stale WHERE item_seq >= ?').run(first)
  db.prepare('DELETE FROM speech_unindexed WHERE item_seq >= ?').run(first)
  db.prepare('DELETE FROM retrieval_unindexed WHERE item_seq >= ?').run(first)
  const end = (last?.seq ?? -1) + 1
  for (let from = first; from < end; from += itemsPerCommit) {
    db.transaction(() => {
      for (let at = from; at < Math.min(end, from + itemsPerCommit); at += itemsPerRead) {
        const upTo = Math.min(end, at + itemsPerRead)
        for (const row of rows.all(at, upTo)) put(row)
        for (const { seq, title } of meetings.all(at, upTo)) {
          const texts = minutes.all(seq)
          if (texts[0]?.number !== 0) put({ seq, number: 0, title, text: '' })
          for (const text of texts) put({ seq, title, ...text })
        }
        for (const row of documents(at, upTo)) put(row)
        for (const row of speeches(at, upTo)) put(row)
        for (const row of sets(at, upTo)) put(row)
      }
    }).immediate()
  }
}

/** Writes all search rows of the narrations in a range of items, for an index that is rebuilt. */
function speechRows(db: Database.Database): (from: number, upTo: number) => readonly SearchRow[] {
  const items = db.prepare<[number, number], { seq: number; title: string }>(
    `SELECT seq, title FROM items WHERE kind = 'speech' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  const segments = db.prepare<[number], { number: number; text: string }>(
    `SELECT place % ${rowsPerItem} AS number, group_concat(text, char(10) ORDER BY place) AS text
     FROM speech_pieces WHERE item_seq = ? AND place >= 0 GROUP BY 1 ORDER BY 1`,
  )
  return (from, upTo) =>
    items.all(from, upTo).flatMap(({ seq, title }) => {
      const rows = segments.all(seq).map((row) => ({ seq, title, ...row }))
      return rows[0]?.number === 0 ? rows : [{ seq, number: 0, title, text: '' }, ...rows]
    })
}

/**
 * Reads the search rows of the documents among items `from` (inclusive) to `to` (exclusive): one per page, or one for a
 * document without pages.
 */
function documentRows(db: Database.Database): (from: number, to: number) => Iterable<SearchRow> {
  const documents = db.prepare<[number, number], { seq: number; title: string }>(
    `SELECT seq, title FROM items WHERE kind = 'document' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  const pages = db.prepare<[number], { number: number; page: number; version: number }>(
    `SELECT ${pageBucketSql} AS number, page, version_seq AS version FROM document_pages
     WHERE item_seq = ? AND stands > 0 ORDER BY 1, page`,
  )
  const blocks = db.prepare<[number, number], Pick<Block, 'kind' | 'content' | 'edited'>>(
    'SELECT kind, content, edited FROM document_blocks WHERE version_seq = ? AND page = ? ORDER BY place',
  )
  const textOf = (version: number, page: number): string =>
    blocks.all(version, page).map(blockText).join('\n')

  return function* rows(from, to) {
    for (const { seq, title } of documents.all(from, to)) {
      const groups = Map.groupBy(pages.all(seq), (row) => row.number)
      if (!groups.has(0)) yield { seq, number: 0, title, text: '' }
      for (const [number, group] of groups) {
        const text = group.map(({ version, page }) => textOf(version, page)).join('\n')
        if (text !== '' || number === 0) yield { seq, number, title, text }
      }
    }
  }
}
