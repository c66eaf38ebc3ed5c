import { blockText } from '../../../../shared/documents/block-text.ts'
import { matchExpression, parseQuery, type Term } from '../../../../shared/text/query.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { blockId, documentSeq, type BlockRow } from './documents-rows.ts'
import { currentBlocks } from './documents-search.ts'
import type { DocumentsStore, FoundBlock } from './documents-types.ts'
import { locate, merge, type Range } from '../../../../shared/text/locate.ts'
import { pagesOfBucket, rowsPerItem } from '../../../platform/database/search-rows.ts'
import { snippet } from '../../../platform/database/search-snippet.ts'

/** Number of pages searched per step. */
const defaultLimit = 30

/**
 * Part of the store for finding text in a document: the index returns the candidate pages, and each step reads some of
 * them.
 */
export function findStore(connection: Connection): Pick<DocumentsStore, 'find'> {
  function matchingPages(seq: number, terms: readonly Term[], from: number): readonly number[] {
    const last = connection.get<{ page: number | null }>(
      'SELECT max(page) AS page FROM document_pages WHERE item_seq = ?',
      seq,
    )
    const rows = connection.all<{ row: number }>(
      'SELECT rowid AS row FROM search_text WHERE search_text MATCH ? AND rowid >= ? AND rowid < ?',
      `body : (${matchExpression(terms)})`,
      // The index accepts only integers, and ignores limits bound as floating-point numbers.
      BigInt(seq * rowsPerItem),
      BigInt((seq + 1) * rowsPerItem),
    )
    return rows
      .flatMap(({ row }) => pagesOfBucket(row - seq * rowsPerItem, last?.page ?? 0))
      .filter((page) => page >= from)
      .toSorted((a, b) => a - b)
  }

  function findOn(seq: number, page: number, terms: readonly Term[]): readonly FoundBlock[] {
    const found = connection
      .all<BlockRow>(`${currentBlocks('b.*')} AND p.page = ? ORDER BY b.place`, seq, page)
      .map((row) => {
        const text = blockText(row)
        return { row, text, held: locate(text, terms) }
      })
    const whole = found.filter(({ held }) => held.every((ranges) => ranges.length > 0))
    // A page that does not contain all words is no match: its search row may include another page too.
    const together = terms.every((_, at) => found.some(({ held }) => (held[at]?.length ?? 0) > 0))
    const shown =
      whole.length > 0 || !together ? whole : found.filter(({ held }) => held.flat().length > 0)
    return shown.map(({ row, text, held }) => toHit(row, text, merge(held.flat())))
  }

  return {
    find(id, query, { from = 1, limit = defaultLimit } = {}) {
      const seq = documentSeq(connection, id)
      const terms = parseQuery(query)
      if (terms.length === 0) return { hits: [], next: null }
      const pages = matchingPages(seq, terms, from)
      return {
        hits: pages.slice(0, limit).flatMap((page) => findOn(seq, page, terms)),
        next: pages[limit] ?? null,
      }
    },
  }
}

function toHit(row: BlockRow, text: string, ranges: readonly Range[]): FoundBlock {
  const cut = snippet(text, ranges[0]?.[0] ?? 0, ranges, row.kind !== 'formula')
  return {
    blockId: blockId(row.seq),
    page: row.page,
    snippet: cut.text,
    marks: cut.ranges,
    ranges,
  }
}
