import type { Connection } from './connection.ts'
import { selectPieces, type PieceRow } from './speech-rows.ts'
import type { PieceRecord, SpeechQueueRows } from './speech-types.ts'

/** A wish that only wants to hear again: no take belongs to it, and nothing is spoken anew. */
const onlyHear = { round: Number.MAX_SAFE_INTEGER, again: 1000 } as const
const isOpen = `p.state IN ('queued', 'speaking', 'checking') AND i.deleted_at IS NULL`

/** What is to be spoken or heard. */
export function speechQueue(
  connection: Connection,
  read: (rows: readonly PieceRow[]) => readonly PieceRecord[],
): SpeechQueueRows {
  return {
    dueAccounts: () =>
      connection
        .all<{ id: string }>(
          `SELECT DISTINCT coalesce(p.account_id, '') AS id FROM speech_pieces p JOIN items i ON i.seq = p.item_seq WHERE ${isOpen}`,
        )
        .map(({ id }) => id),
    due: (accountId, now, except, limit) =>
      read(
        connection.all<PieceRow>(
          `${selectPieces} WHERE ${isOpen} AND coalesce(p.account_id, '') = ? AND coalesce(p.next_try_at, 0) <= ?
             AND p.id NOT IN (SELECT value FROM json_each(?)) ORDER BY p.fresh DESC, p.item_seq, p.place LIMIT ?`,
          accountId,
          now,
          JSON.stringify(except),
          limit,
        ),
      ),
    nextTime: () =>
      connection.get<{ at: number | null }>(
        `SELECT min(p.next_try_at) AS at FROM speech_pieces p JOIN items i ON i.seq = p.item_seq WHERE ${isOpen}`,
      )?.at ?? null,
    openCounts: () =>
      connection.get<{ waiting: number; open: number }>(
        `SELECT count(p.next_try_at) AS waiting, count(*) AS open
         FROM speech_pieces p JOIN items i ON i.seq = p.item_seq WHERE ${isOpen}`,
      ) ?? { waiting: 0, open: 0 },
    openSpeeches: () =>
      connection
        .all<{ id: string }>(
          `SELECT DISTINCT i.id FROM speech_pieces p JOIN items i ON i.seq = p.item_seq WHERE ${isOpen}`,
        )
        .map(({ id }) => id),
    stuck: (accountId) =>
      read(
        connection.all<PieceRow>(
          `${selectPieces} WHERE p.account_id = ? AND p.error IS NOT NULL AND i.deleted_at IS NULL
             AND p.state IN ('failed', 'queued', 'checking') ORDER BY p.item_seq, p.place LIMIT 5000`,
          accountId,
        ),
      ),
    settle: (states) =>
      void connection.run(
        `UPDATE speech_pieces SET state = j.value ->> 1, next_try_at = NULL, error = NULL
         FROM json_each(?) j WHERE speech_pieces.id = j.value ->> 0`,
        JSON.stringify(states),
      ),
    wish: (pieceIds, accountId, fresh) =>
      void connection.run(
        `UPDATE speech_pieces SET state = 'queued', account_id = ?, fresh = ?, again = 0, attempts = 0, pinned = 0, next_try_at = NULL,
           error = NULL, round_seq = 1 + coalesce((SELECT max(seq) FROM speech_takes WHERE piece_seq = speech_pieces.seq), 0)
         WHERE id IN (SELECT value FROM json_each(?))`,
        accountId,
        fresh ? 1 : 0,
        JSON.stringify(pieceIds),
      ),
    hear: (pieceIds, accountId) =>
      void connection.run(
        `UPDATE speech_pieces SET state = 'checking', account_id = ?, attempts = 0, round_seq = ?, again = ?
         WHERE id IN (SELECT value FROM json_each(?)) AND take_seq IS NOT NULL AND state IN ('done', 'stale')`,
        accountId,
        onlyHear.round,
        onlyHear.again,
        JSON.stringify(pieceIds),
      ),
    requeue: () =>
      void connection.run(`UPDATE speech_pieces SET state = 'queued' WHERE state = 'speaking'`),
  }
}
