import type { Box } from '../../../../shared/model/document.ts'
import type { Highlight, HighlightColor, NewHighlight } from '../../../../shared/model/highlight.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { documentSeq } from './documents-rows.ts'

/**
 * Highlights on the pages of documents. Their changes are none of their document: archives merge them on their own, so that a
 * note on one computer does not replace the text that was edited on another.
 */
export interface HighlightStore {
  /** In the order of the pages, from top to bottom. Throws NOT_FOUND for an unknown document. */
  ofDocument(documentId: string): readonly Highlight[]
  get(id: string): Highlight | undefined
  /** Throws NOT_FOUND for an unknown document. */
  add(
    documentId: string,
    highlights: readonly (NewHighlight & { readonly id: string })[],
    at: number,
  ): void
  /** Throws NOT_FOUND, also for a removed one. */
  change(
    id: string,
    change: { readonly color?: HighlightColor | undefined; readonly note?: string | undefined },
    at: number,
  ): Highlight
  /** Removes highlights, or restores them (`removedAt` null). Returns the documents that changed. */
  setRemoved(ids: readonly string[], removedAt: number | null, at: number): readonly string[]
  /** Empties those that were removed before a time: they cannot be restored, and no archive brings them back. */
  purge(before: number): void
}

interface Row {
  readonly id: string
  readonly document_id: string
  readonly page: number
  readonly boxes: string
  readonly quote: string
  readonly note: string
  readonly color: HighlightColor
  readonly created_at: number
  readonly updated_at: number
}

const select = `SELECT h.*, i.id AS document_id FROM document_highlights h JOIN items i ON i.seq = h.item_seq
  WHERE h.removed_at IS NULL`

export function highlightStore(connection: Connection): HighlightStore {
  const get = (id: string): Highlight | undefined => {
    const row = connection.get<Row>(`${select} AND h.id = ?`, id)
    return row && toHighlight(row)
  }

  return {
    get,
    ofDocument: (documentId) =>
      connection
        .all<Row>(
          `${select} AND h.item_seq = ? ORDER BY h.page, h.seq`,
          documentSeq(connection, documentId),
        )
        .map(toHighlight)
        .toSorted((a, b) => a.page - b.page || topOf(a) - topOf(b) || leftOf(a) - leftOf(b)),
    add(documentId, highlights, at) {
      connection.transaction(() => {
        const seq = documentSeq(connection, documentId)
        for (const { id, page, boxes, quote, note, color } of highlights)
          connection.run(
            `INSERT INTO document_highlights(id, item_seq, page, boxes, quote, note, color, created_at, updated_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            id,
            seq,
            page,
            JSON.stringify(boxes),
            quote,
            note,
            color,
            at,
            at,
          )
      })
    },
    change(id, { color, note }, at) {
      return connection.transaction(() => {
        connection.run(
          `UPDATE document_highlights SET color = coalesce(?, color), note = coalesce(?, note), updated_at = ?
           WHERE id = ? AND removed_at IS NULL`,
          color ?? null,
          note ?? null,
          at,
          id,
        )
        const changed = get(id)
        if (!changed) throw new AppError('NOT_FOUND', 'Highlight not found')
        return changed
      })
    },
    setRemoved(ids, removedAt, at) {
      return connection.transaction(() => {
        const changes =
          removedAt === null ? `removed_at IS NOT NULL AND boxes <> '[]'` : 'removed_at IS NULL'
        const rows = `id IN (SELECT value FROM json_each(?)) AND ${changes}`
        const wanted = JSON.stringify(ids)
        const documentIds = connection
          .all<{ id: string }>(
            `SELECT id FROM items WHERE seq IN (SELECT item_seq FROM document_highlights WHERE ${rows})`,
            wanted,
          )
          .map(({ id }) => id)
        connection.run(
          `UPDATE document_highlights SET removed_at = ?, updated_at = ? WHERE ${rows}`,
          removedAt,
          at,
          wanted,
        )
        return documentIds
      })
    },
    purge: (before) =>
      void connection.run(
        `UPDATE document_highlights SET boxes = '[]', quote = '', note = ''
         WHERE removed_at < ? AND boxes <> '[]'`,
        before,
      ),
  }
}

const toHighlight = (row: Row): Highlight => ({
  id: row.id,
  documentId: row.document_id,
  page: row.page,
  boxes: parsed<readonly Box[]>(row.boxes) ?? [],
  quote: row.quote,
  note: row.note,
  color: row.color,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const topOf = ({ boxes }: Highlight): number => boxes[0]?.[1] ?? 0
const leftOf = ({ boxes }: Highlight): number => boxes[0]?.[0] ?? 0
