import { restIndexer, unindex } from './chats-index.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { deletedInSteps } from '../../../platform/database/schema.ts'
import { chats } from '../../../platform/database/schema/chats.ts'
import { isFragmented } from '../../../platform/database/search-merge.ts'

/** Messages and event batches deleted per step: takes a few milliseconds. */
const messagesPerStep = 40
const batchesPerStep = 200
const bytesPerStep = 1024 * 1024

/**
 * Milliseconds for which chunks of short texts are indexed in one step: together they form one segment of the index to
 * merge.
 */
const indexMs = 4

/**
 * Creates the cleanup steps after large changes: deletes rows of permanently deleted chats and indexes remaining texts.
 * A step returns false when nothing is left. Skips chats that are being imported, and does not index while the index has
 * many segments, which are merged first.
 */
export function chatSettler(
  connection: Connection,
  arriving: ReadonlySet<number> = new Set(),
): () => boolean {
  const indexRest = restIndexer(connection)
  const indexSome = (): boolean => {
    if (isFragmented(connection, 'message_text')) return false
    const until = performance.now() + indexMs
    let indexed = indexRest()
    if (!indexed) return false
    while (indexed && performance.now() < until) indexed = indexRest()
    return true
  }
  return () =>
    connection.writable &&
    connection.transaction(() => indexSome() || sweepOne(connection, arriving))
}

function sweepOne(connection: Connection, arriving: ReadonlySet<number>): boolean {
  const left = connection.get<{ kind: 'item' | 'events'; seq: number }>(
    `SELECT kind, seq FROM chat_leftovers
     WHERE kind = 'events' OR seq NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
    JSON.stringify(Array.from(arriving)),
  )
  if (!left) return false
  const more =
    left.kind === 'events' ? sweepEvents(connection, left.seq) : sweepMessages(connection, left.seq)
  if (!more)
    connection.run('DELETE FROM chat_leftovers WHERE kind = ? AND seq = ?', left.kind, left.seq)
  return true
}

/** Returns a function that deletes some rows of a message, and returns false if none were left. */
const sweeper =
  (table: 'message_events' | 'message_parts', column: 'events' | 'text') =>
  (connection: Connection, seq: number): boolean =>
    connection.run(
      `DELETE FROM ${table} WHERE rowid IN (
         SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM (
           SELECT rowid AS id, octet_length(${column}) AS bytes FROM ${table} WHERE message_seq = ? LIMIT ${batchesPerStep}))
         WHERE before < ${bytesPerStep})`,
      seq,
    ).changes > 0

/** Deletes some events of a message; returns false if none were left. */
export const sweepEvents = sweeper('message_events', 'events')
const sweepParts = sweeper('message_parts', 'text')

/** Whether a message has events. */
export const hasEvents = (connection: Connection, seq: number): boolean =>
  connection.get('SELECT 1 FROM message_events WHERE message_seq = ? LIMIT 1', seq) !== undefined

/** Deletes some messages of a chat, newest first; returns false if none were left. */
function sweepMessages(connection: Connection, itemSeq: number): boolean {
  const rows = connection.all<{ seq: number }>(
    'SELECT seq FROM messages WHERE item_seq = ? ORDER BY seq DESC LIMIT ?',
    itemSeq,
    messagesPerStep,
  )
  for (const { seq } of rows) {
    // The events of a running answer are many rows: they are deleted first, the message in another step.
    if (sweepEvents(connection, seq) || sweepParts(connection, seq)) return true
    removeMessage(connection, seq)
  }
  return rows.length > 0
}

/** Deletes a message with everything stored for it. */
export function removeMessage(connection: Connection, seq: number): void {
  unindex(connection, seq)
  for (const table of deletedInSteps(chats, 'message_seq'))
    connection.run(`DELETE FROM ${table} WHERE message_seq = ?`, seq)
  connection.run('DELETE FROM messages WHERE seq = ?', seq)
}
