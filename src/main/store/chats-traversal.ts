import type { ChatMessage } from '../../shared/model/chat.ts'
import type { AnswerFolds } from './chats-answer-events.ts'
import { selectMessages, toMessage, type MessageRow } from './chats-rows.ts'
import type { Connection } from './connection.ts'

/** What a step of a walk tells. */
interface Step {
  readonly seq: number
  readonly depth: number
}

/** Selects the way from a message towards the beginning, itself first, at most so many messages (all: -1). */
export const ancestors = `WITH RECURSIVE up(seq, depth, parent) AS (
    SELECT seq, depth, parent_seq FROM messages WHERE seq = ?
    UNION ALL SELECT m.seq, m.depth, m.parent_seq FROM up CROSS JOIN messages m ON m.seq = up.parent)
  SELECT seq, depth FROM up LIMIT ?`

/** The way from a message towards the beginning, itself first; at most `limit` messages, all of them for -1. */
export const upFrom = (connection: Connection, seq: number, limit: number): readonly Step[] =>
  connection.all<Step>(ancestors, seq, limit)

/** The way from a message to the end that was shown of it last, itself first; at most `limit` messages. */
export const downFrom = (connection: Connection, seq: number, limit: number): readonly Step[] =>
  connection.all<Step>(
    `WITH RECURSIVE down(seq, depth, chosen) AS (
       SELECT seq, depth, chosen_seq FROM messages WHERE seq = ?
       UNION ALL SELECT m.seq, m.depth, m.chosen_seq FROM down CROSS JOIN messages m ON m.seq = down.chosen)
     SELECT seq, depth FROM down LIMIT ?`,
    seq,
    limit,
  )

/** The end of the branch that was shown of a message last. */
export const endOf = (connection: Connection, seq: number): Step =>
  connection.get<Step>(
    `WITH RECURSIVE down(seq, depth, chosen) AS (
       SELECT seq, depth, chosen_seq FROM messages WHERE seq = ?
       UNION ALL SELECT m.seq, m.depth, m.chosen_seq FROM down CROSS JOIN messages m ON m.seq = down.chosen)
     SELECT seq, depth FROM down ORDER BY depth DESC LIMIT 1`,
    seq,
  ) ?? { seq, depth: 0 }

/** Says of every message on the way to this one that it leads here. */
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

/** Reads messages by their numbers, in this order; of an answer that runs, what has come of it. */
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

/** The message of a row; of an answer that runs, with what has come of it. */
export function withReceived(row: MessageRow, folds: AnswerFolds): ChatMessage {
  const message = toMessage(row)
  if (row.state !== 'running') return message
  const { text, steps, shortened } = folds.upTo(row.seq, row.events)
  return { ...message, text, steps, ...(shortened && { shortened }), nextEvent: row.events }
}
