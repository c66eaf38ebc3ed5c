import type { Migration } from './index.ts'

/** Tables whose rows the Library lists by ID, with their kind in the Library. */
const tagged: readonly (readonly [table: string, kinds: string, id: string])[] = [
  ['runs', `'run'`, 'old.id'],
  ['tasks', `'task'`, 'old.id'],
  ['lookups', `'response', 'slides'`, 'old.id'],
  ['rankings', `'ranking'`, 'old.id'],
  ['embedding_runs', `'embedding'`, 'old.id'],
  ['slice_lookups', `'slices'`, 'old.id'],
  ['retrieval_runs', `'question'`, 'old.id'],
  ['knowledge_uploads', `'upload'`, 'old.id'],
  ['knowledge_bases', `'base'`, 'old.id'],
  ['knowledge_documents', `'source'`, 'old.id'],
  ['voices', `'listed'`, 'old.voice'],
]

/**
 * Tags for entries that are not items: runs, remote items, knowledge bases, voices of the provider. The Library lists all of
 * them by time, so each table has an index by it; the time a voice was first listed is stored, as for knowledge bases and
 * their documents.
 */
export const entryTags: Migration = {
  version: 250,
  up: (db) => {
    db.exec(`
      CREATE TABLE entry_tags (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        tag TEXT NOT NULL,
        PRIMARY KEY (kind, id, tag)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX entry_tags_tag ON entry_tags(tag, kind, id);
      ${tagged
        .map(
          ([table, kinds, id]) => `CREATE TRIGGER ${table}_untagged AFTER DELETE ON ${table} BEGIN
            DELETE FROM entry_tags WHERE kind IN (${kinds}) AND id = ${id};
          END;`,
        )
        .join('\n')}

      ALTER TABLE voices ADD COLUMN first_seen_at INTEGER NOT NULL DEFAULT 0;
      UPDATE voices SET first_seen_at = seen_at;
      CREATE TRIGGER voices_first_seen AFTER INSERT ON voices WHEN new.first_seen_at = 0 BEGIN
        UPDATE voices SET first_seen_at = new.seen_at WHERE rowid = new.rowid;
      END;

      CREATE INDEX voices_first ON voices(first_seen_at);
      CREATE INDEX knowledge_bases_first ON knowledge_bases(first_seen_at);
      CREATE INDEX knowledge_documents_first ON knowledge_documents(first_seen_at);
      CREATE INDEX knowledge_uploads_created ON knowledge_uploads(created_at, seq);
      CREATE INDEX slice_lookups_created ON slice_lookups(created_at, seq);
      CREATE INDEX retrieval_runs_created ON retrieval_runs(created_at, seq) WHERE item_seq IS NULL;
      CREATE INDEX lookups_created ON lookups(created_at, seq);
      CREATE INDEX rankings_created ON rankings(created_at, seq);
      CREATE INDEX embedding_runs_created ON embedding_runs(created_at, seq);
    `)
  },
}
