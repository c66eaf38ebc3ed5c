import type Database from 'better-sqlite3'
import { restandWhere, statesOf } from '../domains/documents/store/documents-counts.ts'

/** Tokens of all answers by kind; a kind that no answer counted stays unknown. */
const tokenSums = ['prompt', 'completion', 'total', 'reasoning', 'cached']
  .map((kind) => `'${kind}', sum(json_extract(usage, '$.${kind}'))`)
  .join(', ')

/** Returns the columns that refer to files: foreign keys, and uploads, which only count them. */
export const fileColumns = (
  db: Database.Database,
): readonly { readonly name: string; readonly field: string }[] =>
  db
    .prepare<[], { name: string; field: string }>(
      `SELECT t.name, f."from" AS field FROM pragma_table_list t CROSS JOIN pragma_foreign_key_list(t.name) f
       WHERE t.schema = 'main' AND t.type = 'table' AND f."table" = 'media'
       UNION SELECT name, 'media_id' FROM sqlite_schema WHERE name = 'knowledge_uploads'`,
    )
    .all()

/** Returns the number of rows that refer to a file. */
const usesOf = (db: Database.Database): string =>
  fileColumns(db)
    .map(({ name, field }) => `(SELECT count(*) FROM "${name}" WHERE "${field}" = media.id)`)
    .join(' + ')

/**
 * Recomputes the counts that triggers maintain for single rows; for rows that were written in bulk or replaced.
 */
export function recount(db: Database.Database): void {
  db.exec(`
    DELETE FROM item_counts;
    INSERT INTO item_counts SELECT kind, deleted_at IS NOT NULL, count(*) FROM items GROUP BY 1, 2;
    UPDATE media SET uses = ${usesOf(db)};
    UPDATE meetings SET (segments, segments_ms, transcribed_ms, waiting, failed, flagged) = (
      SELECT count(*), coalesce(sum(end_ms - start_ms), 0),
        coalesce(sum((end_ms - start_ms) * (state IN ('done', 'silent', 'flagged'))), 0),
        coalesce(sum(state IN ('pending', 'inflight')), 0), coalesce(sum(state = 'failed'), 0),
        coalesce(sum(state = 'flagged'), 0)
      FROM meeting_segments s WHERE s.item_seq = meetings.item_seq);
    UPDATE document_versions SET (asked, returned, failed, waiting, cancelled) = (
      SELECT count(*), coalesce(sum(state = 'returned'), 0), coalesce(sum(state = 'failed'), 0),
        coalesce(sum(state IN ('waiting', 'sent')), 0), coalesce(sum(state = 'cancelled'), 0)
      FROM document_pages WHERE version_seq = document_versions.seq);
    UPDATE document_versions SET ${statesOf('created_at')};
    ${restandWhere('true')};
    UPDATE conversations SET (messages, usage) = (
      SELECT count(*), iif(count(usage) = 0, NULL, json_object(${tokenSums})) FROM messages m
      WHERE m.item_seq = conversations.item_seq)`)
}
