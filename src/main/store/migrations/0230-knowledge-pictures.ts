import type { Migration } from './index.ts'

/**
 * Download status of the images in document slices: `key` is the URL without its signature, which differs in each list.
 * `knowledge_images` remains the provider's list. A saved image is in use.
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
