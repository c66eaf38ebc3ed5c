import type { Migration } from './index.ts'

/**
 * Values the main thread needs often, stored instead of counted: items by kind and Trash, items that use a media file, and
 * one text per call for the search in Activity (its index contains everything the filter needs, so that no row is read in
 * vain).
 */
export const counts: Migration = {
  version: 20,
  up: (db) => {
    db.exec(`
      CREATE TABLE item_counts (
        kind TEXT NOT NULL,
        binned INTEGER NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (kind, binned)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO item_counts SELECT kind, deleted_at IS NOT NULL, count(*) FROM items GROUP BY 1, 2;

      ALTER TABLE media ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
      UPDATE media SET uses = (SELECT count(*) FROM items WHERE media_id = media.id);
      CREATE INDEX media_unused ON media(created_at, id) WHERE uses = 0;

      CREATE TRIGGER items_counted AFTER INSERT ON items BEGIN
        INSERT INTO item_counts VALUES (new.kind, new.deleted_at IS NOT NULL, 1)
          ON CONFLICT(kind, binned) DO UPDATE SET n = n + 1;
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER items_uncounted AFTER DELETE ON items BEGIN
        UPDATE item_counts SET n = n - 1
          WHERE kind = old.kind AND binned = (old.deleted_at IS NOT NULL);
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
      CREATE TRIGGER items_recounted AFTER UPDATE OF deleted_at ON items
        WHEN (old.deleted_at IS NULL) <> (new.deleted_at IS NULL) BEGIN
        UPDATE item_counts SET n = n - 1
          WHERE kind = old.kind AND binned = (old.deleted_at IS NOT NULL);
        INSERT INTO item_counts VALUES (new.kind, new.deleted_at IS NOT NULL, 1)
          ON CONFLICT(kind, binned) DO UPDATE SET n = n + 1;
      END;

      ALTER TABLE activity ADD COLUMN sought TEXT GENERATED ALWAYS AS (
        operation || char(10) || path || char(10) || coalesce(model, '') || char(10) || coalesce(error_code, '') || char(10)
        || account_name || char(10) || coalesce(request_id, '') || char(10) || coalesce(log_id, '')
      ) VIRTUAL;
      CREATE INDEX activity_sought ON activity(id, outcome, account_id, sought);
    `)
  },
}
