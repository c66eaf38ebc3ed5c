import type { Migration } from './index.ts'

/**
 * The first schema. `items.seq` increases with creation and numbers the search rows: row `seq * 4096 + transcript number` of
 * `search_text` contains an item's title and one transcript, tokenized by `shared/text/cut.ts`. Newest first is then the
 * index's own order.
 */
export const library: Migration = {
  version: 10,
  up: (db) => {
    db.exec(`
      CREATE TABLE settings (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT;

      CREATE TABLE accounts (
        id TEXT PRIMARY KEY,
        preset TEXT NOT NULL,
        name TEXT NOT NULL,
        profile TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE media (
        id TEXT PRIMARY KEY,
        sha256 TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        mime TEXT NOT NULL,
        name TEXT NOT NULL,
        duration REAL,
        created_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE items (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        excerpt TEXT NOT NULL DEFAULT '',
        media_id TEXT NOT NULL REFERENCES media(id),
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        deleted_at INTEGER
      ) STRICT;
      CREATE INDEX items_live ON items(created_at, seq, kind) WHERE deleted_at IS NULL;
      CREATE INDEX items_binned ON items(deleted_at, seq, kind) WHERE deleted_at IS NOT NULL;
      CREATE INDEX items_media ON items(media_id);

      CREATE TABLE transcripts (
        id TEXT PRIMARY KEY,
        item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        state TEXT NOT NULL,
        model TEXT NOT NULL,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        request_id TEXT,
        notice TEXT,
        created_at INTEGER NOT NULL,
        UNIQUE (item_seq, number)
      ) STRICT;

      CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
        state TEXT NOT NULL,
        progress REAL,
        stream_id TEXT,
        attempts INTEGER NOT NULL,
        account_id TEXT NOT NULL,
        options TEXT NOT NULL,
        transcript_id TEXT,
        error TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        next_try_at INTEGER,
        dismissed INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX jobs_item ON jobs(item_seq, created_at);
      CREATE INDEX jobs_state ON jobs(state, created_at);

      CREATE TABLE replies (
        id TEXT PRIMARY KEY,
        item_id TEXT REFERENCES items(id) ON DELETE CASCADE,
        operation TEXT NOT NULL,
        status INTEGER NOT NULL,
        content_type TEXT NOT NULL,
        body TEXT,
        packed BLOB,
        at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX replies_item ON replies(item_id, at);

      CREATE TABLE activity (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        operation TEXT NOT NULL,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        model TEXT,
        status INTEGER,
        outcome TEXT NOT NULL,
        error_code TEXT,
        queued_ms REAL NOT NULL,
        first_byte_ms REAL,
        duration_ms REAL NOT NULL,
        bytes_sent INTEGER NOT NULL,
        bytes_received INTEGER NOT NULL,
        prompt_tokens INTEGER,
        completion_tokens INTEGER,
        total_tokens INTEGER,
        attempt INTEGER NOT NULL,
        request_id TEXT,
        log_id TEXT
      ) STRICT;
      CREATE INDEX activity_outcome ON activity(outcome, id);
      CREATE INDEX activity_account ON activity(account_id, id);

      CREATE VIRTUAL TABLE search_text USING fts5(
        title, body, content='', contentless_delete=1, tokenize='ascii', prefix='1'
      );
      CREATE TRIGGER items_deleted AFTER DELETE ON items BEGIN
        DELETE FROM search_text WHERE rowid >= old.seq * 4096 AND rowid < (old.seq + 1) * 4096;
      END;
    `)
  },
}
