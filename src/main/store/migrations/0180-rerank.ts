import type { Migration } from './index.ts'

/**
 * Rankings with their candidates and the rounds they were asked in. A ranking in the bin has `removed_at`. The texts of its
 * candidates are kept by hash beside them, so that rankings of the same texts find each other.
 */
export const rerank: Migration = {
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
    `)
  },
}
