import type { Migration } from './index.ts'

/**
 * Runs of operations with all their results. Large or rarely needed data has tables of its own, so that lists stay small:
 * results with the raw response, events in batches, files. A file that a run read or wrote is in use.
 */
export const runs: Migration = {
  version: 40,
  up: (db) => {
    db.exec(`
      CREATE TABLE runs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        operation TEXT NOT NULL,
        title TEXT NOT NULL,
        state TEXT NOT NULL,
        stream_id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        ended_at INTEGER,
        events INTEGER NOT NULL DEFAULT 0,
        request_id TEXT,
        engine TEXT,
        notice TEXT,
        usage TEXT,
        error TEXT,
        input TEXT NOT NULL
      ) STRICT;
      CREATE INDEX runs_state ON runs(state, seq);
      CREATE INDEX runs_operation ON runs(operation, seq);

      CREATE TABLE run_results (
        run_id TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
        value TEXT,
        status INTEGER,
        content_type TEXT,
        body TEXT,
        packed BLOB
      ) STRICT;

      CREATE TABLE run_events (
        run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
        first_seq INTEGER NOT NULL,
        count INTEGER NOT NULL,
        events TEXT NOT NULL,
        PRIMARY KEY (run_id, first_seq)
      ) STRICT;

      CREATE TABLE run_media (
        run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
        media_id TEXT NOT NULL REFERENCES media(id),
        role TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (run_id, media_id, role)
      ) STRICT;
      CREATE INDEX run_media_media ON run_media(media_id);
      CREATE TRIGGER run_media_used AFTER INSERT ON run_media BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER run_media_unused AFTER DELETE ON run_media BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
    `)
  },
}
