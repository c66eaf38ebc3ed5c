import type { Clock } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { dropStaged } from './documents-pages.ts'
import { moveOpen, recountVersion } from './documents-counts.ts'
import { isDueSql } from '../../../platform/database/due.ts'
import {
  requirePart,
  requireVersion,
  selectParts,
  toPart,
  type PartRow,
  type VersionRow,
} from './documents-rows.ts'
import type { DocumentsStore, PartRecord, NewPart } from './documents-types.ts'
import type { PartPlan } from '../../../../shared/model/document.ts'

const listed = '(SELECT value FROM json_each(?))'

/** Store methods for parts: the next one to send, running ones and results. Responses have a file of their own. */
export function partStore(
  connection: Connection,
  clock: Clock,
): Pick<
  DocumentsStore,
  | 'accounts'
  | 'next'
  | 'nextTime'
  | 'part'
  | 'parts'
  | 'sent'
  | 'fail'
  | 'putBack'
  | 'split'
  | 'restart'
> {
  /** Changes a part that is in one of these states, and updates everything that depends on it. */
  function change(
    partId: string,
    from: readonly PartRecord['state'][],
    work: (part: PartRow) => void,
  ): PartRecord {
    return connection.transaction(() => {
      const part = requirePart(connection, partId)
      if (!from.includes(part.state))
        throw new AppError('REFUSED', `The part is ${part.state}, not ${from.join(' or ')}`)
      work(part)
      recountVersion(connection, part.version_seq, clock())
      return toPart(requirePart(connection, partId))
    })
  }
  const countCalls = (versionSeq: number, calls: 1 | -1): unknown =>
    connection.run(
      'UPDATE document_versions SET calls = calls + ? WHERE seq = ?',
      calls,
      versionSeq,
    )

  return {
    accounts: () =>
      connection
        .all<{ id: string }>(
          `SELECT DISTINCT account_id AS id FROM document_versions WHERE state IN ('waiting', 'running')`,
        )
        .map(({ id }) => id),
    next({ accountId, at, exceptParts = [], exceptDocuments = [] }) {
      const row = connection.get<PartRow>(
        `${selectParts} WHERE p.state = 'queued' AND ${isDueSql('p.next_try_at')} AND i.deleted_at IS NULL
           AND v.account_id = ? AND p.id NOT IN ${listed} AND i.id NOT IN ${listed}
         ORDER BY p.priority, p.version_seq, p.first_page LIMIT 1`,
        at,
        at,
        accountId,
        JSON.stringify(exceptParts),
        JSON.stringify(exceptDocuments),
      )
      return row && toPart(row)
    },
    nextTime: (after) =>
      connection.get<{ at: number | null }>(
        `SELECT min(p.next_try_at) AS at FROM document_parts p CROSS JOIN document_versions v ON v.seq = p.version_seq
           CROSS JOIN items i ON i.seq = v.item_seq
         WHERE p.state = 'queued' AND p.next_try_at > ? AND i.deleted_at IS NULL`,
        after,
      )?.at ?? null,
    part(partId) {
      const row = connection.get<PartRow>(`${selectParts} WHERE p.id = ?`, partId)
      return row && toPart(row)
    },
    parts: (versionId) =>
      connection
        .all<PartRow>(
          `${selectParts} WHERE p.version_seq = ? ORDER BY p.first_page, p.seq`,
          requireVersion(connection, versionId).seq,
        )
        .map(toPart),
    sent: (partId, details) =>
      change(partId, ['queued'], (part) => {
        connection.run(
          `UPDATE document_parts SET state = 'sent', attempts = attempts + 1, calls = calls + 1, next_try_at = NULL, bytes = ?
           WHERE seq = ?`,
          details?.bytes ?? part.bytes,
          part.seq,
        )
        moveOpen(connection, part.version_seq, spanOf(part), 'sent')
        countCalls(part.version_seq, 1)
      }),
    fail: (partId, error, retryAt, counts = false) =>
      change(partId, ['queued', 'sent'], (part) => {
        connection.run(
          'UPDATE document_parts SET state = ?, next_try_at = ?, error = ?, failures = failures + ? WHERE seq = ?',
          retryAt === null ? 'failed' : 'queued',
          retryAt,
          JSON.stringify(error),
          counts ? 1 : 0,
          part.seq,
        )
        const waits = retryAt !== null
        moveOpen(
          connection,
          part.version_seq,
          spanOf(part),
          waits ? 'waiting' : 'failed',
          waits ? null : error,
        )
      }),
    putBack: (partId) =>
      change(partId, ['sent'], (part) => {
        connection.run(
          `UPDATE document_parts SET state = 'queued', attempts = attempts - 1, calls = calls - 1 WHERE seq = ?`,
          part.seq,
        )
        moveOpen(connection, part.version_seq, spanOf(part), 'waiting')
        countCalls(part.version_seq, -1)
      }),
    split(partId, parts) {
      const ids = parts.map((part) => part.id)
      change(partId, ['queued', 'sent'], (part) => {
        assertCovers(part, parts)
        connection.run(
          `UPDATE document_parts SET state = 'split', next_try_at = NULL WHERE seq = ?`,
          part.seq,
        )
        const version = requireVersion(connection, part.version_id)
        for (const { part: each, seq } of insertParts(connection, version, parts))
          connection.run(
            `UPDATE document_pages SET state = 'waiting', part_seq = ? WHERE version_seq = ? AND page BETWEEN ? AND ?`,
            seq,
            version.seq,
            each.first,
            each.last,
          )
      })
      return ids.map((id) => toPart(requirePart(connection, id)))
    },
    restart() {
      return connection.transaction(() => {
        const sent = connection.all<{ version_seq: number }>(
          `SELECT version_seq FROM document_parts WHERE state = 'sent'`,
        )
        connection.run(`UPDATE document_parts SET state = 'queued' WHERE state = 'sent'`)
        for (const seq of new Set(sent.map((row) => row.version_seq))) {
          dropStaged(connection, seq, { first: 1, last: Number.MAX_SAFE_INTEGER })
          connection.run(
            `UPDATE document_pages SET state = 'waiting' WHERE version_seq = ? AND state = 'sent'`,
            seq,
          )
          recountVersion(connection, seq, clock())
        }
        return sent.length
      })
    },
  }
}

