import type { State } from '../state.ts'

interface Conversation {
  readonly id: string
  readonly assistantId: string
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly promptTokens: number
  readonly completionTokens: number
}

const columns = `id, assistant_id AS assistantId, created_at AS createdAt, updated_at AS updatedAt,
  prompt_tokens AS promptTokens, completion_tokens AS completionTokens`

/** Opens the table `conversations`. Their text is not saved, since no operation returns it. */
export function conversationStore(state: State) {
  state.exec(`CREATE TABLE IF NOT EXISTS conversations (
    id TEXT PRIMARY KEY, assistant_id TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0
  ) STRICT`)
  return {
    begin: (id: string, assistantId: string, at: number) =>
      void state
        .prepare(
          'INSERT INTO conversations (id, assistant_id, created_at, updated_at) VALUES (?, ?, ?, ?)',
        )
        .run(id, assistantId, at, at),
    get: (id: string) =>
      state
        .prepare<[string], Conversation>(`SELECT ${columns} FROM conversations WHERE id = ?`)
        .get(id),
    /** Counts an answer. */
    answered: (
      id: string,
      {
        prompt_tokens,
        completion_tokens,
      }: { readonly prompt_tokens: number; readonly completion_tokens: number },
      at: number,
    ) =>
      void state
        .prepare(
          `UPDATE conversations SET updated_at = ?, prompt_tokens = prompt_tokens + ?,
           completion_tokens = completion_tokens + ? WHERE id = ?`,
        )
        .run(at, prompt_tokens, completion_tokens, id),
    /** Returns those of one assistant, latest first. */
    list: (assistantId: string, offset: number, limit: number) =>
      state
        .prepare<[string, number, number], Conversation>(
          `SELECT ${columns} FROM conversations WHERE assistant_id = ?
           ORDER BY updated_at DESC, rowid DESC LIMIT ? OFFSET ?`,
        )
        .all(assistantId, limit, offset),
    /** Removes those without an answer since a moment (Unix milliseconds). */
    forgetBefore: (moment: number) =>
      void state.prepare('DELETE FROM conversations WHERE updated_at < ?').run(moment),
  }
}
