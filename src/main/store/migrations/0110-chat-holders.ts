import type { Migration } from './index.ts'

/**
 * Owner of a session: `messages.holder` is the account of an answer, or of the uploaded files of a question, with the API key
 * at the time (`accounts.keys` counts its keys). Earlier rows have no owner, so their sessions are not continued.
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
