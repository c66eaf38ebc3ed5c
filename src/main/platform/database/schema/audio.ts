import { z } from 'zod'
import type * as meeting from '../../../../shared/model/meeting.ts'
import { list, number, orNull, spans, text, texts, withDefault } from './json.ts'
import {
  beginning,
  type Domain,
  left,
  ofItem,
  onImport,
  quoted,
  searched,
  values,
} from './table.ts'

/**
 * Recordings with their transcripts and jobs, which version 280 turned into meetings (`recordings-to-meetings.ts`).
 *
 * Meetings: items without a file of their own. Triggers maintain a meeting’s counts, so that a page of the list reads
 * one row for each; lines are ordered by start, channel and `seq`. `meeting_edits` is the log behind undo and redo: it
 * restores rows under their old numbers, which are therefore never reused.
 */
const sql = `
  CREATE TABLE transcripts (
    id TEXT PRIMARY KEY,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    model TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    request_id TEXT,
    notice TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (item_seq, number)
  ) STRICT;
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    state TEXT NOT NULL,
    progress REAL,
    stream_id TEXT,
    attempts INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    options TEXT NOT NULL,
    transcript_id TEXT,
    error TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    next_try_at INTEGER,
    dismissed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX jobs_item ON jobs(item_seq, created_at);
  CREATE INDEX jobs_state ON jobs(state, created_at);
  CREATE TABLE meetings (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    channels TEXT NOT NULL,
    sample_rate INTEGER NOT NULL,
    has_sound INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL DEFAULT 0,
    recorded_ms INTEGER,
    analysed TEXT NOT NULL,
    analysed_ms INTEGER NOT NULL DEFAULT 0,
    import_progress REAL,
    notes TEXT NOT NULL DEFAULT '',
    account_id TEXT NOT NULL,
    prompt TEXT NOT NULL,
    hotwords TEXT NOT NULL,
    error TEXT,
    gaps_ms INTEGER NOT NULL DEFAULT 0,
    segments INTEGER NOT NULL DEFAULT 0,
    segments_ms INTEGER NOT NULL DEFAULT 0,
    transcribed_ms INTEGER NOT NULL DEFAULT 0,
    waiting INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    flagged INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX meetings_state ON meetings(state, item_seq);
  CREATE INDEX meetings_unlooked ON meetings(item_seq)
  WHERE has_sound = 1 AND analysed_ms < duration_ms;
  CREATE TABLE meeting_speakers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    name TEXT NOT NULL,
    channel INTEGER,
    mark INTEGER NOT NULL,
    into_id TEXT
  ) STRICT;
  CREATE INDEX meeting_speakers_item ON meeting_speakers(item_seq, seq);
  CREATE TABLE meeting_segments (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    channel INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    forced_start INTEGER NOT NULL,
    forced_end INTEGER NOT NULL,
    voiced TEXT NOT NULL,
    flags TEXT NOT NULL DEFAULT '[]',
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    next_try_at INTEGER,
    reading_id TEXT,
    again TEXT,
    held INTEGER NOT NULL DEFAULT 0,
    UNIQUE (item_seq, channel, start_ms)
  ) STRICT;
  CREATE INDEX meeting_segments_time ON meeting_segments(item_seq, start_ms, channel);
  CREATE INDEX meeting_segments_work ON meeting_segments(item_seq)
  WHERE state IN ('pending', 'inflight') OR again IS NOT NULL;
  CREATE TABLE meeting_readings (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    segment_id TEXT NOT NULL REFERENCES meeting_segments(id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    flags TEXT NOT NULL,
    model TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    request_id TEXT,
    notice TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX meeting_readings_segment ON meeting_readings(segment_id, seq);
  CREATE INDEX meeting_readings_item ON meeting_readings(item_seq, state, seq);
  CREATE TABLE meeting_lines (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    segment_id TEXT,
    channel INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    speaker_id TEXT NOT NULL,
    text TEXT NOT NULL,
    edited_at INTEGER,
    flags TEXT NOT NULL,
    model TEXT NOT NULL,
    account_name TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_lines_time ON meeting_lines(item_seq, start_ms, channel, seq);
  CREATE INDEX meeting_lines_segment ON meeting_lines(segment_id, start_ms, channel, seq);
  CREATE INDEX meeting_lines_edited ON meeting_lines(item_seq, edited_at)
  WHERE edited_at IS NOT NULL;
  CREATE TABLE meeting_edits (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    undone INTEGER NOT NULL DEFAULT 0,
    before TEXT NOT NULL,
    after TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_edits_item ON meeting_edits(item_seq, undone, seq);
  CREATE TABLE meeting_bookmarks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    label TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_bookmarks_item ON meeting_bookmarks(item_seq, at_ms);
  CREATE TABLE meeting_gaps (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    channel INTEGER,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_gaps_item ON meeting_gaps(item_seq, start_ms);
  CREATE TABLE meeting_summaries (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    template_id TEXT NOT NULL,
    template_name TEXT NOT NULL,
    state TEXT NOT NULL,
    points TEXT NOT NULL,
    engine TEXT NOT NULL,
    error TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX meeting_summaries_item ON meeting_summaries(item_seq, seq);
  CREATE TABLE summary_templates (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    built_in INTEGER NOT NULL,
    sections TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER meeting_segments_counted AFTER INSERT ON meeting_segments BEGIN
    UPDATE meetings SET segments = segments + 1,
      segments_ms = segments_ms + (new.end_ms - new.start_ms),
      transcribed_ms = transcribed_ms
        + (new.end_ms - new.start_ms) * (new.state IN ('done', 'silent', 'flagged')),
      waiting = waiting + (new.state IN ('pending', 'inflight')),
      failed = failed + (new.state = 'failed'),
      flagged = flagged + (new.state = 'flagged')
    WHERE item_seq = new.item_seq;
  END;
  CREATE TRIGGER meeting_segments_recounted AFTER UPDATE OF state ON meeting_segments
    WHEN old.state <> new.state BEGIN
    UPDATE meetings SET
      transcribed_ms = transcribed_ms + (new.end_ms - new.start_ms)
        * ((new.state IN ('done', 'silent', 'flagged')) - (old.state IN ('done', 'silent', 'flagged'))),
      waiting = waiting
        + (new.state IN ('pending', 'inflight')) - (old.state IN ('pending', 'inflight')),
      failed = failed + (new.state = 'failed') - (old.state = 'failed'),
      flagged = flagged + (new.state = 'flagged') - (old.state = 'flagged')
    WHERE item_seq = new.item_seq;
  END;
`

