import type Database from 'better-sqlite3'
import { indexTokens } from '../../../shared/text/cut.ts'
import { rowsPerItem } from './search-rows.ts'

/** Kind of an item in SQL: recordings of a library that could not be migrated, and is read-only, are shown as meetings. */
export const itemKindSql = (alias: string): string =>
  `iif(${alias}.kind = 'recording', 'meeting', ${alias}.kind)`

/** Failure of a recording without text: it waits until the user requests its transcription. */
const left = `json_object('code', 'LEFT_UNFINISHED', 'message', 'It was not transcribed', 'retriable', json('true'),
  'at', updated_at)`

/** Maximum length of audio in one request, in milliseconds; also that of a transcribed recording whose file did not say it. */
const maxRequestMs = 30_000

/**
 * Recordings with their segment: `shown` is the newest complete transcript, or the newest partial one; `job` the newest
 * job, `open` if it is to continue. A recording without text has no segment if its job continues (its audio is analyzed
 * like that of any import), or if it is too long for one.
 */
const recordings = `
  CREATE TEMP TABLE moved AS
  SELECT *, CASE
      WHEN shown IS NULL THEN iif(open OR length NOT BETWEEN 1 AND ${maxRequestMs}, NULL, 'failed')
      WHEN shown_state = 'partial' THEN iif(open, 'pending', 'failed')
      WHEN shown_state = 'no-speech' OR trim(shown_text) = '' THEN 'silent'
      ELSE 'done' END AS state
  FROM (
    SELECT i.seq, i.id, i.media_id, i.title, i.updated_at, t.id AS shown, t.state AS shown_state, t.text AS shown_text,
      t.number AS shown_number, t.model, t.account_id AS shown_account, t.account_name,
      j.account_id, j.options, j.error, coalesce(j.dismissed, 0) AS dismissed,
      coalesce(j.state IN ('queued', 'running', 'waiting'), 0) AS open,
      coalesce(CAST(round(min(max(m.duration, 0), 1e6) * 1000) AS INTEGER), iif(t.id IS NULL, 0, ${maxRequestMs})) AS length
    FROM items i
      LEFT JOIN media m ON m.id = i.media_id
      LEFT JOIN transcripts t ON t.id = (SELECT id FROM transcripts WHERE item_seq = i.seq
        ORDER BY state = 'partial', number DESC LIMIT 1)
      LEFT JOIN jobs j ON j.id = (SELECT id FROM jobs WHERE item_seq = i.seq ORDER BY created_at DESC, rowid DESC LIMIT 1)
    WHERE i.kind = 'recording')`

/**
 * A recording becomes a meeting whose only segment is its whole audio: transcripts are the versions of that segment, and
 * the shown one is its line, which has the transcript’s ID, so that links and chunks for semantic search still find it.
 * The audio is imported at the next start. A job that was to continue does: as the segment’s first transcription, or as
 * another pass.
 */
const meetings = `
  INSERT INTO meetings(item_seq, source, state, channels, sample_rate, has_sound, duration_ms, analysed, analysed_ms,
    account_id, prompt, hotwords, error)
  SELECT seq, 'import', iif(media_id IS NULL, 'stopped', 'importing'), '["mono"]', 16000, media_id IS NOT NULL, length,
    json_array(iif(state IS NULL, 0, length)), iif(state IS NULL, 0, length),
    coalesce(account_id, shown_account, ''),
    iif(json_valid(options), coalesce(options ->> '$.prompt', ''), ''),
    iif(json_valid(options), coalesce(options -> '$.hotwords', '[]'), '[]'),
    iif(state IS NULL AND NOT open, ${left}, NULL)
  FROM moved;
  INSERT INTO meeting_speakers(id, item_seq, name, channel, mark) SELECT 's-' || id, seq, '', 0, 0 FROM moved;
  INSERT INTO meeting_segments(id, item_seq, channel, start_ms, end_ms, state, forced_start, forced_end, voiced,
    error, reading_id, again, dismissed)
  SELECT 'r-' || id, seq, 0, 0, max(length, 1), state, 0, 0, '[]',
    iif(state = 'failed', coalesce(error, ${left}), NULL), shown,
    iif(open AND state IN ('done', 'silent') AND json_valid(options), json_object('accountId', account_id,
      'prompt', coalesce(options ->> '$.prompt', ''), 'hotwords', json(coalesce(options -> '$.hotwords', '[]'))), NULL),
    iif(state = 'failed', dismissed, 0)
  FROM moved WHERE state IS NOT NULL;
  INSERT INTO meeting_readings(id, item_seq, segment_id, text, state, flags, model, account_id, account_name, request_id,
    notice, at)
  SELECT t.id, t.item_seq, 'r-' || moved.id, t.text, iif(t.id = shown, 'current', 'older'), '[]', t.model, t.account_id,
    t.account_name, t.request_id, t.notice, t.created_at
  FROM transcripts t JOIN moved ON moved.seq = t.item_seq ORDER BY t.item_seq, t.number;
  INSERT INTO meeting_lines(id, item_seq, segment_id, channel, start_ms, end_ms, speaker_id, text, flags, model,
    account_name)
  SELECT shown, seq, 'r-' || id, 0, 0, max(length, 1), 's-' || id, shown_text, '[]', model, account_name
  FROM moved WHERE shown IS NOT NULL AND state <> 'silent' AND trim(shown_text) <> '';
  UPDATE items SET kind = 'meeting' WHERE kind = 'recording';
  INSERT INTO item_counts SELECT 'meeting', binned, n FROM item_counts WHERE kind = 'recording'
    ON CONFLICT(kind, binned) DO UPDATE SET n = n + excluded.n;
  DELETE FROM item_counts WHERE kind = 'recording'`

/** Kinds of items that are stored elsewhere. */
const kinds = `
  UPDATE semantic_indexes SET kinds = (
      SELECT json_group_array(kind) FROM (SELECT DISTINCT iif(value = 'recording', 'meeting', value) AS kind FROM json_each(kinds)))
    WHERE json_valid(kinds) AND EXISTS (SELECT 1 FROM json_each(kinds) WHERE value = 'recording');
  UPDATE ranking_candidates SET source = json_set(source, '$.kind', 'meeting')
    WHERE json_valid(source) AND json_extract(source, '$.kind') = 'recording'`

/**
 * Turns recordings, short audio with whole transcripts, into meetings, and removes their tables. Nothing that was stored
 * is lost.
 */
export function recordingsToMeetings(db: Database.Database): void {
  db.exec(`${recordings}; ${meetings}; ${kinds}`)
  reindex(db)
  db.exec('DROP TABLE moved; DROP TABLE jobs; DROP TABLE transcripts')
}

/** Search rows: one of each meeting’s first minute, instead of one of each transcript. */
function reindex(db: Database.Database): void {
  const changed = db
    .prepare<[], { seq: number; title: string; text: string }>(
      `SELECT seq, title, iif(state = 'silent', '', coalesce(shown_text, '')) AS text FROM moved
       WHERE shown_number > 0 OR (SELECT count(*) FROM transcripts WHERE item_seq = seq) > 1`,
    )
    .all()
  const remove = db.prepare('DELETE FROM search_text WHERE rowid >= ? AND rowid < ?')
  const write = db.prepare('INSERT INTO search_text(rowid, title, body) VALUES (?, ?, ?)')
  for (const { seq, title, text } of changed) {
    const first = BigInt(seq * rowsPerItem)
    remove.run(first, first + BigInt(rowsPerItem))
    write.run(first, indexTokens(title), indexTokens(text))
  }
}
