import type { Migration } from './index.ts'

/**
 * Whose a session is: `messages.holder` names the account of an answer, or of the uploaded files of a question, under the key it had
 * then (`accounts.keys` counts the keys it was given). What was kept before says nothing: nobody goes on with it.
 */
export const chatHolders: Migration = {
  version: 110,
  up: (db) => {
    db.exec(`
      ALTER TABLE messages ADD COLUMN holder TEXT;
      ALTER TABLE accounts ADD COLUMN keys INTEGER NOT NULL DEFAULT 0;
    `)
  },
}
