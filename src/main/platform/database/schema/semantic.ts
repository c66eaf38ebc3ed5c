import type { Domain } from './table.ts'

/**
 * Vectors of texts, stored so that no text is paid for twice (service-notes 15). A space is a provider, a model and a
 * number of dimensions: only vectors of one space can be compared. `hash` is the SHA-256 of the text, `vector` 32-bit
 * floats, little-endian. `seq` is never reused: an index outside the database uses it to know what it contains.
 * `vectors` of a space is its number of rows, which are slow to count.
 *
 * Semantic search. An index belongs to one space of vectors; `kinds` and `since` define its items. `semantic_items`
 * are the requested ones, `stamp` the modification time their chunks reflect. A chunk is a text with the parts of its
 * item that it is joined from; chunks never change, and their numbers are never reused. Chunks of a deleted item have
 * no references and are deleted in steps (`semantic_leftovers`): a document has thousands. Vectors are deleted with
 * their last chunk.
 */
const sql = `
  CREATE TABLE vector_spaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space TEXT NOT NULL,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    vectors INTEGER NOT NULL DEFAULT 0,
    UNIQUE (space, model, dimensions)
  ) STRICT;
  CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id INTEGER NOT NULL REFERENCES vector_spaces(id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (space_id, hash)
  ) STRICT;
  CREATE TABLE semantic_indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id INTEGER NOT NULL UNIQUE REFERENCES vector_spaces(id) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    model TEXT NOT NULL,
    kinds TEXT NOT NULL,
    since INTEGER,
    state TEXT NOT NULL,
    error TEXT,
    engine TEXT,
    notice TEXT,
    removed INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE semantic_items (
    seq INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES semantic_indexes(id) ON DELETE CASCADE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    state TEXT NOT NULL,
    stamp INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    UNIQUE (index_id, item_seq)
  ) STRICT;
  CREATE INDEX semantic_items_item ON semantic_items(item_seq);
  CREATE INDEX semantic_items_state ON semantic_items(index_id, state, item_seq);
  CREATE TABLE semantic_chunks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    index_id INTEGER NOT NULL,
    item_seq INTEGER NOT NULL,
    vector_seq INTEGER NOT NULL REFERENCES vectors(seq) ON DELETE CASCADE,
    digest INTEGER NOT NULL,
    parts TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX semantic_chunks_index ON semantic_chunks(index_id, seq, item_seq, digest);
  CREATE INDEX semantic_chunks_item ON semantic_chunks(item_seq, index_id);
  CREATE INDEX semantic_chunks_vector ON semantic_chunks(vector_seq);
  CREATE TABLE semantic_leftovers (
    seq INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL,
    item_seq INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER semantic_items_left AFTER DELETE ON semantic_items WHEN old.chunks > 0 BEGIN
    INSERT INTO semantic_leftovers(index_id, item_seq) VALUES (old.index_id, old.item_seq);
  END;
  CREATE TRIGGER semantic_chunks_removed AFTER DELETE ON semantic_chunks BEGIN
    UPDATE semantic_indexes SET removed = removed + 1 WHERE id = old.index_id;
  END;
`

/** Vectors of texts, and the semantic indexes. */
export const semantic: Domain = {
  sql,
  category: 'runs',
  tables: {
    vector_spaces: { merge: 'cache' },
    vectors: { merge: 'cache' },
    semantic_indexes: { merge: 'cache' },
    semantic_items: { merge: 'cache' },
    semantic_chunks: { merge: 'cache' },
    // Deleting the others writes to it.
    semantic_leftovers: { merge: 'cache' },
  },
}
