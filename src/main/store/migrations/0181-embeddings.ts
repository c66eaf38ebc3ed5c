import type { Migration } from './index.ts'

/**
 * Texts that were embedded, with the vectors of each choice of model and dimensions. Texts and vectors are files: a file that a run
 * names is in use. A run in the bin has `removed_at`.
 */
export const embeddings: Migration = {
  version: 181,
  up: (db) => {
    db.exec(`
      CREATE TABLE embedding_runs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        title TEXT NOT NULL,
        state TEXT NOT NULL,
        count INTEGER NOT NULL,
        texts_media_id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        ended_at INTEGER,
        removed_at INTEGER,
        error TEXT
      ) STRICT;
      CREATE INDEX embedding_runs_state ON embedding_runs(state);
      CREATE INDEX embedding_runs_removed ON embedding_runs(removed_at) WHERE removed_at IS NOT NULL;

      CREATE TABLE embedding_sets (
        run_id TEXT NOT NULL REFERENCES embedding_runs(id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        model TEXT NOT NULL,
        dimensions INTEGER NOT NULL,
        state TEXT NOT NULL,
        done INTEGER NOT NULL DEFAULT 0,
        of INTEGER NOT NULL DEFAULT 0,
        cached INTEGER NOT NULL DEFAULT 0,
        calls INTEGER NOT NULL DEFAULT 0,
        usage TEXT,
        engine TEXT,
        notice TEXT,
        media_id TEXT,
        PRIMARY KEY (run_id, place)
      ) STRICT;

      CREATE TABLE embedding_media (
        run_id TEXT NOT NULL REFERENCES embedding_runs(id) ON DELETE CASCADE,
        media_id TEXT NOT NULL REFERENCES media(id),
        PRIMARY KEY (run_id, media_id)
      ) STRICT;
      CREATE INDEX embedding_media_media ON embedding_media(media_id);
      CREATE TRIGGER embedding_media_used AFTER INSERT ON embedding_media BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER embedding_media_unused AFTER DELETE ON embedding_media BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
    `)
  },
}
