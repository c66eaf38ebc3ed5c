import type { Migration } from './index.ts'

/**
 * Items fetched from the provider by ID: Responses and conversations of the slides agent (`lookups`). Each snapshot that
 * differed from the previous one is a version with its response. Files referenced by responses (`kept_files`) belong to a
 * task or to a version (`owner_id`), without a foreign key: an owner that could not be recovered from a damaged file must not
 * delete its files. Removed items can be restored for a while (`removed_at`, Unix ms).
 */
export const remoteItems: Migration = {
  version: 190,
  up: (db) => {
    db.exec(`
      CREATE TABLE lookups (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        remote_id TEXT NOT NULL,
        asked TEXT NOT NULL,
        title TEXT NOT NULL,
        named INTEGER NOT NULL DEFAULT 0,
        model TEXT,
        status TEXT,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        failures INTEGER NOT NULL DEFAULT 0,
        interval_ms INTEGER NOT NULL DEFAULT 0,
        next_poll_at INTEGER,
        error TEXT,
        engine TEXT,
        notice TEXT,
        versions INTEGER NOT NULL DEFAULT 0,
        words TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        fetched_at INTEGER,
        removed_at INTEGER,
        UNIQUE (kind, account_id, remote_id)
      ) STRICT;
      CREATE INDEX lookups_kind ON lookups(kind, seq) WHERE removed_at IS NULL;
      CREATE INDEX lookups_unfinished ON lookups(seq)
        WHERE state IN ('asking', 'watching', 'waiting') AND removed_at IS NULL;

      CREATE TABLE lookup_versions (
        lookup_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        reply_id TEXT NOT NULL,
        status TEXT,
        at INTEGER NOT NULL,
        PRIMARY KEY (lookup_id, number)
      ) STRICT;

      CREATE TABLE kept_files (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        owner_id TEXT NOT NULL,
        role TEXT NOT NULL,
        place INTEGER NOT NULL,
        account_id TEXT NOT NULL,
        address TEXT NOT NULL,
        name TEXT NOT NULL,
        media_id TEXT REFERENCES media(id),
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        given_up INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        UNIQUE (owner_id, role, place)
      ) STRICT;
      CREATE INDEX kept_files_media ON kept_files(media_id);
      CREATE INDEX kept_files_waiting ON kept_files(seq) WHERE media_id IS NULL AND given_up = 0;
      CREATE TRIGGER kept_files_fetched AFTER UPDATE OF media_id ON kept_files
        WHEN old.media_id IS NOT new.media_id BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER kept_files_unused AFTER DELETE ON kept_files BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;

      ALTER TABLE tasks ADD COLUMN removed_at INTEGER;
      DROP INDEX tasks_unfinished;
      CREATE INDEX tasks_unfinished ON tasks(created_at)
        WHERE state IN ('processing', 'waiting') AND removed_at IS NULL;
    `)
  },
}
