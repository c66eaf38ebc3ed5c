import type { Migration } from './index.ts'

/**
 * Queries to knowledge bases. A question has an item (its test set), or none when it was asked in the Playground. Ratings of
 * slices are stored by their ID and a hash of their text. A run consists of rows, one for each question and retrieval method;
 * a row's results and raw response are stored separately, so that runs are compared using short rows (`ranked`). Citation
 * positions (service-notes 11) are stored with the images they reference: a saved image is in use.
 */
export const retrieval: Migration = {
  version: 160,
  up: (db) => {
    db.exec(`
      CREATE TABLE retrieval_sets (
        item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
        account_id TEXT NOT NULL,
        settings TEXT NOT NULL
      ) STRICT;

      CREATE TABLE retrieval_questions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER REFERENCES items(seq) ON DELETE CASCADE,
        text TEXT NOT NULL,
        note TEXT NOT NULL DEFAULT '',
        dropped_at INTEGER
      ) STRICT;
      CREATE INDEX retrieval_questions_item ON retrieval_questions(item_seq, dropped_at, seq);
      CREATE INDEX retrieval_questions_text ON retrieval_questions(text, item_seq);

      CREATE TABLE retrieval_judgements (
        question_seq INTEGER NOT NULL REFERENCES retrieval_questions(seq) ON DELETE CASCADE,
        slice_id TEXT NOT NULL,
        text_key TEXT NOT NULL,
        grade INTEGER NOT NULL,
        text TEXT NOT NULL,
        document_id TEXT NOT NULL,
        document_name TEXT NOT NULL,
        PRIMARY KEY (question_seq, slice_id, text_key)
      ) STRICT;

      CREATE TABLE retrieval_runs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER REFERENCES items(seq) ON DELETE CASCADE,
        title TEXT NOT NULL,
        question TEXT NOT NULL,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        settings TEXT NOT NULL,
        state TEXT NOT NULL,
        total INTEGER NOT NULL,
        done INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        waiting INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        ended_at INTEGER
      ) STRICT;
      CREATE INDEX retrieval_runs_item ON retrieval_runs(item_seq, seq);
      CREATE INDEX retrieval_runs_open ON retrieval_runs(seq) WHERE state = 'running';

      CREATE TABLE retrieval_rows (
        run_seq INTEGER NOT NULL REFERENCES retrieval_runs(seq) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        question_seq INTEGER REFERENCES retrieval_questions(seq) ON DELETE SET NULL,
        question TEXT NOT NULL,
        rerank INTEGER NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        error TEXT,
        took_ms REAL,
        tokens INTEGER,
        request_id TEXT,
        engine TEXT,
        notice TEXT,
        ended_at INTEGER,
        ranked TEXT,
        PRIMARY KEY (run_seq, place)
      ) STRICT;
      CREATE INDEX retrieval_rows_question ON retrieval_rows(question_seq);
      CREATE INDEX retrieval_rows_state ON retrieval_rows(run_seq, state, place);

      CREATE TABLE retrieval_found (
        run_seq INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hits TEXT NOT NULL,
        status INTEGER,
        content_type TEXT,
        body TEXT,
        PRIMARY KEY (run_seq, place),
        FOREIGN KEY (run_seq, place) REFERENCES retrieval_rows(run_seq, place) ON DELETE CASCADE
      ) STRICT;

      CREATE TABLE slice_lookups (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        request_id TEXT NOT NULL,
        node_id TEXT NOT NULL,
        message_id TEXT,
        state TEXT NOT NULL,
        error TEXT,
        documents TEXT NOT NULL DEFAULT '[]',
        slices INTEGER,
        data TEXT,
        status INTEGER,
        content_type TEXT,
        body TEXT,
        created_at INTEGER NOT NULL,
        came_at INTEGER,
        removed_at INTEGER,
        UNIQUE (account_id, request_id, node_id)
      ) STRICT;

      CREATE TABLE slice_pictures (
        lookup_seq INTEGER NOT NULL REFERENCES slice_lookups(seq) ON DELETE CASCADE,
        url TEXT NOT NULL,
        place INTEGER NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        media_id TEXT REFERENCES media(id),
        error TEXT,
        PRIMARY KEY (lookup_seq, url)
      ) STRICT;
      CREATE INDEX slice_pictures_waiting ON slice_pictures(next_try_at) WHERE state = 'waiting';
      CREATE INDEX slice_pictures_media ON slice_pictures(media_id) WHERE media_id IS NOT NULL;
      CREATE TRIGGER slice_pictures_used AFTER INSERT ON slice_pictures WHEN new.media_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER slice_pictures_fetched AFTER UPDATE OF media_id ON slice_pictures
        WHEN old.media_id IS NOT new.media_id BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER slice_pictures_unused AFTER DELETE ON slice_pictures WHEN old.media_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
    `)
  },
}
