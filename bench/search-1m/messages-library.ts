import Database from 'better-sqlite3'
import { rebuildSearch } from '../../src/main/domains/library/store/search-rebuild.ts'
import { texts } from './texts.ts'

/** Number of messages in the library (`LECTERN_BENCH_MESSAGES` sets fewer, for profiling), and of each chat. */
export const messagesInAll = Number(process.env.LECTERN_BENCH_MESSAGES ?? 1_000_000)
const perConversation = 200
/** Authors of answers: the agent and twelve assistants. */
const whos = ['agent', ...Array.from({ length: 12 }, (_, n) => `assistant-${n}`)]
/** Interval between questions: the library spans several years. */
const stepMs = 150_000
const begin = Date.UTC(2021, 0, 1)

const settings = '{"kind":"agent","knowledgeIds":[]}'

/** Fills the chat tables in one transaction, then builds the indexes as a repair does. Questions are one text, answers two. */
export function buildMessages(path: string): {
  readonly seconds: number
  readonly textBytes: number
} {
  const started = performance.now()
  const db = new Database(path)
  db.pragma('synchronous = OFF')
  const next = texts()
  let textBytes = 0
  const item = db.prepare(
    `INSERT INTO items(seq, id, kind, title, created_at, updated_at) VALUES (?, ?, 'conversation', ?, ?, ?)`,
  )
  const conversation = db.prepare(
    `INSERT INTO conversations(item_seq, settings, who, account_id, account_name, leaf_seq, messages, last_at)
     VALUES (?, ?, ?, 'bench', 'bench', ?, ?, ?)`,
  )
  const message = db.prepare(
    `INSERT INTO messages(seq, id, item_seq, parent_seq, chosen_seq, depth, role, state, who, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'done', ?, ?)`,
  )
  const body = db.prepare(
    'INSERT INTO message_bodies(message_seq, item_seq, role, text) VALUES (?, ?, ?, ?)',
  )
  db.transaction(() => {
    let seq = 0
    for (let n = 0; n < messagesInAll / perConversation; n++) {
      const who = whos[n % whos.length] ?? 'agent'
      const at = begin + seq * stepMs
      item.run(n + 1, `c${n}`, `Conversation ${n}`, at, at)
      conversation.run(n + 1, settings, who, seq + perConversation, perConversation, at)
      for (let depth = 0; depth < perConversation; depth++) {
        seq += 1
        const role = depth % 2 === 0 ? 'user' : 'assistant'
        const text = role === 'user' ? next() : `${next()}\n\n${next()}`
        textBytes += Buffer.byteLength(text)
        const isLast = depth === perConversation - 1
        message.run(
          seq,
          `m${seq}`,
          n + 1,
          depth === 0 ? null : seq - 1,
          isLast ? null : seq + 1,
          depth,
          role,
          who,
          begin + seq * stepMs,
        )
        body.run(seq, n + 1, role, text)
      }
    }
  })()
  rebuildSearch(db)
  // Checkpoint the log into the file, so that a copy of the file is complete.
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return { seconds: (performance.now() - started) / 1000, textBytes }
}
