import type Database from 'better-sqlite3'
import { blockText } from '../../../../shared/documents/block-text.ts'
import type { Block } from '../../../../shared/model/document.ts'
import type { ItemKind } from '../../../../shared/model/library.ts'
import { locate } from '../../../../shared/text/locate.ts'
import type { Term } from '../../../../shared/text/query.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import {
  blockId,
  type BlockRow,
  currentBlocks,
  indexStale,
  markAllStale,
  rowsAtOnce,
} from '../../documents/store/index.ts'
import { indexMeeting } from '../../audio/store/index.ts'
import { retrievalRows, retrievalTexts } from '../../knowledge/store/index.ts'
import {
  type PartTexts,
  type SearchRow,
  bucketSpan,
  bucketSql,
  earlierBuckets,
  earlierInSpan,
  linesInSpan,
  pageBucketSql,
  pagesOfBucket,
  putSearchRow,
  rowsPerItem,
} from '../../../platform/database/search-rows.ts'
import { indexSample, markAllUnindexed, sampleTextSql } from '../../voices/store/index.ts'

/** Reads the search rows of a kind among items `from` (inclusive) to `upTo` (exclusive), for an index that is rebuilt. */
type RowReader = (from: number, upTo: number) => Iterable<SearchRow>

/** Search rows of a kind of item. */
interface SearchKind {
  rows(this: void, db: Database.Database): RowReader
  /** Reads the text behind a search row, given its number. */
  texts(this: void, db: Database.Database, terms: readonly Term[]): (row: number) => PartTexts
  /** Whether its rows follow each other like pages: the first that contains all terms is shown, so that a result opens there. */
  readonly inOrder?: true
  /**
   * Updates the search rows of a renamed item: each contains the title, so that words of title and text are found together.
   * Returns whether rows are left for later steps.
   */
  renamed(
    this: void,
    connection: Connection,
    item: { readonly seq: number; readonly title: string },
  ): boolean
}

/** Search rows of each kind of item. Messages of chats have an index of their own. */
export const searchKinds: Readonly<Record<ItemKind, SearchKind>> = {
  conversation: {
    rows: chatRows,
    texts: () => () => ({ part: null, text: null }),
    renamed(connection, { seq, title }) {
      putSearchRow(connection, { seq, number: 0, title, text: '' })
      return false
    },
  },
  voice: {
    rows: sampleRows,
    texts: sampleTexts,
    renamed(connection, { seq }) {
      indexSample(connection, seq)
      return false
    },
  },
  meeting: {
    rows: meetingRows,
    texts: meetingTexts,
    inOrder: true,
    renamed(connection, { seq }) {
      indexMeeting(connection, seq)
      return false
    },
  },
  document: {
    rows: documentRows,
    texts: documentTexts,
    inOrder: true,
    renamed(connection, { seq }) {
      markAllStale(connection, seq)
      indexStale(connection, seq, rowsAtOnce)
      return true
    },
  },
  speech: {
    rows: speechRows,
    texts: speechTexts,
    renamed(connection, { seq }) {
      const last = connection.get<{ n: number }>(
        'SELECT count(*) AS n FROM speech_pieces WHERE item_seq = ?',
        seq,
      )
      markAllUnindexed(connection, seq, last?.n ?? 0)
      return true
    },
  },
  // Triggers of the schema mark its outdated rows.
  retrieval: { rows: retrievalRows, texts: retrievalTexts, renamed: () => true },
}

