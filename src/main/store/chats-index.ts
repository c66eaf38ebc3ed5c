import type Database from 'better-sqlite3'
import { indexTokens } from '../../shared/text/cut.ts'
import { piecesOf } from './chats-pieces.ts'
import { scopeTokens } from './chats-scope.ts'
import type { Connection } from './connection.ts'
import { rowsPerItem } from './search-numbers.ts'

/** What the index holds of a message beside its text. */
export interface IndexedMessage {
  readonly seq: number
  readonly item_seq: number
  readonly role: 'user' | 'assistant'
  readonly who: string
  readonly created_at: number
}

/** Pieces of one text that are cut into tokens at once, some milliseconds: the rest follows in steps, so that no answer holds up anybody. */
const piecesAtOnce = 1

const insert = 'INSERT OR REPLACE INTO message_text(rowid, mine, theirs, scope) VALUES (?, ?, ?, ?)'

/** The columns of a piece's row. */
function columns(
  message: IndexedMessage,
  piece: number,
  text: string,
): [row: number, mine: string, theirs: string, scope: string] {
  const tokens = indexTokens(text)
  const mine = message.role === 'user'
  return [
    message.seq * rowsPerItem + piece,
    mine ? tokens : '',
    mine ? '' : tokens,
    scopeTokens(message),
  ]
}

/** Makes a message's text findable: the beginning at once, the rest by {@link indexRest}. Of a temporary conversation nothing is. */
export function indexMessage(connection: Connection, message: IndexedMessage, text: string): void {
  if (isTemporary(connection, message.item_seq)) return
  const pieces = piecesOf(text)
  for (const [place, piece] of pieces.slice(0, piecesAtOnce).entries())
    connection.run(insert, ...columns(message, place, piece))
  if (pieces.length > piecesAtOnce)
    connection.run(
      'INSERT OR REPLACE INTO message_unindexed(message_seq, piece) VALUES (?, ?)',
      message.seq,
      piecesAtOnce,
    )
}

/** Leaves a message to {@link indexRest}, whole: for many at once. */
export const indexLater = (connection: Connection, seq: number): void =>
  void connection.run(
    'INSERT OR REPLACE INTO message_unindexed(message_seq, piece) VALUES (?, 0)',
    seq,
  )

const isTemporary = (connection: Connection, itemSeq: number): boolean =>
  connection.get(`SELECT 1 FROM items WHERE seq = ? AND kind = 'temporary'`, itemSeq) !== undefined

/** One step of what is left to index; false when nothing is. */
export function indexRest(connection: Connection): boolean {
  const left = connection.get<{ message_seq: number; piece: number }>(
    'SELECT message_seq, piece FROM message_unindexed ORDER BY message_seq DESC LIMIT 1',
  )
  if (!left) return false
  const message = connection.get<IndexedMessage & { readonly text: string }>(
    `SELECT m.seq, m.item_seq, m.role, m.who, m.created_at, b.text FROM messages m
     CROSS JOIN message_bodies b ON b.message_seq = m.seq WHERE m.seq = ?`,
    left.message_seq,
  )
  const pieces = message ? piecesOf(message.text) : []
  const text = pieces[left.piece]
  if (message && text !== undefined) connection.run(insert, ...columns(message, left.piece, text))
  if (left.piece + 1 < pieces.length)
    connection.run(
      'UPDATE message_unindexed SET piece = ? WHERE message_seq = ?',
      left.piece + 1,
      left.message_seq,
    )
  else connection.run('DELETE FROM message_unindexed WHERE message_seq = ?', left.message_seq)
  return true
}

/** Takes a message out of the index. */
export function unindex(connection: Connection, seq: number): void {
  // Bound as whole numbers: the index ignores limits that arrive as floating point.
  connection.run(
    'DELETE FROM message_text WHERE rowid >= ? AND rowid < ?',
    BigInt(seq * rowsPerItem),
    BigInt((seq + 1) * rowsPerItem),
  )
  connection.run('DELETE FROM message_unindexed WHERE message_seq = ?', seq)
}

/** Writes rows of whole messages past a connection: for the building of the index. */
export function messageWriter(
  db: Database.Database,
): (message: IndexedMessage, text: string) => void {
  const write = db.prepare(insert)
  return (message, text) => {
    for (const [place, piece] of piecesOf(text).entries())
      write.run(...columns(message, place, piece))
  }
}