/** Meetings. */
export const audio: Domain = {
  sql,
  category: 'recordings',
  counts: `
    UPDATE meetings SET (segments, segments_ms, transcribed_ms, waiting, failed, flagged) = (
      SELECT count(*), coalesce(sum(end_ms - start_ms), 0),
        coalesce(sum((end_ms - start_ms) * (state IN ('done', 'silent', 'flagged'))), 0),
        coalesce(sum(state IN ('pending', 'inflight')), 0), coalesce(sum(state = 'failed'), 0),
        coalesce(sum(state = 'flagged'), 0)
      FROM meeting_segments s WHERE s.item_seq = meetings.item_seq)`,
  tables: {
    meetings: {
      merge: ofItem,
      values: {
        source: values<meeting.MeetingBrief['source']>({ recording: 1, import: 1 }),
        state: values<meeting.MeetingState>({
          stopped: 1,
          recording: 1,
          paused: 1,
          interrupted: 1,
          importing: 1,
          'import-failed': 1,
        }),
        title_state: values<meeting.TitleState>({ none: 1, wanted: 1, offered: 1, dismissed: 1 }),
      },
      json: {
        channels: withDefault(z.array(z.enum(['mic', 'others', 'left', 'right', 'mono'])).max(32), [
          'mono',
        ]),
        analysed: list(z.array(number)),
        hotwords: list(texts),
        suggested_titles: orNull(z.looseObject({ titles: texts, engine: text.nullable() })),
      },
      // Audio that was not transcribed yet continues on request. Former recordings have the one segment of their migration.
      reset: [
        onImport(
          `error = ${left}`,
          `state IN ('recording', 'paused') OR (has_sound = 1 AND analysed_ms < duration_ms)
            OR (state = 'importing' AND (import_progress IS NOT NULL OR 'r-' || (SELECT id FROM items WHERE seq = meetings.item_seq)
              IS NOT (SELECT group_concat(id) FROM meeting_segments s WHERE s.item_seq = meetings.item_seq)))`,
        ),
        onImport(`title_state = 'none'`, `title_state = 'wanted'`),
      ],
      entry: {
        rank: 15,
        kinds: ['note'],
        from: 'meetings t CROSS JOIN items i ON i.seq = t.item_seq',
        id: 'i.id',
        title: 'i.title',
        account: `''`,
        state: 'NULL',
        owner: [`'meeting'`, 'i.id', `'notes'`],
        at: 'i.created_at',
        place: 't.item_seq',
        where: `t.notes <> '' AND i.deleted_at IS NULL`,
        text: quoted(beginning('t.notes')),
      },
    },
    meeting_speakers: { merge: ofItem },
    meeting_segments: {
      merge: ofItem,
      values: {
        state: values<meeting.SegmentState>({
          done: 1,
          pending: 1,
          inflight: 1,
          silent: 1,
          failed: 1,
          flagged: 1,
        }),
      },
      json: { voiced: list(spans), flags: list(texts) },
      reset: [
        onImport('again = NULL', 'again IS NOT NULL'),
        onImport(
          `state = 'failed', next_try_at = NULL, error = ${left}`,
          `state IN ('pending', 'inflight')`,
        ),
      ],
    },
    meeting_readings: {
      merge: ofItem,
      values: {
        state: values<meeting.SegmentVersion['state']>({
          current: 1,
          proposed: 1,
          declined: 1,
          older: 1,
        }),
      },
      json: { flags: list(texts) },
    },
    meeting_lines: { merge: ofItem, json: { flags: list(texts) } },
    // The log behind undo: its rows refer to others by numbers inside their text.
    meeting_edits: { merge: 'local' },
    meeting_bookmarks: { merge: ofItem },
    meeting_gaps: {
      merge: ofItem,
      values: {
        reason: values<meeting.Gap['reason']>({
          device: 1,
          suspended: 1,
          overload: 1,
          lost: 1,
          muted: 1,
        }),
      },
    },
    meeting_summaries: {
      merge: ofItem,
      values: {
        state: values<meeting.MeetingSummaryText['state']>({ done: 1, running: 1, failed: 1 }),
      },
      json: {
        points: list(z.array(z.looseObject({ section: text, text, lineIds: texts }))),
      },
      entry: {
        rank: 16,
        kinds: ['summary'],
        from: 'meeting_summaries t CROSS JOIN items i ON i.seq = t.item_seq',
        title: 'i.title',
        account: `''`,
        state: 'NULL',
        owner: [`'meeting'`, 'i.id', 't.id'],
        at: 't.at',
        where: `t.state = 'done' AND i.deleted_at IS NULL`,
        text: `(SELECT substr(json_group_array(p.value ->> 'text'), 1, ${searched}) FROM json_each(t.points) p)`,
      },
    },
    summary_templates: {
      merge: { same: ['id'], where: 't.built_in = 0' },
      json: { sections: list(z.array(z.looseObject({ title: text, instruction: text }))) },
    },
  },
  former: {
    // Texts matter most to the user: if only one of the two is complete, it is kept; of two incomplete ones, the longer.
    transcripts: {
      preferred: `excluded.state = 'complete'
        OR (transcripts.state <> 'complete' AND length(excluded.text) >= length(transcripts.text))`,
    },
    jobs: {},
  },
  repair: (db) => void db.exec(lostMeetings),
}

/**
 * Meetings whose own row could not be read, unlike their item, lines or segments: that is enough to recreate the row.
 */
const lostMeetings = `
  INSERT INTO meetings(item_seq, source, state, channels, sample_rate, has_sound, duration_ms, analysed, analysed_ms, account_id,
    prompt, hotwords)
  SELECT seq, iif(media_id IS NULL, 'recording', 'import'), 'stopped', iif(two, '["mic","others"]', '["mono"]'), 48000, 1, length,
    iif(two, json_array(length, length), json_array(length)), length, account, '', '[]'
  FROM (
    SELECT seq, media_id,
      EXISTS (SELECT 1 FROM meeting_speakers s WHERE s.item_seq = i.seq AND s.channel = 1) AS two,
      max(coalesce((SELECT max(end_ms) FROM meeting_segments s WHERE s.item_seq = i.seq), 0),
        coalesce((SELECT max(end_ms) FROM meeting_lines l WHERE l.item_seq = i.seq), 0)) AS length,
      coalesce((SELECT account_id FROM meeting_readings r WHERE r.item_seq = i.seq LIMIT 1), '') AS account
    FROM items i WHERE kind = 'meeting' AND seq NOT IN (SELECT item_seq FROM meetings))`
