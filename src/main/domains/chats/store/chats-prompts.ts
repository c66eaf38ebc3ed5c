import type { ChatPrompt, ListedAssistant } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection } from '../../../platform/database/connection.ts'

const columns = 'id, name, text, updated_at AS updatedAt'

/** Part of the store for prompts and the saved list of assistants. */
export function promptStore(
  connection: Connection,
): Pick<ChatStore, 'prompts' | 'savePrompt' | 'removePrompt' | 'keepAssistants' | 'assistants'> {
  return {
    prompts: () =>
      connection.all<ChatPrompt>(
        `SELECT ${columns} FROM chat_prompts ORDER BY name COLLATE NOCASE, rowid`,
      ),
    savePrompt({ id, name, text, at }) {
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO chat_prompts(id, name, text, updated_at) VALUES (?, ?, ?, ?)
           ON CONFLICT(id) DO UPDATE SET name = excluded.name, text = excluded.text, updated_at = excluded.updated_at`,
          id,
          name,
          text,
          at,
        )
        return { id, name, text, updatedAt: at }
      })
    },
    removePrompt(id) {
      if (connection.run('DELETE FROM chat_prompts WHERE id = ?', id).changes === 0)
        throw new AppError('NOT_FOUND', 'Prompt not found')
    },
    keepAssistants: (accountId, assistants, at) =>
      void connection.run(
        `INSERT INTO assistant_lists(account_id, assistants, at) VALUES (?, ?, ?)
         ON CONFLICT(account_id) DO UPDATE SET assistants = excluded.assistants, at = excluded.at`,
        accountId,
        JSON.stringify(assistants),
        at,
      ),
    assistants(accountId) {
      const row = connection.get<{ assistants: string; at: number }>(
        'SELECT assistants, at FROM assistant_lists WHERE account_id = ?',
        accountId,
      )
      return row
        ? { assistants: JSON.parse(row.assistants) as readonly ListedAssistant[], at: row.at }
        : { assistants: [], at: null }
    },
  }
}
