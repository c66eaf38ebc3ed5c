import type Database from 'better-sqlite3'
import { blankMarks } from '../../../../shared/chats/references.ts'
import { indexTokens } from '../../../../shared/text/cut.ts'
import { chunkCount, chunkOf } from './chats-chunks.ts'
import { storedText, type StoredText, wholeText } from './chats-parts.ts'
import { longText } from './chats-rows.ts'
import { scopeTokens } from './chats-scope.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { rowsPerItem } from '../../../platform/database/search-rows.ts'

/** Indexed fields of a message, except its text. */
export interface IndexedMessage {
  readonly seq: number
  readonly item_seq: number
  readonly role: 'user' | 'assistant'
  readonly who: string
  readonly created_at: number
}

const insert = 'INSERT OR REPLACE INTO message_text(rowid, mine, theirs, scope) VALUES (?, ?, ?, ?)'

/** Returns the column values of a chunk's row. */
function columns(
  message: IndexedMessage,
  chunkIndex: number,
  text: string,
): [row: number, mine: string, theirs: string, scope: string] {
  const tokens = indexTokens(blankMarks(text))
  const mine = message.role === 'user'
  return [
    message.seq * rowsPerItem + chunkIndex,
    mine ? tokens : '',
    mine ? '' : tokens,
    scopeTokens(message),
  ]
}

/**
 * Indexes the text of a message: its beginning immediately, the rest by {@link restIndexer}. `length` is the length of the whole
 * text, of which `text` may be the beginning. Messages of temporary chats are not indexed.
 */
export function indexMessage(
  connection: Connection,
  message: IndexedMessage,
  text: string,
  length = text.length,
): void {
  if (isTemporary(connection, message.item_seq)) return
  connection.run(insert, ...columns(message, 0, chunkOf(text, 0)))
  if (chunkCount(length) > 1)
    connection.run(
      'INSERT OR REPLACE INTO message_unindexed(message_seq, piece) VALUES (?, 1)',
      message.seq,
    )
}

/** Leaves a whole message to {@link restIndexer}; for bulk changes. */
export const indexLater = (connection: Connection, seq: number): void =>
  void connection.run(
    'INSERT OR REPLACE INTO message_unindexed(message_seq, piece) VALUES (?, 0)',
    seq,
  )

const isTemporary = (connection: Connection, itemSeq: number): boolean =>
  connection.get(`SELECT 1 FROM items WHERE seq = ? AND kind = 'temporary'`, itemSeq) !== undefined

/** Indexes remaining texts, one chunk per call; returns false if nothing is left. Reads a long text once, part by part. */
export function restIndexer(connection: Connection): () => boolean {
  let held: (IndexedMessage & { readonly text: StoredText }) | undefined
  const read = (seq: number): typeof held => {
    const row = connection.get<IndexedMessage & { text: Buffer; units: number | null }>(
      `SELECT m.seq, m.item_seq, m.role, m.who, m.created_at, ${longText('b.text', 'text')},
         (SELECT max(p.start + p.units) FROM message_parts p
          WHERE p.message_seq = m.seq AND p.kind = 'text') AS units
       FROM messages m CROSS JOIN message_bodies b ON b.message_seq = m.seq WHERE m.seq = ?`,
      seq,
    )
    if (!row) return undefined
    const text = row.text.toString()
    return { ...row, text: storedText(connection, seq, text, row.units ?? text.length) }
  }
  return () => {
    const left = connection.get<{ message_seq: number; piece: number }>(
      'SELECT message_seq, piece FROM message_unindexed ORDER BY message_seq DESC LIMIT 1',
    )
    if (!left) return false
    if (held?.seq !== left.message_seq) held = read(left.message_seq)
    if (held) connection.run(insert, ...columns(held, left.piece, chunkOf(held.text, left.piece)))
    if (held && left.piece + 1 < chunkCount(held.text.length)) {
      connection.run(
        'UPDATE message_unindexed SET piece = ? WHERE message_seq = ?',
        left.piece + 1,
        left.message_seq,
      )
      return true
    }
    connection.run('DELETE FROM message_unindexed WHERE message_seq = ?', left.message_seq)
    held = undefined
    return true
  }
}

/** Removes a message from the index. */
export function unindex(connection: Connection, seq: number): void {
  // Bound as integers: the index ignores limits bound as floating-point numbers.
  connection.run(
    'DELETE FROM message_text WHERE rowid >= ? AND rowid < ?',
    BigInt(seq * rowsPerItem),
    BigInt((seq + 1) * rowsPerItem),
  )
  connection.run('DELETE FROM message_unindexed WHERE message_seq = ?', seq)
}

/** Writes rows of whole messages without a connection wrapper; for rebuilding the index. */
function messageWriter(db: Database.Database): (message: IndexedMessage, text: string) => void {
  const write = db.prepare(insert)
  return (message, text) => {
    for (let place = 0; place < chunkCount(text.length); place++)
      write.run(...columns(message, place, chunkOf(text, place)))
  }
}

/** Messages indexed per transaction, to keep the WAL short, and messages read at once. */
const messagesPerCommit = 20_000
const messagesPerRead = 200

/** Indexes messages from number `first` on, except those of temporary chats and running answers. */
export function rebuildMessages(db: Database.Database, first = 0): void {
  const rows = db.prepare<[number, number], IndexedMessage>(`
    SELECT m.seq, m.item_seq, m.role, m.who, m.created_at
    FROM messages m CROSS JOIN message_bodies b ON b.message_seq = m.seq CROSS JOIN items i ON i.seq = m.item_seq
    WHERE m.seq >= ? AND m.seq < ? AND m.state <> 'running' AND i.kind = 'conversation' ORDER BY m.seq`)
  const textOf = db
    .prepare<[number], string>(`SELECT ${wholeText} FROM message_bodies b WHERE b.message_seq = ?`)
    .pluck()
  const write = messageWriter(db)
  const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM messages').get()
  const end = (last?.seq ?? -1) + 1
  db.prepare('DELETE FROM message_unindexed WHERE message_seq >= ?').run(first)
  for (let from = first; from < end; from += messagesPerCommit) {
    db.transaction(() => {
      for (let at = from; at < Math.min(end, from + messagesPerCommit); at += messagesPerRead)
        // Only one text at a time is in memory: each may be long.
        for (const message of rows.all(at, Math.min(end, at + messagesPerRead)))
          write(message, textOf.get(message.seq) ?? '')
    }).immediate()
  }
}
