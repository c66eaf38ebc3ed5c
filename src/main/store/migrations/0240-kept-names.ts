import type { Migration } from './index.ts'

/**
 * Names of tasks (`title`: the user's when `named`, else what it was asked for or how its answer begins; empty as long as nothing says
 * it) and what is searched of their results (`words`). Indexes for what a start looks up: what was removed long ago, and who uses a
 * file as the preview of a voice.
 */
export const taskNames: Migration = {
  version: 240,
  up: (db) => {
    db.exec(`
      ALTER TABLE tasks ADD COLUMN title TEXT NOT NULL DEFAULT '';
      ALTER TABLE tasks ADD COLUMN named INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE tasks ADD COLUMN words TEXT NOT NULL DEFAULT '';
      CREATE INDEX tasks_removed ON tasks(removed_at) WHERE removed_at IS NOT NULL;
      CREATE INDEX lookups_removed ON lookups(removed_at) WHERE removed_at IS NOT NULL;
      CREATE INDEX slice_lookups_removed ON slice_lookups(removed_at) WHERE removed_at IS NOT NULL;
      CREATE INDEX slice_lookups_asking ON slice_lookups(seq) WHERE state = 'asking' AND removed_at IS NULL;
      CREATE INDEX voice_versions_media ON voice_versions(media_id);
    `)
  },
}
