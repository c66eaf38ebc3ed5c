import type Database from 'better-sqlite3'

/** Counts anew what triggers keep while rows come and go one by one; for rows that were written in bulk or replaced. */
export function recount(db: Database.Database): void {
  db.exec(`
    DELETE FROM item_counts;
    INSERT INTO item_counts SELECT kind, deleted_at IS NOT NULL, count(*) FROM items GROUP BY 1, 2;
    UPDATE media SET uses = (SELECT count(*) FROM items WHERE media_id = media.id)
      + (SELECT count(*) FROM run_media WHERE media_id = media.id)`)
}
