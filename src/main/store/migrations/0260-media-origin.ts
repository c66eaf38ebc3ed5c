import type { Migration } from './index.ts'

/**
 * Origin of files. Of the existing ones, those the user attached, uploaded, used in a run or imported as an item, and that no
 * received data references, are the user's; all others may be from anyone.
 */
export const mediaOrigin: Migration = {
  version: 260,
  up: (db) => {
    db.exec(`
      ALTER TABLE media ADD COLUMN origin TEXT NOT NULL DEFAULT 'received';
      UPDATE media SET origin = 'imported' WHERE id IN (
        SELECT media_id FROM items WHERE kind IN ('recording', 'meeting', 'document')
        UNION SELECT media_id FROM run_media WHERE role = 'input'
        UNION SELECT media_id FROM draft_media
        UNION SELECT media_id FROM message_media
          WHERE message_seq IN (SELECT seq FROM messages WHERE role = 'user')
        UNION SELECT media_id FROM knowledge_uploads WHERE media_id IS NOT NULL
        EXCEPT SELECT media_id FROM run_media WHERE role = 'output'
        EXCEPT SELECT media_id FROM kept_files
        EXCEPT SELECT media_id FROM document_pushes
        EXCEPT SELECT media_id FROM document_pictures
        EXCEPT SELECT media_id FROM document_remote
        EXCEPT SELECT media_id FROM message_media
          WHERE message_seq IN (SELECT seq FROM messages WHERE role <> 'user')
      );
    `)
  },
}
