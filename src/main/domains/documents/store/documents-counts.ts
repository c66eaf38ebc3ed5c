import type { Failure } from '../../../../shared/contract/reply.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/** Recounts the pages of a version (one read of its rows) and derives its state, error and end time. */
export function recountVersion(connection: Connection, versionSeq: number, at: number): void {
  connection.run(
    `UPDATE document_versions SET (asked, returned, failed, waiting, cancelled) = (
       SELECT count(*), coalesce(sum(state = 'returned'), 0), coalesce(sum(state = 'failed'), 0),
         coalesce(sum(state IN ('waiting', 'sent')), 0), coalesce(sum(state = 'cancelled'), 0)
       FROM document_pages WHERE version_seq = ?)
     WHERE seq = ?`,
    versionSeq,
    versionSeq,
  )
  connection.run(`UPDATE document_versions SET ${statesOf('?')} WHERE seq = ?`, at, versionSeq)
}

/** SQL assignments derived from a version's counts. `at` is the end time of finished versions, in SQL. */
export const statesOf = (at: '?' | 'created_at'): string => `
  state = CASE
    WHEN waiting > 0 THEN iif(calls > 0 OR returned > 0, 'running', 'waiting')
    WHEN cancelled > 0 THEN 'cancelled'
    WHEN returned = asked THEN 'done'
    WHEN returned = 0 THEN 'failed'
    ELSE 'partial' END,
  ended_at = iif(waiting > 0, NULL, coalesce(ended_at, ${at})),
  error = iif(failed > 0,
    (SELECT p.error FROM document_pages p WHERE p.version_seq = document_versions.seq AND p.state = 'failed' ORDER BY p.page LIMIT 1),
    (SELECT p.error FROM document_parts p WHERE p.version_seq = document_versions.seq AND p.state = 'queued' AND p.error IS NOT NULL
       ORDER BY p.seq DESC LIMIT 1))`

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

/**
 * Recomputes the current version of each of these pages: the chosen one, otherwise the newest that returned it.
 */
export const restand = (connection: Connection, seq: number, first: number, last: number): void =>
  void connection.run(restandWhere('item_seq = ? AND page BETWEEN ? AND ?'), seq, first, last)

/** {@link restand} as SQL for the pages that match `which`; reads each of them once. */
export const restandWhere = (which: string): string => `
  UPDATE document_pages AS p SET stands = iif(p.version_seq = best.version_seq, max(p.stands, 1), 0)
  FROM (
    SELECT item_seq, page, coalesce(max(iif(stands = 2, version_seq, NULL)), max(version_seq)) AS version_seq
    FROM document_pages WHERE state = 'returned' AND ${which} GROUP BY item_seq, page) AS best
  WHERE p.item_seq = best.item_seq AND p.page = best.page
    AND p.stands <> iif(p.version_seq = best.version_seq, max(p.stands, 1), 0)`
