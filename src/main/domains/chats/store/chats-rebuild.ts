import type Database from 'better-sqlite3'
import { wholeText } from './chats-parts.ts'
import { messageWriter, type IndexedMessage } from './chats-index.ts'

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
