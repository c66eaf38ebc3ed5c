import type { Migration } from './index.ts'

/**
 * Tokens by day, stored permanently: Activity only stores its newest calls. Filled once from the existing calls, by the days
 * of the local time zone. `sent_ms` completes a call's timeline: queued, sent, first byte, done.
 */
export const usage: Migration = {
  version: 50,
  up: (db) => {
    db.exec(`
      ALTER TABLE activity ADD COLUMN sent_ms REAL;

      CREATE TABLE usage_days (
        day TEXT NOT NULL,
        account_id TEXT NOT NULL,
        model TEXT NOT NULL,
        calls INTEGER NOT NULL,
        failed INTEGER NOT NULL,
        prompt_tokens INTEGER NOT NULL,
        completion_tokens INTEGER NOT NULL,
        total_tokens INTEGER NOT NULL,
        PRIMARY KEY (day, account_id, model)
      ) STRICT;
      INSERT INTO usage_days
        SELECT strftime('%Y-%m-%d', at / 1000, 'unixepoch', 'localtime'), account_id, coalesce(model, ''), count(*),
          sum(outcome = 'failed'), total(prompt_tokens) + 0, total(completion_tokens) + 0,
          total(coalesce(total_tokens, coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0))) + 0
        FROM activity GROUP BY 1, 2, 3;
    `)
  },
}