/** Asserts that page ranges are valid, ascending and do not overlap. Throws REFUSED. */
export function assertNoOverlap(spans: readonly PartPlan[]): void {
  let end = 0
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    if (first <= end || last < first)
      throw new AppError('REFUSED', 'Page ranges overlap or are invalid')
    end = last
  }
}

/** Returns the page range of a part. */
export const spanOf = (part: PartRow): { readonly first: number; readonly last: number } => ({
  first: part.first_page,
  last: part.last_page,
})

/** Inserts the rows of new parts and returns their numbers. */
export const insertParts = (
  connection: Connection,
  version: VersionRow,
  parts: readonly NewPart[],
): readonly { readonly part: NewPart; readonly seq: number }[] =>
  parts.map((part) => ({
    part,
    seq: connection.run(
      `INSERT INTO document_parts(id, version_seq, first_page, last_page, bytes, state, priority, fingerprint)
       VALUES (?, ?, ?, ?, ?, 'queued', ?, ?)`,
      part.id,
      version.seq,
      part.first,
      part.last,
      part.bytes,
      version.priority,
      version.fingerprint,
    ).lastId,
  }))

/** Asserts that replacement parts cover exactly the pages of the part. Throws REFUSED. */
function assertCovers(part: PartRow, parts: readonly NewPart[]): void {
  assertNoOverlap(parts)
  const pages = parts.reduce((sum, each) => sum + each.last - each.first + 1, 0)
  const inside = parts.every((each) => each.first >= part.first_page && each.last <= part.last_page)
  if (!inside || pages !== part.last_page - part.first_page + 1)
    throw new AppError('REFUSED', 'The new parts do not cover the pages of the part they replace')
}
