import { plainMarkdown } from '../../../../shared/documents/plain-text.ts'
import { indexMessage } from './chats-index.ts'
import { saveMedia, mediaOf } from './chats-media.ts'
import { listColumn, responderOf } from './chats-rows.ts'
import type { NewMessage } from './chats-types.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { blankTags } from '../../../../shared/text/readable.ts'
import { excerptOf } from '../../../platform/text/display-title.ts'

/** Message with its position in the tree. */
export interface PlacedMessage extends NewMessage {
  readonly itemSeq: number
  readonly parentSeq: number | null
  readonly depth: number
}

/** Inserts a message and updates its chat, but not the shown branch. Returns its number. */
export function insertMessage(connection: Connection, message: PlacedMessage): number {
  const who =
    message.settings === null
      ? (connection.get<{ who: string }>(
          'SELECT who FROM conversations WHERE item_seq = ?',
          message.itemSeq,
        )?.who ?? '')
      : responderOf(message.settings)
  const { lastId: seq } = connection.run(
    `INSERT INTO messages(id, item_seq, parent_seq, depth, role, state, who, stream_id, retold, holder, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    message.id,
    message.itemSeq,
    message.parentSeq,
    message.depth,
    message.role,
    message.state,
    who,
    message.streamId,
    message.resentTurns,
    message.holder ?? null,
    message.at,
  )
  connection.run(
    'INSERT INTO message_bodies(message_seq, item_seq, role, text, attachments, settings) VALUES (?, ?, ?, ?, ?, ?)',
    seq,
    message.itemSeq,
    message.role,
    message.text,
    listColumn(message.attachments),
    message.settings && JSON.stringify(message.settings),
  )
  saveMedia(connection, seq, mediaOf(message.attachments))
  connection.run(
    'UPDATE conversations SET messages = messages + 1, last_at = max(last_at, ?) WHERE item_seq = ?',
    message.at,
    message.itemSeq,
  )
  touchConversation(connection, message.itemSeq, message.text, message.at)
  if (message.state !== 'running')
    indexMessage(
      connection,
      { seq, item_seq: message.itemSeq, role: message.role, who, created_at: message.at },
      message.text,
    )
  return seq
}

/** Number of characters of a message from which its excerpt is created. */
export const excerptChars = 2000

/** Returns the excerpt of a message for a list. */
export const messageExcerpt = (text: string): string =>
  excerptOf(
    plainMarkdown(blankTags(text.slice(0, excerptChars).replace(/<\/?reference\b[^>]*>/g, ''))),
  )

/**
 * Updates excerpt and modification time from the newest message; a message without text leaves the excerpt unchanged.
 */
export function touchConversation(
  connection: Connection,
  itemSeq: number,
  text: string,
  at: number,
): void {
  const excerpt = messageExcerpt(text)
  connection.run(
    `UPDATE items SET excerpt = iif(? = '', excerpt, ?), updated_at = max(updated_at, ?) WHERE seq = ?`,
    excerpt,
    excerpt,
    at,
    itemSeq,
  )
}