/** Reads a row for the title of each chat. */
function chatRows(db: Database.Database): RowReader {
  const chats = db.prepare<[number, number], SearchRow>(
    `SELECT seq, 0 AS number, title, '' AS text FROM items
     WHERE kind = 'conversation' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  return (from, upTo) => chats.all(from, upTo)
}

/** Reads a row for each voice, with the text of its sample. */
function sampleRows(db: Database.Database): RowReader {
  const voices = db.prepare<[number, number], SearchRow>(
    `SELECT i.seq, 0 AS number, i.title, coalesce(${sampleTextSql}, '') AS text
     FROM items i LEFT JOIN voice_samples s ON s.item_seq = i.seq
     WHERE i.kind = 'voice' AND i.seq >= ? AND i.seq < ? ORDER BY i.seq`,
  )
  return (from, upTo) => voices.all(from, upTo)
}

/** Returns a reader for the text of a voice’s sample; its part is the voice itself. */
function sampleTexts(db: Database.Database): (row: number) => PartTexts {
  const read = db.prepare<[number], { part: string; text: string }>(
    `SELECT i.id AS part, ${sampleTextSql} AS text FROM voice_samples s JOIN items i ON i.seq = s.item_seq
     WHERE s.item_seq = ?`,
  )
  return (row) => read.get(Math.floor(row / rowsPerItem)) ?? { part: null, text: null }
}

/** Reads a row for each minute of a meeting with text, now or in an earlier version, and one for its title. */
function meetingRows(db: Database.Database): RowReader {
  const meetings = db.prepare<[number, number], { seq: number; title: string }>(
    `SELECT seq, title FROM items WHERE kind = 'meeting' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  const minutes = db.prepare<[number], { number: number; text: string }>(`
    SELECT ${bucketSql} AS number, group_concat(text, char(10) ORDER BY start_ms, channel, seq) AS text
    FROM meeting_lines WHERE item_seq = ? GROUP BY 1 ORDER BY 1`)
  const buckets = db.prepare<[number], { number: number }>(earlierBuckets)
  const earlier = db.prepare<unknown[], { text: string }>(earlierInSpan)
  return function* rows(from, upTo) {
    for (const { seq, title } of meetings.all(from, upTo)) {
      const texts = new Map([[0, '']])
      for (const { number, text } of minutes.all(seq)) texts.set(number, text)
      for (const { number } of buckets.all(seq)) {
        const parts = earlier.all(seq, ...bucketSpan(number)).map(({ text }) => text)
        const lines = texts.get(number) ?? ''
        texts.set(number, [...(lines === '' ? [] : [lines]), ...parts].join('\n'))
      }
      const inOrder = [...texts].toSorted(([one], [other]) => one - other)
      for (const [number, text] of inOrder) yield { seq, number, title, text }
    }
  }
}

/** Reads the lines behind a meeting’s search row, and the earlier texts of its segments. */
function meetingTexts(db: Database.Database): (row: number) => PartTexts {
  const linesIn = db.prepare<unknown[], { id: string; text: string }>(linesInSpan)
  const earlierIn = db.prepare<unknown[], { id: string; text: string }>(earlierInSpan)
  return (row) => {
    const seq = Math.floor(row / rowsPerItem)
    const span = bucketSpan(row % rowsPerItem)
    // A match in the current text is shown rather than one in an earlier version.
    const lines = [...linesIn.all(seq, ...span), ...earlierIn.all(seq, ...span)]
    let start = 0
    const parts = lines.map((line) => {
      const part = { id: line.id, start }
      start += line.text.length + 1
      return part
    })
    return { part: null, text: lines.map((line) => line.text).join('\n'), parts }
  }
}

/** Reads a row for each page of a document, or one for a document without pages. */
function documentRows(db: Database.Database): RowReader {
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

/** Reads the blocks of the first page behind a document’s search row that contains all terms; otherwise those of its first page. */
function documentTexts(db: Database.Database, terms: readonly Term[]): (row: number) => PartTexts {
  const blocks = db.prepare<unknown[], Pick<BlockRow, 'seq' | 'kind' | 'content' | 'edited'>>(
    `${currentBlocks('b.seq, b.kind, b.content, b.edited')} AND p.page = ? ORDER BY b.place`,
  )
  const last = db.prepare<unknown[], { page: number | null }>(
    'SELECT max(page) AS page FROM document_pages WHERE item_seq = ?',
  )
  const readPage = (seq: number, page: number): PartTexts => {
    const texts: string[] = []
    let start = 0
    const parts = blocks.all(seq, page).map((row) => {
      const text = blockText(row)
      const part = { id: blockId(row.seq), start, page }
      texts.push(text)
      start += text.length + 1
      return part
    })
    return { part: null, text: texts.join('\n'), parts }
  }
  return (row) => {
    const seq = Math.floor(row / rowsPerItem)
    const bucket = row % rowsPerItem
    const pages = last.get(seq)?.page ?? 0
    for (const page of pagesOfBucket(bucket, pages)) {
      const texts = readPage(seq, page)
      if (containsAll(texts, terms)) return texts
    }
    return readPage(seq, bucket + 1)
  }
}

/** Whether the text of a row contains every term. */
export const containsAll = (texts: PartTexts, terms: readonly Term[]): boolean =>
  locate(texts.text ?? '', terms).every((ranges) => ranges.length > 0)

/** Reads the rows of narrations, which segments share. */
function speechRows(db: Database.Database): RowReader {
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

/** Returns a reader for the segments of a narration's search row. */
function speechTexts(db: Database.Database): (row: number) => PartTexts {
  const read = db.prepare<[number, number], { id: string; text: string }>(
    `SELECT id, text FROM speech_pieces WHERE item_seq = ? AND place % ${rowsPerItem} = ? ORDER BY place`,
  )
  return (row) => {
    const segments = read.all(Math.floor(row / rowsPerItem), row % rowsPerItem)
    let start = 0
    const parts = segments.map(({ id, text }) => {
      const part = { id, start }
      start += text.length + 1
      return part
    })
    return { part: null, text: segments.map(({ text }) => text).join('\n'), parts }
  }
}
