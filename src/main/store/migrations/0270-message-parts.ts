import type { Migration } from './index.ts'

/**
 * Answers that are longer than a message: what their row in `message_bodies` does not hold. Parts of kind `text` follow the text there;
 * those of kind `steps` are the JSON of all steps, of which the row has a shortened form. `start` and `units` are UTF-16 units.
 */
export const messageParts: Migration = {
  version: 270,
  up: (db) => {
    db.exec(`
      CREATE TABLE message_parts (
        message_seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        start INTEGER NOT NULL,
        units INTEGER NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (message_seq, kind, start)
      ) STRICT;
    `)
  },
}
