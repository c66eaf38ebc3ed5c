import type { Migration } from './index.ts'

/**
 * What became of the pictures in the slices of documents: `key` is the address without what signs it, since each list signs anew.
 * `knowledge_images` stays what the service listed. A kept picture is in use.
 */
export const knowledgeImages: Migration = {
  version: 230,
  up: (db) => {
    db.exec(`
      CREATE TABLE knowledge_pictures (
        account_id TEXT NOT NULL,
        document_id TEXT NOT NULL,
        key TEXT NOT NULL,
        url TEXT NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        media_id TEXT REFERENCES media(id),
        error TEXT,
        PRIMARY KEY (account_id, document_id, key)
      ) STRICT;
      CREATE INDEX knowledge_pictures_waiting ON knowledge_pictures(next_try_at) WHERE state = 'waiting';
      CREATE INDEX knowledge_pictures_media ON knowledge_pictures(media_id) WHERE media_id IS NOT NULL;
      CREATE TRIGGER knowledge_pictures_used AFTER INSERT ON knowledge_pictures WHEN new.media_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER knowledge_pictures_fetched AFTER UPDATE OF media_id ON knowledge_pictures
        WHEN old.media_id IS NOT new.media_id BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER knowledge_pictures_unused AFTER DELETE ON knowledge_pictures WHEN old.media_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
    `)
  },
}
