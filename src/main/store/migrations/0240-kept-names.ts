import type { Migration } from './index.ts'

/**
 * Names of tasks (`title`: the user's when `named`, otherwise the input or the beginning of the answer; empty until there is
 * one) and the searchable text of their results (`words`). Indexes for queries at the start: items removed long ago, and uses
 * of a file as the preview of a voice.
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
