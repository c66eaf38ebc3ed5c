import type { Migration } from './index.ts'

/**
 * Vectors of texts, kept so that no text is paid for twice (spec 4.13). A space is a service, a model and a number of dimensions: only vectors
 * of one space compare. `hash` is the SHA-256 of the text, `vector` 32-bit floats, little-endian. `seq` never comes again: an index
 * beside the database tells by it what it has. `vectors` of a space is the number of its rows, which are slow to count.
 */
export const vectors: Migration = {
  version: 170,
  up: (db) => {
    db.exec(`
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
    `)
  },
}
