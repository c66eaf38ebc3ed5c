import type { Failure } from '../../../../shared/contract/reply.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import {
  pageCounts,
  selectVersions,
  versionState,
} from '../../../platform/database/schema/document-counts.ts'

/** Recounts the pages of a version (one read of its rows) and derives its state, error and end time. */
export function recountVersion(connection: Connection, versionSeq: number, at: number): void {
  connection.run(
    `UPDATE document_versions SET ${pageCounts('?')} WHERE seq = ?`,
    versionSeq,
    versionSeq,
  )
  connection.run(`UPDATE document_versions SET ${versionState('?')} WHERE seq = ?`, at, versionSeq)
}

/** Changes the state of waiting and running pages of a version. */
export function moveOpen(
  connection: Connection,
  versionSeq: number,
  span: { readonly first: number; readonly last: number },
  to: 'waiting' | 'sent' | 'failed' | 'cancelled',
  error: Failure | null = null,
): void {
  connection.run(
    `UPDATE document_pages SET state = ?, error = ?
     WHERE version_seq = ? AND page BETWEEN ? AND ? AND state IN ('waiting', 'sent')`,
    to,
    error && JSON.stringify(error),
    versionSeq,
    span.first,
    span.last,
  )
}

/** Recomputes the current version of each of these pages. */
export const updateCurrentVersions = (
  connection: Connection,
  seq: number,
  first: number,
  last: number,
): void =>
  void connection.run(selectVersions('item_seq = ? AND page BETWEEN ? AND ?'), seq, first, last)
