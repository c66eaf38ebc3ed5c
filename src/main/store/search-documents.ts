import type Database from 'better-sqlite3'
import { blockText } from '../../shared/document/block-text.ts'
import { matchExpression, type Term } from '../../shared/text/query.ts'
import { blockId, type BlockRow } from './documents-rows.ts'
import { currentBlocks } from './documents-search.ts'
import { locate } from '../../shared/text/locate.ts'
import type { PartTexts } from './search-meetings.ts'
import { pagesOfBucket, rowsPerItem } from './search-numbers.ts'

/**
 * Reads the blocks behind a document's search row. A document has a row for each page, found from its end: the page shown is
 * the first that contains all terms, so that a result opens at the first mention; otherwise the found page.
 */
export function documentTexts(
  db: Database.Database,
  terms: readonly Term[],
): (row: number) => PartTexts {
  const expression = `body : (${matchExpression(terms)})`
  const rows = db.prepare<unknown[], { row: number }>(
    'SELECT rowid AS row FROM search_text WHERE search_text MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT 8',
  )
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
  const holdsAll = (texts: PartTexts): boolean =>
    locate(texts.text ?? '', terms).every((ranges) => ranges.length > 0)

  return (row) => {
    const seq = Math.floor(row / rowsPerItem)
    const first = seq * rowsPerItem
    const pages = last.get(seq)?.page ?? 0
    const found = rows.all(expression, BigInt(first), BigInt(first + rowsPerItem))
    for (const earlier of found) {
      for (const page of pagesOfBucket(earlier.row - first, pages)) {
        const texts = readPage(seq, page)
        if (holdsAll(texts)) return texts
      }
    }
    return readPage(seq, row - first + 1)
  }
}
