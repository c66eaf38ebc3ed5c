import type { Migration } from './index.ts'

/**
 * Content of long answers that their row in `message_bodies` does not contain. Parts of kind `text` follow the text of the row;
 * those of kind `steps` are the JSON of all steps, of which the row has a shortened form. `start` and `units` are in UTF-16 units.
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
