import type { Migration } from './index.ts'

/**
 * Rankings with their candidates and the rounds of their requests. A ranking in Trash has `removed_at`. The texts of its
 * candidates are stored by hash, so that rankings of the same texts can be found.
 *
 * Embedded texts, with the vectors of each choice of model and dimensions. Texts and vectors are files: a file referenced by
 * a run is in use.
 */
export const rankingsAndEmbeddings: Migration = {
  version: 180,
  up: (db) => {
    db.exec(`
      CREATE TABLE rankings (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        title TEXT NOT NULL,
        query TEXT NOT NULL,
        state TEXT NOT NULL,
        count INTEGER NOT NULL,
        batch INTEGER NOT NULL,
        top_n INTEGER NOT NULL,
        raw_scores INTEGER NOT NULL,
        rounds INTEGER NOT NULL,
        answered INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        ended_at INTEGER,
        removed_at INTEGER,
        error TEXT,
        ranked TEXT
      ) STRICT;
      CREATE INDEX rankings_removed ON rankings(removed_at) WHERE removed_at IS NOT NULL;

      CREATE TABLE ranking_candidates (
        ranking_id TEXT NOT NULL REFERENCES rankings(id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        text TEXT NOT NULL,
        hash TEXT NOT NULL,
        source TEXT,
        PRIMARY KEY (ranking_id, place)
      ) STRICT;
      CREATE INDEX ranking_candidates_hash ON ranking_candidates(hash, ranking_id);

      CREATE TABLE ranking_rounds (
        ranking_id TEXT NOT NULL REFERENCES rankings(id) ON DELETE CASCADE,
        round INTEGER NOT NULL,
        scores TEXT NOT NULL,
        request_id TEXT NOT NULL,
        engine TEXT,
        notice TEXT,
        usage TEXT,
        status INTEGER,
        content_type TEXT,
        body TEXT,
        packed BLOB,
        PRIMARY KEY (ranking_id, round)
      ) STRICT;

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
