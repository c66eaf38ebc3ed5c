import type { Migration } from './index.ts'

/** Chats of one assistant or one folder in list order: showing a page of thousands requires no sorting. */
export const chatLists: Migration = {
  version: 120,
  up: (db) => {
    db.exec(`
      DROP INDEX conversations_who;
      DROP INDEX conversations_folder;
      CREATE INDEX conversations_who ON conversations(who, pinned, last_at, item_seq);
      CREATE INDEX conversations_folder ON conversations(folder_id, pinned, last_at, item_seq) WHERE folder_id IS NOT NULL;
    `)
  },
}
