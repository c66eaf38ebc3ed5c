import type { Migration } from './index.ts'

/**
 * Transferred documents: knowledge bases as last listed, document texts added to them (`document_pushes.remote_id` is the
 * text's ID at the provider, `replaces` that of the one it replaces), and the failures of a part, which survive the app
 * session.
 */
export const handover: Migration = {
  version: 80,
  up: (db) => {
    db.exec(`
      ALTER TABLE document_parts ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;

      CREATE TABLE knowledge_bases (
        account_id TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        documents INTEGER,
        place INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, id)
      ) STRICT;

      CREATE TABLE document_pushes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        base_id TEXT NOT NULL,
        base_name TEXT NOT NULL,
        media_id TEXT NOT NULL,
        run_id TEXT,
        state TEXT NOT NULL,
        remote_id TEXT,
        replaces TEXT,
        pages TEXT NOT NULL,
        page_marks INTEGER NOT NULL,
        chars INTEGER NOT NULL,
        digest TEXT NOT NULL,
        error TEXT,
        created_at INTEGER NOT NULL,
        ended_at INTEGER
      ) STRICT;
      CREATE INDEX document_pushes_item ON document_pushes(item_seq);
      CREATE INDEX document_pushes_run ON document_pushes(run_id);
      CREATE INDEX document_pushes_open ON document_pushes(seq) WHERE state IN ('sending', 'working');
    `)
  },
}
