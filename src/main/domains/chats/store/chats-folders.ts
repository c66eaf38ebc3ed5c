import type { ChatFolder } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection } from '../../../platform/database/connection.ts'

const select = `SELECT f.id, f.name, (
    SELECT count(*) FROM conversations c CROSS JOIN items i ON i.seq = c.item_seq
    WHERE c.folder_id = f.id AND i.kind = 'conversation' AND i.deleted_at IS NULL) AS conversations
  FROM chat_folders f`

/** Part of the store for chat folders and the other list filters. */
export function folderStore(
  connection: Connection,
): Pick<ChatStore, 'folders' | 'facets' | 'saveFolder' | 'removeFolder'> {
  return {
    folders: () => connection.all<ChatFolder>(`${select} ORDER BY f.created_at, f.rowid`),
    facets: () => ({
      whos: connection
        .all<{ who: string }>(
          `SELECT c.who FROM conversations c CROSS JOIN items i ON i.seq = c.item_seq
           WHERE i.kind = 'conversation' AND i.deleted_at IS NULL GROUP BY c.who ORDER BY count(*) DESC, c.who`,
        )
        .map(({ who }) => who),
      tags: connection
        .all<{ tag: string }>(
          `SELECT DISTINCT t.tag FROM item_tags t CROSS JOIN items i ON i.seq = t.item_seq
           WHERE i.kind = 'conversation' AND i.deleted_at IS NULL ORDER BY t.tag`,
        )
        .map(({ tag }) => tag),
    }),
    saveFolder({ id, name, at }) {
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO chat_folders(id, name, created_at) VALUES (?, ?, ?)
           ON CONFLICT(id) DO UPDATE SET name = excluded.name`,
          id,
          name,
          at,
        )
        const saved = connection.get<ChatFolder>(`${select} WHERE f.id = ?`, id)
        if (!saved) throw new AppError('INTERNAL', 'The folder was not saved')
        return saved
      })
    },
    removeFolder(id) {
      connection.transaction(() => {
        const { changes } = connection.run('DELETE FROM chat_folders WHERE id = ?', id)
        if (changes === 0) throw new AppError('NOT_FOUND', 'Folder not found')
        connection.run('UPDATE conversations SET folder_id = NULL WHERE folder_id = ?', id)
      })
    },
  }
}
