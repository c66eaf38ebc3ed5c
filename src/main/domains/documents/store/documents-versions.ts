import type { PartPlan } from '../../../../shared/model/document.ts'
import type { Clock } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { moveOpen, recountVersion } from './documents-counts.ts'
import {
  documentSeq,
  requireVersion,
  selectVersions,
  toRanges,
  toVersion,
  type VersionRow,
} from './documents-rows.ts'
import { insertParts, assertNoOverlap } from './documents-parts.ts'
import type { DocumentsStore, NewPart, NewVersion } from './documents-types.ts'

/** Store methods for versions: requested, existing and waiting pages. */
export function versionStore(
  connection: Connection,
  clock: Clock,
): Pick<
  DocumentsStore,
  'begin' | 'version' | 'versions' | 'unfinished' | 'unplanned' | 'plan' | 'setPriority' | 'cancel'
> {
  const fresh = (id: string) => toVersion(requireVersion(connection, id))

  /** Adds parts for pages that are in none and marks the pages as waiting. */
  function addParts(version: VersionRow, parts: readonly NewPart[]): void {
    assertNoOverlap(parts)
    for (const part of parts) assertFree(version.seq, part)
    for (const { part, seq } of insertParts(connection, version, parts))
      connection.run(
        `UPDATE document_pages SET state = 'waiting', part_seq = ?, error = NULL
         WHERE version_seq = ? AND page BETWEEN ? AND ?`,
        seq,
        version.seq,
        part.first,
        part.last,
      )
  }

  function assertFree(versionSeq: number, part: PartPlan): void {
    const row = connection.get<{ n: number }>(
      `SELECT count(*) AS n FROM document_pages WHERE version_seq = ? AND page BETWEEN ? AND ?
         AND (state IN ('failed', 'cancelled') OR (state = 'waiting' AND part_seq IS NULL))`,
      versionSeq,
      part.first,
      part.last,
    )
    if (row?.n !== part.last - part.first + 1)
      throw new AppError(
        'REFUSED',
        'A part contains pages that are done, in progress, or not requested',
      )
  }

  function insertPages(seq: number, versionSeq: number, pages: readonly PartPlan[]): void {
    for (const { first, last } of pages)
      connection.run(
        `WITH RECURSIVE n(page) AS (SELECT ? UNION ALL SELECT page + 1 FROM n WHERE page < ?)
         INSERT INTO document_pages(item_seq, version_seq, page, state) SELECT ?, ?, page, 'waiting' FROM n`,
        first,
        last,
        seq,
        versionSeq,
      )
  }

  function insertVersion(seq: number, version: NewVersion): number {
    return connection.run(
      `INSERT INTO document_versions(id, item_seq, number, options, account_id, account_name, content, fingerprint, priority,
         created_at)
       SELECT ?, item_seq, (SELECT coalesce(max(number), 0) + 1 FROM document_versions WHERE item_seq = d.item_seq), ?, ?, ?,
         content, ?, ?, ?
       FROM documents d WHERE item_seq = ?`,
      version.id,
      JSON.stringify(version.options),
      version.accountId,
      version.accountName,
      version.fingerprint,
      version.priority,
      version.at,
      seq,
    ).lastId
  }

  return {
    begin(version) {
      if (version.pages.length === 0)
        throw new AppError('REFUSED', 'A version must have at least one page')
      assertNoOverlap(version.pages)
      return connection.transaction(() => {
        const seq = documentSeq(connection, version.documentId)
        insertPages(seq, insertVersion(seq, version), version.pages)
        const row = requireVersion(connection, version.id)
        addParts(row, version.parts)
        recountVersion(connection, row.seq, version.at)
        connection.run('UPDATE items SET updated_at = ? WHERE seq = ?', version.at, seq)
        return fresh(version.id)
      })
    },
    version(versionId) {
      const row = connection.get<VersionRow>(`${selectVersions} WHERE v.id = ?`, versionId)
      return row && toVersion(row)
    },
    versions: (id) => versionsOf(connection, documentSeq(connection, id)),
    unfinished: () =>
      connection
        .all<VersionRow>(
          `${selectVersions} WHERE v.state IN ('waiting', 'running') AND i.deleted_at IS NULL ORDER BY v.priority, v.seq`,
        )
        .map(toVersion),
    unplanned: (versionId) =>
      toRanges(
        connection
          .all<{ page: number }>(
            `SELECT page FROM document_pages WHERE version_seq = ? AND state = 'waiting' AND part_seq IS NULL ORDER BY page`,
            requireVersion(connection, versionId).seq,
          )
          .map((row) => row.page),
      ),
    plan(versionId, parts, account) {
      return connection.transaction(() => {
        if (account) {
          const { seq } = requireVersion(connection, versionId)
          connection.run(
            'UPDATE document_versions SET account_id = ?, account_name = ?, fingerprint = ? WHERE seq = ?',
            account.accountId,
            account.accountName,
            account.fingerprint,
            seq,
          )
        }
        const version = requireVersion(connection, versionId)
        addParts(version, parts)
        recountVersion(connection, version.seq, clock())
        return fresh(versionId)
      })
    },
    setPriority(versionId, priority) {
      return connection.transaction(() => {
        const { seq } = requireVersion(connection, versionId)
        connection.run('UPDATE document_versions SET priority = ? WHERE seq = ?', priority, seq)
        connection.run(
          'UPDATE document_parts SET priority = ? WHERE version_seq = ?',
          priority,
          seq,
        )
        return fresh(versionId)
      })
    },
    cancel(versionId) {
      return connection.transaction(() => {
        const { seq } = requireVersion(connection, versionId)
        connection.run(
          `UPDATE document_parts SET state = 'cancelled', next_try_at = NULL
           WHERE version_seq = ? AND state IN ('queued', 'sent')`,
          seq,
        )
        moveOpen(connection, seq, { first: 0, last: Number.MAX_SAFE_INTEGER }, 'cancelled')
        recountVersion(connection, seq, clock())
        return fresh(versionId)
      })
    },
  }
}

/** Returns a document's versions, newest first. */
export const versionsOf = (
  connection: Connection,
  seq: number,
): ReturnType<DocumentsStore['versions']> =>
  connection
    .all<VersionRow>(`${selectVersions} WHERE v.item_seq = ? ORDER BY v.number DESC`, seq)
    .map(toVersion)
