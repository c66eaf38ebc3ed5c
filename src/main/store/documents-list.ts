import type { DocumentBrief, VersionState } from '../../shared/model/document.ts'
import type { Connection } from './connection.ts'

interface BriefRow {
  readonly pages: number
  readonly locked: number
  readonly state: VersionState | null
  readonly asked: number
  readonly returned: number
  readonly failed: number
  readonly waiting: number
  readonly cancelled: number
}

/** Returns the list entry of a document, reading two rows by their numbers. Null if it no longer exists. */
export function documentBriefOf(connection: Connection, seq: number): DocumentBrief | null {
  const row = connection.get<BriefRow>(
    `SELECT d.pages, d.locked, v.state, v.asked, v.returned, v.failed, v.waiting, v.cancelled
     FROM documents d LEFT JOIN document_versions v ON v.item_seq = d.item_seq
       AND v.number = (SELECT max(number) FROM document_versions WHERE item_seq = d.item_seq)
     WHERE d.item_seq = ?`,
    seq,
  )
  if (!row) return null
  const { asked, returned, failed, waiting, cancelled } = row
  return {
    pages: row.pages,
    locked: row.locked !== 0,
    state: row.state,
    counts: row.state === null ? null : { asked, returned, failed, waiting, cancelled },
  }
}
