import type { Migration } from './index.ts'

/**
 * Tracked asynchronous tasks of the provider. `reply_id` refers to the newest response; it is not a foreign key, since a task
 * must survive a response that could not be recovered from a damaged file.
 */
export const tasks: Migration = {
  version: 30,
  up: (db) => {
    db.exec(`
      CREATE TABLE tasks (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        task_id TEXT NOT NULL,
        kind TEXT,
        model TEXT,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        interval_ms INTEGER NOT NULL,
        next_poll_at INTEGER,
        error TEXT,
        engine TEXT,
        notice TEXT,
        reply_id TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        UNIQUE (account_id, task_id)
      ) STRICT;
      CREATE INDEX tasks_created ON tasks(created_at);
      CREATE INDEX tasks_unfinished ON tasks(created_at) WHERE state IN ('processing', 'waiting');
    `)
  },
}
