import type { Migration } from './index.ts'

/** Conversations of one assistant, or of one folder, in the order of the list: nothing is sorted to show a page of thousands. */
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
