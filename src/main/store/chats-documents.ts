import { fold } from '../../shared/text/fold.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection } from './connection.ts'

/** Returns a name without its extension, so that `Report.PDF` and `report` match. */
const stemOf = (name: string): string => fold(name.trim().replace(/\.[a-z][a-z0-9]{0,4}$/i, ''))

/** Part of the store that maps provider documents to Library documents. */
export function documentReferences(
  connection: Connection,
): Pick<ChatStore, 'pushedFrom' | 'namedDocument'> {
  return {
    pushedFrom: (documentId) =>
      connection.get<{ id: string }>(
        `SELECT i.id FROM document_pushes p CROSS JOIN items i ON i.seq = p.item_seq
         WHERE p.remote_id = ? AND p.remote_id IS NOT NULL AND i.deleted_at IS NULL ORDER BY p.seq DESC LIMIT 1`,
        documentId,
      )?.id,
    namedDocument(name) {
      const stem = stemOf(name)
      if (stem === '') return undefined
      return connection
        .all<{ id: string; name: string; title: string }>(
          `SELECT i.id, d.name, i.title FROM documents d CROSS JOIN items i ON i.seq = d.item_seq
           WHERE i.deleted_at IS NULL ORDER BY d.item_seq DESC`,
        )
        .find((row) => stemOf(row.name) === stem || stemOf(row.title) === stem)?.id
    },
  }
}
