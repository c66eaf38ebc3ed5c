import type { State } from '../../state.ts'
import type { EarlierQuestion } from './rewrite.ts'

interface Turn extends EarlierQuestion {
  readonly sessionId: string
  readonly messageId: string
  readonly answer: string
  /** Unix milliseconds. */
  readonly at: number
  /** Results of each tool call as JSON, for slice positions. */
  readonly nodes: ReadonlyMap<string, unknown>
}

/** Maximum number of earlier questions that a follow-up may refer to. */
const maxEarlier = 20

/** Opens the tables of agent sessions. */
export function openSessionStore(state: State) {
  state.exec(`
    CREATE TABLE IF NOT EXISTS agent_sessions (
      id TEXT PRIMARY KEY,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS agent_turns (
      seq INTEGER PRIMARY KEY,
      message_id TEXT NOT NULL UNIQUE,
      session_id TEXT NOT NULL REFERENCES agent_sessions ON DELETE CASCADE,
      question TEXT NOT NULL,
      keywords TEXT NOT NULL,
      answer TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS agent_turns_of_session ON agent_turns (session_id);
    CREATE TABLE IF NOT EXISTS agent_nodes (
      message_id TEXT NOT NULL REFERENCES agent_turns (message_id) ON DELETE CASCADE,
      call_id TEXT NOT NULL,
      found TEXT NOT NULL,
      PRIMARY KEY (message_id, call_id)
    ) STRICT;
  `)
  const one = state.prepare<[string], { id: string }>('SELECT id FROM agent_sessions WHERE id = ?')
  const insert = state.prepare(
    'INSERT OR IGNORE INTO agent_sessions (id, created_at) VALUES (?, ?)',
  )
  const turns = state.prepare<[string, number], { question: string; keywords: string }>(
    'SELECT question, keywords FROM agent_turns WHERE session_id = ? ORDER BY seq DESC LIMIT ?',
  )
  const insertTurn = state.prepare(
    `INSERT INTO agent_turns (message_id, session_id, question, keywords, answer, created_at)
     VALUES (@messageId, @sessionId, @question, @keywords, @answer, @at)`,
  )
  const insertNode = state.prepare(
    'INSERT INTO agent_nodes (message_id, call_id, found) VALUES (?, ?, ?)',
  )
  const node = state.prepare<[string, string], { found: string }>(
    'SELECT found FROM agent_nodes WHERE message_id = ? AND call_id = ?',
  )
  const forget = state.prepare(
    `DELETE FROM agent_sessions WHERE created_at < ? AND NOT EXISTS (
       SELECT 1 FROM agent_turns WHERE session_id = agent_sessions.id AND created_at >= ?)`,
  )
  return {
    has: (sessionId: string) => one.get(sessionId) !== undefined,
    create: (sessionId: string, at: number) => void insert.run(sessionId, at),
    /** Oldest first. */
    earlier: (sessionId: string): readonly EarlierQuestion[] =>
      turns
        .all(sessionId, maxEarlier)
        .map(({ question, keywords }) => ({
          question,
          keywords: JSON.parse(keywords) as readonly string[],
        }))
        .toReversed(),
    keep: state.transaction(({ nodes, keywords, ...turn }: Turn) => {
      insertTurn.run({ ...turn, keywords: JSON.stringify(keywords) })
      for (const [callId, found] of nodes)
        insertNode.run(turn.messageId, callId, JSON.stringify(found))
    }),
    /** Returns the results of a call; undefined if the message or call does not exist. */
    node(messageId: string, callId: string): unknown {
      const row = node.get(messageId, callId)
      return row && (JSON.parse(row.found) as unknown)
    },
    /** Removes sessions without a turn since a time (Unix milliseconds), with all their results. */
    forgetBefore: (moment: number) => void forget.run(moment, moment),
  }
}
