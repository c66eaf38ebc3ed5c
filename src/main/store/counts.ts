import type Database from 'better-sqlite3'
import { restandWhere, statesOf } from './documents-counts.ts'

/** Tokens of all answers by their kinds; a kind that no answer counted stays unknown. */
const tokenSums = ['prompt', 'completion', 'total', 'reasoning', 'cached']
  .map((kind) => `'${kind}', sum(json_extract(usage, '$.${kind}'))`)
  .join(', ')

/** Counts anew what triggers keep while rows come and go one by one; for rows that were written in bulk or replaced. */
export function recount(db: Database.Database): void {
  db.exec(`
    DELETE FROM item_counts;
    INSERT INTO item_counts SELECT kind, deleted_at IS NOT NULL, count(*) FROM items GROUP BY 1, 2;
    UPDATE media SET uses = (SELECT count(*) FROM items WHERE media_id = media.id)
      + (SELECT count(*) FROM run_media WHERE media_id = media.id)
      + (SELECT count(*) FROM document_pictures WHERE media_id = media.id)
      + (SELECT count(*) FROM document_remote WHERE media_id = media.id)
      + (SELECT count(*) FROM message_media WHERE media_id = media.id)
      + (SELECT count(*) FROM draft_media WHERE media_id = media.id)
      + (SELECT count(*) FROM kept_files WHERE media_id = media.id)
      + (SELECT count(*) FROM knowledge_uploads WHERE media_id = media.id)
      + (SELECT count(*) FROM voices WHERE preview_id = media.id)
      + (SELECT count(*) FROM voice_versions WHERE media_id = media.id)
      + (SELECT count(*) FROM voice_clones WHERE preview_id = media.id)
      + (SELECT count(*) FROM speech_takes WHERE media_id = media.id)
      + (SELECT count(*) FROM speeches WHERE joined_media = media.id)
      + (SELECT count(*) FROM speeches WHERE joined_peaks = media.id);
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
