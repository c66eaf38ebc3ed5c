import type { ChatMessage } from '../../../../shared/model/chat.ts'
import type { AnswerFolds } from './chats-answer-events.ts'
import { selectMessages, toMessage, type MessageRow } from './chats-rows.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/** Step of a traversal. */
interface Step {
  readonly seq: number
  readonly depth: number
}

/**
 * Selects the path from a message to the root, including itself, with a maximum number of messages (all: -1).
 */
export const ancestors = `WITH RECURSIVE up(seq, depth, parent) AS (
    SELECT seq, depth, parent_seq FROM messages WHERE seq = ?
    UNION ALL SELECT m.seq, m.depth, m.parent_seq FROM up CROSS JOIN messages m ON m.seq = up.parent)
  SELECT seq, depth FROM up LIMIT ?`

/** Returns the path from a message to the root, including itself; at most `limit` messages, all for -1. */
export const upFrom = (connection: Connection, seq: number, limit: number): readonly Step[] =>
  connection.all<Step>(ancestors, seq, limit)

/**
 * Returns the path from a message to the most recently shown end below it, including itself; at most `limit` messages.
 */
export const downFrom = (connection: Connection, seq: number, limit: number): readonly Step[] =>
  connection.all<Step>(
    `WITH RECURSIVE down(seq, depth, chosen) AS (
       SELECT seq, depth, chosen_seq FROM messages WHERE seq = ?
       UNION ALL SELECT m.seq, m.depth, m.chosen_seq FROM down CROSS JOIN messages m ON m.seq = down.chosen)
     SELECT seq, depth FROM down LIMIT ?`,
    seq,
    limit,
  )

/** Returns the end of the most recently shown branch below a message. */
export const endOf = (connection: Connection, seq: number): Step =>
  connection.get<Step>(
    `WITH RECURSIVE down(seq, depth, chosen) AS (
       SELECT seq, depth, chosen_seq FROM messages WHERE seq = ?
       UNION ALL SELECT m.seq, m.depth, m.chosen_seq FROM down CROSS JOIN messages m ON m.seq = down.chosen)
     SELECT seq, depth FROM down ORDER BY depth DESC LIMIT 1`,
    seq,
  ) ?? { seq, depth: 0 }

/** Marks the path to this message as chosen in all its ancestors. */
export function choosePath(connection: Connection, seq: number): void {
  connection.run(
    `WITH RECURSIVE up(seq, parent) AS (
       SELECT seq, parent_seq FROM messages WHERE seq = ?
       UNION ALL SELECT m.seq, m.parent_seq FROM up CROSS JOIN messages m ON m.seq = up.parent)
     UPDATE messages SET chosen_seq = up.seq FROM up
     WHERE messages.seq = up.parent AND messages.chosen_seq IS NOT up.seq`,
    seq,
  )
}

/** Reads messages by their numbers, in this order; a running answer includes its partial content. */
export function messagesOf(
  connection: Connection,
  folds: AnswerFolds,
  seqs: readonly number[],
): readonly ChatMessage[] {
  const rows = connection.all<MessageRow>(
    `SELECT r.* FROM json_each(?) j CROSS JOIN (${selectMessages}) r ON r.seq = j.value ORDER BY j.key`,
    JSON.stringify(seqs),
  )
  return rows.map((row) => withReceived(row, folds))
}

/** Converts a row to a message; a running answer includes its partial content. */
export function withReceived(row: MessageRow, folds: AnswerFolds): ChatMessage {
  const message = toMessage(row)
  if (row.state !== 'running') return message
  const { text, steps, shortened } = folds.upTo(row.seq, row.events)
  return { ...message, text, steps, ...(shortened && { shortened }), nextEvent: row.events }
}
