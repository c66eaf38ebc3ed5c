import type { Connection } from './connection.ts'
import { selectPieces, speechSeq, type PieceRow } from './speech-rows.ts'
import type { PieceRecord, SpeechQueueRows } from './speech-types.ts'

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
    openOf: (speechId) =>
      read(
        connection.all<PieceRow>(
          `${selectPieces} WHERE p.item_seq = ? AND p.state IN ('queued', 'speaking', 'checking') ORDER BY p.place`,
          speechSeq(connection, speechId),
        ),
      ),
    stuck: (accountId) =>
      read(
        connection.all<PieceRow>(
          `${selectPieces} WHERE p.account_id = ? AND p.error IS NOT NULL AND i.deleted_at IS NULL
             AND p.state IN ('failed', 'queued', 'checking') ORDER BY p.item_seq, p.place LIMIT 5000`,
          accountId,
        ),
      ),
    requeue: () =>
      void connection.run(`UPDATE speech_pieces SET state = 'queued' WHERE state = 'speaking'`),
  }
}
