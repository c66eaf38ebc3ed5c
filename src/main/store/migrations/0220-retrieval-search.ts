import type { Migration } from './index.ts'

/** Marks the search row of a question; `number` is its index among the search rows of its item (`rowsPerItem`). */
const mark = (rows: string): string =>
  `INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
   FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (${rows});`

/**
 * Adds the questions of test sets and their results to the Library search: `retrieval_unindexed` lists outdated search rows,
 * whatever changed their content. A removed run can be restored for a while (`removed_at`, Unix ms).
 */
export const retrievalSearch: Migration = {
  version: 220,
  up: (db) => {
    db.exec(`
      ALTER TABLE retrieval_runs ADD COLUMN removed_at INTEGER;

      CREATE TABLE retrieval_unindexed (
        item_seq INTEGER NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (item_seq, number)
      ) STRICT, WITHOUT ROWID;
      ${mark('SELECT seq FROM retrieval_questions')}

      CREATE TRIGGER retrieval_questions_made AFTER INSERT ON retrieval_questions BEGIN
        ${mark('new.seq')}
      END;
      CREATE TRIGGER retrieval_questions_changed AFTER UPDATE OF text, note, dropped_at ON retrieval_questions BEGIN
        ${mark('new.seq')}
      END;
      CREATE TRIGGER retrieval_judgements_made AFTER INSERT ON retrieval_judgements BEGIN
        ${mark('new.question_seq')}
      END;
      CREATE TRIGGER retrieval_judgements_gone AFTER DELETE ON retrieval_judgements BEGIN
        ${mark('old.question_seq')}
      END;
      CREATE TRIGGER retrieval_found_made AFTER INSERT ON retrieval_found BEGIN
        ${mark('SELECT question_seq FROM retrieval_rows WHERE run_seq = new.run_seq AND place = new.place')}
      END;
      CREATE TRIGGER retrieval_runs_removed AFTER UPDATE OF removed_at ON retrieval_runs BEGIN
        ${mark('SELECT question_seq FROM retrieval_rows WHERE run_seq = new.seq')}
      END;
      CREATE TRIGGER retrieval_renamed AFTER UPDATE OF title ON items WHEN new.kind = 'retrieval' BEGIN
        INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) VALUES (new.seq, 0);
        ${mark('SELECT seq FROM retrieval_questions WHERE item_seq = new.seq')}
      END;
      CREATE TRIGGER retrieval_sets_gone AFTER DELETE ON retrieval_sets BEGIN
        DELETE FROM retrieval_unindexed WHERE item_seq = old.item_seq;
      END;
    `)
  },
}
