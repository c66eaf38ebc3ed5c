import type { Migration } from './index.ts'

/**
 * Voices as the service listed them, by account: `gone_at` marks those a later whole list did not name, since what was spoken with them
 * stays. `preview_id` is the sound of a voice, fetched once.
 */
export const voices: Migration = {
  version: 130,
  up: (db) => {
    db.exec(`
      CREATE TABLE voices (
        account_id TEXT NOT NULL,
        voice TEXT NOT NULL,
        name TEXT NOT NULL,
        type TEXT NOT NULL,
        create_time TEXT,
        download_url TEXT,
        preview_id TEXT REFERENCES media(id),
        preview_kind TEXT,
        place INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        gone_at INTEGER,
        uses INTEGER NOT NULL DEFAULT 0,
        used_at INTEGER,
        PRIMARY KEY (account_id, voice)
      ) STRICT;
      CREATE INDEX voices_preview ON voices(preview_id) WHERE preview_id IS NOT NULL;

      CREATE TABLE voice_lists (
        account_id TEXT PRIMARY KEY,
        at INTEGER NOT NULL
      ) STRICT;

      CREATE TRIGGER voices_preview_kept AFTER INSERT ON voices WHEN new.preview_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
      END;
      CREATE TRIGGER voices_preview_left AFTER DELETE ON voices WHEN old.preview_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
      END;
      CREATE TRIGGER voices_preview_changed AFTER UPDATE OF preview_id ON voices
        WHEN old.preview_id IS NOT new.preview_id BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
        UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
      END;
    `)
  },
}
