import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { ChatMessage, SliceReply, TokenUse } from '../../../../shared/model/chat.ts'
import type { EventBatch } from '../../../../shared/model/run.ts'
import { AppError } from '../../../errors.ts'
import { addUse, noUse } from './chats-conversation-rows.ts'
import type { AnswerFolds } from './chats-answer-events.ts'
import { indexMessage, type IndexedMessage } from './chats-index.ts'
import { touchConversation } from './chats-insert.ts'
import { drawingsOf, saveMedia, mediaOf } from './chats-media.ts'
import { dropOtherParts, insertPart, partsOf, requireParts, textAt } from './chats-parts.ts'
import { listColumn, requireNode } from './chats-rows.ts'
import type { AnswerEnd, ChatStore } from './chats-types.ts'
import { messagesOf } from './chats-traversal.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { hasEvents, sweepEvents } from './chats-maintenance.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Maximum number of event batches returned at once, and their number of bytes, which the last batch may exceed. */
const batchesAtOnce = 200
const bytesAtOnce = 1024 * 1024

/** Part of the store for running answers and their results. */
export function answerStore(
  connection: Connection,
  folds: AnswerFolds,
  settleRest: () => void,
): Pick<
  ChatStore,
  | 'setState'
  | 'appendEvents'
  | 'savePart'
  | 'textAt'
  | 'parts'
  | 'events'
  | 'settle'
  | 'unfinished'
  | 'keepSlices'
  | 'sessionOf'
  | 'holderOf'
  | 'sessionContinues'
> {
  function read(seq: number): ChatMessage {
    const [message] = messagesOf(connection, folds, [seq])
    if (!message) throw new AppError('NOT_FOUND', 'Message not found')
    return message
  }
  const goesOn = (itemSeq: number, sessionId: string, seq: number): boolean =>
    connection.get(
      'SELECT 1 FROM messages WHERE item_seq = ? AND session_id = ? AND seq > ?',
      itemSeq,
      sessionId,
      seq,
    ) !== undefined

  return {
    setState(messageId, change) {
      return connection.transaction(() => {
        const { seq } = requireNode(connection, messageId)
        connection.run('UPDATE messages SET state = ? WHERE seq = ?', change.state, seq)
        if (change.error !== undefined)
          connection.run(
            'UPDATE messages SET error = ? WHERE seq = ?',
            change.error && JSON.stringify(change.error),
            seq,
          )
        if (change.streamId !== undefined)
          connection.run('UPDATE messages SET stream_id = ? WHERE seq = ?', change.streamId, seq)
        if (change.holder !== undefined)
          connection.run('UPDATE messages SET holder = ? WHERE seq = ?', change.holder, seq)
        if (change.attachments !== undefined) {
          connection.run(
            'UPDATE message_bodies SET attachments = ? WHERE message_seq = ?',
            listColumn(change.attachments),
            seq,
          )
          saveMedia(connection, seq, mediaOf(change.attachments))
        }
        return read(seq)
      })
    },
    appendEvents(messageId, batch, given) {
      connection.transaction(() => {
        const node = requireNode(connection, messageId)
        if (node.state !== 'running')
          throw new AppError('REFUSED', 'The answer is already complete')
        connection.run(
          'INSERT INTO message_events(message_seq, first_seq, count, events) VALUES (?, ?, ?, ?)',
          node.seq,
          batch.first,
          batch.count,
          batch.json,
        )
        const events = given ?? (JSON.parse(batch.json) as readonly AnswerEvent[])
        const { sessionId } = folds.add(node.seq, batch.first, events)
        connection.run(
          'UPDATE messages SET events = ?, session_id = coalesce(?, session_id) WHERE seq = ?',
          batch.first + batch.count,
          sessionId,
          node.seq,
        )
      })
    },
    events(messageId, from, limit) {
      const node = requireNode(connection, messageId)
      // A finished answer is read from its message: its events may be deleted in steps.
      if (node.state !== 'running') return { batches: [], next: null }
      const rows = connection.all<{ first_seq: number; count: number; events: string }>(
        `SELECT first_seq, count, events FROM (
           SELECT *, sum(octet_length(events)) OVER (ORDER BY first_seq) - octet_length(events) AS before
           FROM message_events WHERE message_seq = ? AND first_seq + count > ? ORDER BY first_seq LIMIT ${batchesAtOnce})
         WHERE before < ${bytesAtOnce}`,
        node.seq,
        from,
      )
      const batches: EventBatch[] = []
      let count = 0
      for (const row of rows) {
        if (count >= limit) break
        batches.push({ first: row.first_seq, count: row.count, json: row.events })
        count += row.count
      }
      const last = batches.at(-1)
      const next = last ? last.first + last.count : from
      return { batches, next: last && next < node.events ? next : null }
    },
    savePart(messageId, part) {
      connection.transaction(() => {
        const node = requireNode(connection, messageId)
        if (node.state !== 'running')
          throw new AppError('REFUSED', 'The answer is already complete')
        insertPart(connection, node.seq, part)
      })
    },
    textAt: (messageId, from, units) =>
      textAt(connection, requireNode(connection, messageId).seq, from, units),
    parts: (messageId) => partsOf(connection, requireNode(connection, messageId).seq),
    settle(messageId, end) {
      const settled = connection.transaction(() => {
        const node = requireNode(connection, messageId)
        if (node.role !== 'assistant' || node.state !== 'running')
          throw new AppError('REFUSED', 'The answer is already complete')
        putEnd(connection, node.seq, end)
        const { text, steps, shortened } = end
        dropOtherParts(connection, node.seq, text, shortened)
        requireParts(connection, node.seq, text, shortened)
        // Read before its text is written, which may be long and is known already.
        const { shortened: _, ...before } = read(node.seq)
        const message = { ...before, text, steps, ...(shortened && { shortened }) }
        putBody(connection, node.seq, end)
        dropEvents(connection, node.seq)
        const indexed = connection.get<IndexedMessage>(
          'SELECT seq, item_seq, role, who, created_at FROM messages WHERE seq = ?',
          node.seq,
        )
        if (indexed) indexMessage(connection, indexed, end.text, shortened?.text)
        countUse(connection, node.item_seq, end.usage)
        touchConversation(connection, node.item_seq, end.text, end.at)
        return { seq: node.seq, message }
      })
      folds.forget(settled.seq)
      settleRest()
      return settled.message
    },
    unfinished: () =>
      connection.all<ReturnType<ChatStore['unfinished']>[number]>(
        `SELECT m.id AS messageId, i.id AS conversationId, m.state FROM messages m INDEXED BY messages_open
         CROSS JOIN conversations c ON c.item_seq = m.item_seq CROSS JOIN items i ON i.seq = c.item_seq
         WHERE m.state IN ('running', 'queued', 'waiting') ORDER BY m.seq`,
      ),
    keepSlices(messageId, reply) {
      return connection.transaction(() => {
        const { seq } = requireNode(connection, messageId)
        const row = connection.get<{ slices: string | null }>(
          'SELECT slices FROM message_bodies WHERE message_seq = ?',
          seq,
        )
        const others = (parsed<readonly SliceReply[]>(row?.slices ?? null) ?? []).filter(
          (each) => each.requestId !== reply.requestId || each.nodeId !== reply.nodeId,
        )
        connection.run(
          'UPDATE message_bodies SET slices = ? WHERE message_seq = ?',
          JSON.stringify([...others, reply]),
          seq,
        )
        return read(seq)
      })
    },
    sessionOf(answerId) {
      const { item_seq: itemSeq, session_id: session, seq } = requireNode(connection, answerId)
      return session === null || goesOn(itemSeq, session, seq) ? null : session
    },
    holderOf(messageId) {
      const { seq } = requireNode(connection, messageId)
      return (
        connection.get<{ holder: string | null }>('SELECT holder FROM messages WHERE seq = ?', seq)
          ?.holder ?? null
      )
    },
    sessionContinues(answerId) {
      const { item_seq: itemSeq, session_id: session, seq } = requireNode(connection, answerId)
      return session !== null && goesOn(itemSeq, session, seq)
    },
  }
}

