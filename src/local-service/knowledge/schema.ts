import type { State } from '../state.ts'

/**
 * Creates missing tables of knowledge bases. Times are Unix milliseconds; vectors are 32-bit floats in native byte
 * order.
 */
export function makeKnowledgeTables(state: State): void {
  state.exec(`
    CREATE TABLE IF NOT EXISTS knowledge_bases (
      id TEXT PRIMARY KEY,
      embedding_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      contextual INTEGER NOT NULL,
      background TEXT NOT NULL,
      icon TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE IF NOT EXISTS knowledge_documents (
      id TEXT PRIMARY KEY,
      base_id TEXT NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
      file_id TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      media TEXT,
      knowledge_type INTEGER,
      separators TEXT NOT NULL,
      sentence_size INTEGER NOT NULL,
      parse_image INTEGER NOT NULL,
      word_limit INTEGER,
      state INTEGER NOT NULL,
      fail_code INTEGER,
      fail_message TEXT,
      tokens INTEGER NOT NULL,
      words INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS knowledge_documents_of_base ON knowledge_documents (base_id);

    CREATE TABLE IF NOT EXISTS knowledge_slices (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      document_id TEXT NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
      text TEXT NOT NULL,
      context TEXT NOT NULL,
      places TEXT NOT NULL,
      line INTEGER,
      parts TEXT NOT NULL DEFAULT '[]',
      sheet TEXT,
      method TEXT NOT NULL,
      vector BLOB NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS knowledge_slices_of_document ON knowledge_slices (document_id);

    CREATE TABLE IF NOT EXISTS knowledge_images (
      document_id TEXT NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
      text TEXT NOT NULL,
      media TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS knowledge_images_of_document ON knowledge_images (document_id);

    CREATE VIRTUAL TABLE IF NOT EXISTS knowledge_words USING fts5(
      tokens, content='', contentless_delete=1, tokenize='ascii', prefix='1'
    );
    CREATE TRIGGER IF NOT EXISTS knowledge_slice_deleted AFTER DELETE ON knowledge_slices BEGIN
      DELETE FROM knowledge_words WHERE rowid = old.seq;
    END;
  `)
  // Migrates tables of an earlier version.
  const later = [
    ['knowledge_documents', 'attempts', 'INTEGER NOT NULL DEFAULT 0'],
    ['knowledge_slices', 'parts', `TEXT NOT NULL DEFAULT '[]'`],
  ] as const
  for (const [table, column, type] of later) {
    const columns = state.pragma(`table_info(${table})`) as readonly { name: string }[]
    if (!columns.some(({ name }) => name === column))
      state.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`)
  }
}
