import type { Migration } from './index.ts'

/**
 * Tags for items of every kind, which only chats had before; imported archives, to distinguish interrupted imports from
 * complete ones; and metadata of the library (`app`: the version that last wrote to it).
 */
export const archive: Migration = {
  version: 200,
  up: (db) => {
    db.exec(`
      CREATE TABLE item_tags (
        item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
        tag TEXT NOT NULL,
        UNIQUE (item_seq, tag)
      ) STRICT;
      INSERT INTO item_tags SELECT item_seq, tag FROM conversation_tags ORDER BY rowid;
      CREATE INDEX item_tags_tag ON item_tags(tag, item_seq);
      DROP TABLE conversation_tags;

      CREATE TABLE take_ins (
        id TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        file TEXT NOT NULL
      ) STRICT;
      CREATE TABLE library_facts (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT;
      CREATE INDEX items_title ON items(title COLLATE NOCASE, seq) WHERE deleted_at IS NULL;
      CREATE INDEX runs_created ON runs(created_at, seq);
    `)
  },
}
