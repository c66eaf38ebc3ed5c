import type { Migration } from './index.ts'

/**
 * Local mirror of the knowledge bases a provider lists, by account: nothing is deleted because a provider no longer lists it;
 * `gone_at` is since when, `gone_why` whether it was deleted from here. `place` is the provider's order, `seen_at` when it
 * was last listed (Unix ms). Knowledge bases listed before this table was extended keep their names. `knowledge_uploads` are
 * files and URLs being added to a knowledge base; an accepted file is released.
 */
export const knowledge: Migration = {
  version: 150,
  up: (db) => {
    db.exec(`
      ALTER TABLE knowledge_bases RENAME TO knowledge_bases_before;
      CREATE TABLE knowledge_bases (
        account_id TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        embedding_id INTEGER,
        contextual INTEGER NOT NULL DEFAULT 0,
        background TEXT NOT NULL DEFAULT 'blue',
        icon TEXT NOT NULL DEFAULT 'question',
        documents INTEGER,
        tokens INTEGER,
        words INTEGER,
        place INTEGER NOT NULL,
        first_seen_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        documents_seen_at INTEGER,
        gone_at INTEGER,
        gone_why TEXT,
        PRIMARY KEY (account_id, id)
      ) STRICT;
      INSERT INTO knowledge_bases(account_id, id, name, documents, place, first_seen_at, seen_at)
        SELECT account_id, id, name, documents, place, seen_at, seen_at FROM knowledge_bases_before;
      DROP TABLE knowledge_bases_before;

      CREATE TABLE knowledge_accounts (
        account_id TEXT PRIMARY KEY,
        listed_at INTEGER,
        used_words INTEGER,
        used_bytes INTEGER,
        total_words INTEGER,
        total_bytes INTEGER,
        capacity_at INTEGER
      ) STRICT;
      INSERT INTO knowledge_accounts(account_id, listed_at)
        SELECT account_id, max(seen_at) FROM knowledge_bases GROUP BY account_id;

      CREATE TABLE knowledge_documents (
        account_id TEXT NOT NULL,
        base_id TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        url TEXT,
        knowledge_type INTEGER,
        separators TEXT NOT NULL,
        sentence_size INTEGER,
        tokens INTEGER,
        words INTEGER,
        state TEXT NOT NULL,
        failure TEXT,
        place INTEGER NOT NULL,
        first_seen_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        polls INTEGER NOT NULL DEFAULT 0,
        next_poll_at INTEGER,
        gone_at INTEGER,
        gone_why TEXT,
        PRIMARY KEY (account_id, base_id, id)
      ) STRICT;
      CREATE INDEX knowledge_documents_due ON knowledge_documents(next_poll_at) WHERE next_poll_at IS NOT NULL;
      CREATE INDEX knowledge_documents_open ON knowledge_documents(account_id, base_id) WHERE state IN ('running', 'failed') AND gone_at IS NULL;

      CREATE TABLE knowledge_images (
        account_id TEXT NOT NULL,
        document_id TEXT NOT NULL,
        images TEXT NOT NULL,
        seen_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, document_id)
      ) STRICT;

      CREATE TABLE knowledge_uploads (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL,
        base_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        media_id TEXT,
        item_id TEXT,
        slicing TEXT NOT NULL,
        parse_images INTEGER NOT NULL,
        word_limit INTEGER,
        state TEXT NOT NULL,
        document_id TEXT,
        error TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        created_at INTEGER NOT NULL,
        ended_at INTEGER
      ) STRICT;
      CREATE INDEX knowledge_uploads_base ON knowledge_uploads(account_id, base_id, seq);
      CREATE INDEX knowledge_uploads_open ON knowledge_uploads(seq) WHERE state IN ('queued', 'sending', 'waiting');
      CREATE TRIGGER knowledge_uploads_made AFTER INSERT ON knowledge_uploads WHEN new.media_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER knowledge_uploads_freed AFTER UPDATE OF media_id ON knowledge_uploads
        WHEN old.media_id IS NOT NULL AND new.media_id IS NULL BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
      CREATE TRIGGER knowledge_uploads_gone AFTER DELETE ON knowledge_uploads WHEN old.media_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;

      CREATE TABLE knowledge_events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        account_id TEXT NOT NULL,
        base_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        deed TEXT NOT NULL
      ) STRICT;
      CREATE INDEX knowledge_events_base ON knowledge_events(account_id, base_id, seq);
    `)
  },
}