function putEnd(connection: Connection, seq: number, end: AnswerEnd): void {
  connection.run(
    `UPDATE messages SET state = ?, session_id = coalesce(?, session_id), model = ?, engine = ?, notice = ?, finish_reason = ?,
       usage = ?, service_message_id = ?, request_id = ?, error = ?, retold = coalesce(?, retold), ended_at = ? WHERE seq = ?`,
    end.state,
    end.sessionId,
    end.model,
    end.engine,
    end.notice,
    end.finishReason,
    end.usage && JSON.stringify(end.usage),
    end.serviceMessageId,
    end.requestId,
    end.error && JSON.stringify(end.error),
    end.resentTurns ?? null,
    end.at,
    seq,
  )
}

function putBody(connection: Connection, seq: number, end: AnswerEnd): void {
  connection.run(
    'UPDATE message_bodies SET text = ?, steps = ? WHERE message_seq = ?',
    end.text,
    listColumn(end.steps),
    seq,
  )
  saveMedia(connection, seq, end.drawings ?? drawingsOf(end.steps))
}

function dropEvents(connection: Connection, seq: number): void {
  if (sweepEvents(connection, seq) && hasEvents(connection, seq))
    connection.run(`INSERT OR IGNORE INTO chat_leftovers VALUES ('events', ?)`, seq)
}

function countUse(connection: Connection, itemSeq: number, usage: TokenUse | null): void {
  if (usage === null) return
  const row = connection.get<{ usage: string | null }>(
    'SELECT usage FROM conversations WHERE item_seq = ?',
    itemSeq,
  )
  const sum = addUse(parsed<TokenUse>(row?.usage ?? null) ?? noUse, usage)
  connection.run(
    'UPDATE conversations SET usage = ? WHERE item_seq = ?',
    JSON.stringify(sum),
    itemSeq,
  )
}
