import type { Connection } from '../../../platform/database/connection.ts'
import { isDueSql } from '../../../platform/database/due.ts'
import { selectSegments, type SegmentRow } from './speech-rows.ts'
import type { SegmentRecord, SpeechQueueRows } from './speech-types.ts'

/** Request for verification only: it has no takes, and nothing is synthesized again. */
const transcribeOnly = { round: Number.MAX_SAFE_INTEGER, again: 1000 } as const
const open = `p.state IN ('queued', 'speaking', 'checking')`
const account = `coalesce(p.account_id, '')`
const listed = '(SELECT value FROM json_each(?))'
const isOpen = `${open} AND i.deleted_at IS NULL`
const ofItems = `speech_pieces p JOIN items i ON i.seq = p.item_seq`
/** Assignments that queue a requested segment. */
const wished = `state = 'queued', account_id = ?, fresh = ?, again = 0, attempts = 0, pinned = 0, next_try_at = NULL, error = NULL,
  round_seq = 1 + coalesce((SELECT max(seq) FROM speech_takes WHERE piece_seq = speech_pieces.seq), 0)`

/** Creates the queue of segments to synthesize or verify. No query visits all requested segments: there are thousands. */
export function speechQueue(
  connection: Connection,
  read: (rows: readonly SegmentRow[]) => readonly SegmentRecord[],
): SpeechQueueRows {
  const minAccount = (above: string): string =>
    `SELECT min(${account}) FROM speech_pieces p WHERE ${open}${above}`
  return {
    dueAccounts: () =>
      connection
        .all<{ id: string }>(
          `WITH RECURSIVE known(id) AS (
             ${minAccount('')} UNION ALL SELECT (${minAccount(` AND ${account} > known.id`)}) FROM known WHERE known.id IS NOT NULL)
           SELECT id FROM known WHERE id IS NOT NULL`,
        )
        .map(({ id }) => id),
    next: ({ accountId, at, except, exceptGroups }) =>
      read(
        connection.all<SegmentRow>(
          `${selectSegments} WHERE p.seq = (
             SELECT p.seq FROM ${ofItems} WHERE ${isOpen} AND ${account} = ? AND ${isDueSql('p.next_try_at')}
               AND p.id NOT IN ${listed} AND i.id NOT IN ${listed} ORDER BY p.fresh DESC, p.item_seq, p.place LIMIT 1)`,
          accountId,
          at,
          at,
          JSON.stringify(except),
          JSON.stringify(exceptGroups),
        ),
      )[0],
    nextTime: (after) =>
      connection.get<{ at: number | null }>(
        `SELECT min(p.next_try_at) AS at FROM ${ofItems} WHERE p.next_try_at > ? AND ${isOpen}`,
        after,
      )?.at ?? null,
    waiting: (except) =>
      connection.get<{ n: number }>(
        `SELECT count(*) AS n FROM ${ofItems}
         WHERE p.next_try_at IS NOT NULL AND ${isOpen} AND ${account} NOT IN ${listed}`,
        JSON.stringify(except),
      )?.n ?? 0,
    openOf: (accountId) =>
      connection.get<{ n: number }>(
        `SELECT count(*) AS n FROM speech_pieces p WHERE ${open} AND ${account} = ?`,
        accountId,
      )?.n ?? 0,
    isOpen: (speechId) =>
      connection.get(`SELECT 1 FROM ${ofItems} WHERE i.id = ? AND ${open} LIMIT 1`, speechId) !==
      undefined,
    openSpeeches: (accountId) =>
      connection
        .all<{ id: string }>(
          `SELECT i.id FROM speeches s CROSS JOIN items i ON i.seq = s.item_seq WHERE i.deleted_at IS NULL AND EXISTS (
             SELECT 1 FROM speech_pieces p WHERE p.item_seq = i.seq AND ${open} AND ${account} = coalesce(?, ${account}))`,
          accountId ?? null,
        )
        .map(({ id }) => id),
    enqueue: (segmentIds, accountId) =>
      connection.run(
        `UPDATE speech_pieces SET ${wished} WHERE id IN ${listed}
           AND state NOT IN ('silent', 'queued', 'speaking')`,
        accountId,
        1,
        JSON.stringify(segmentIds),
      ).changes,
    enqueueRemaining: (speechId, accountId, { from, upTo }) =>
      connection.run(
        `UPDATE speech_pieces SET ${wished} WHERE item_seq = (SELECT seq FROM items WHERE id = ?) AND place >= ? AND place < ?
           AND state IN ('idle', 'failed', 'stale')`,
        accountId,
        0,
        speechId,
        from,
        upTo,
      ).changes,
    isSpeaking: (speechId) =>
      connection.get(
        `SELECT 1 FROM ${ofItems} WHERE i.id = ? AND p.state = 'speaking' LIMIT 1`,
        speechId,
      ) !== undefined,
    reassign: (speechId, accountId, { from, upTo }) =>
      void connection.run(
        `UPDATE speech_pieces SET account_id = ?, attempts = 0, next_try_at = NULL, error = NULL
         WHERE item_seq = (SELECT seq FROM items WHERE id = ?) AND place >= ? AND place < ? AND state IN ('queued', 'checking')`,
        accountId,
        speechId,
        from,
        upTo,
      ),
    enqueueCheck: (segmentIds, accountId) =>
      void connection.run(
        `UPDATE speech_pieces SET state = 'checking', account_id = ?, attempts = 0, round_seq = ?, again = ?
         WHERE id IN ${listed} AND take_seq IS NOT NULL AND state IN ('done', 'stale')`,
        accountId,
        transcribeOnly.round,
        transcribeOnly.again,
        JSON.stringify(segmentIds),
      ),
    failAll: (accountId, error, except, limit) =>
      connection.run(
        `UPDATE speech_pieces SET state = 'failed', error = ?, next_try_at = NULL WHERE seq IN (
           SELECT p.seq FROM speech_pieces p WHERE ${open} AND p.state = 'queued' AND ${account} = ?
             AND p.id NOT IN ${listed} LIMIT ?)`,
        JSON.stringify(error),
        accountId,
        JSON.stringify(except),
        limit,
      ).changes,
    wake: (accountId, codes, limit) =>
      connection.run(
        `UPDATE speech_pieces SET state = 'queued', attempts = 0, error = NULL, next_try_at = NULL WHERE seq IN (
           SELECT p.seq FROM ${ofItems} WHERE p.state = 'failed' AND p.account_id = ? AND i.deleted_at IS NULL
             AND p.error ->> 'code' IN ${listed} LIMIT ?)`,
        accountId,
        JSON.stringify(codes),
        limit,
      ).changes,
    held: (accountId) =>
      read(
        connection.all<SegmentRow>(
          `${selectSegments} WHERE p.next_try_at IS NOT NULL AND p.account_id = ? AND ${isOpen} LIMIT 1000`,
          accountId,
        ),
      ),
    requeue: (except) =>
      void connection.run(
        `UPDATE speech_pieces SET state = 'queued' WHERE state = 'speaking' AND id NOT IN ${listed}`,
        JSON.stringify(except),
      ),
  }
}
