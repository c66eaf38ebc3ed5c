import type { Migration } from './index.ts'

/**
 * Voices as listed by the provider, by account: `gone_at` marks those missing from a later complete list, since the audio
 * generated with them stays. `preview_id` is the audio of a voice, fetched once.
 *
 * Own voices: the item, its sample in all versions (`made` is the fix as JSON, `report` the problems found in it), the
 * consent given for it, and the cloning attempts. `voice_samples.version_id` is the current version.
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

      CREATE TABLE voice_samples (
        item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
        source TEXT NOT NULL,
        language TEXT NOT NULL,
        version_id TEXT NOT NULL,
        text TEXT NOT NULL,
        consent TEXT
      ) STRICT;

      CREATE TABLE voice_versions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
        media_id TEXT NOT NULL REFERENCES media(id),
        parent_id TEXT,
        made TEXT,
        duration_ms INTEGER NOT NULL,
        report TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX voice_versions_item ON voice_versions(item_seq, seq);

      CREATE TABLE voice_clones (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
        version_id TEXT NOT NULL,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        voice_name TEXT NOT NULL,
        input TEXT NOT NULL,
        text TEXT NOT NULL,
        state TEXT NOT NULL,
        file_id TEXT,
        voice TEXT,
        preview_id TEXT REFERENCES media(id),
        preview_kind TEXT,
        notice TEXT,
        error TEXT,
        created_at INTEGER NOT NULL,
        ended_at INTEGER
      ) STRICT;
      CREATE INDEX voice_clones_item ON voice_clones(item_seq, seq);
      CREATE INDEX voice_clones_voice ON voice_clones(account_id, voice);
      CREATE INDEX voice_clones_open ON voice_clones(seq)
        WHERE state IN ('waiting', 'uploading', 'cloning', 'asking');

      CREATE TRIGGER voice_versions_kept AFTER INSERT ON voice_versions BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER voice_versions_left AFTER DELETE ON voice_versions BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
      CREATE TRIGGER voice_clones_kept AFTER INSERT ON voice_clones WHEN new.preview_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
      END;
      CREATE TRIGGER voice_clones_left AFTER DELETE ON voice_clones WHEN old.preview_id IS NOT NULL BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
      END;
      CREATE TRIGGER voice_clones_changed AFTER UPDATE OF preview_id ON voice_clones
        WHEN old.preview_id IS NOT new.preview_id BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
        UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
      END;
    `)
  },
}
