import type { MeetingJson, MeetingJsonPage } from '../../shared/bridge/meeting-json.ts'
import type { Connection } from './connection.ts'
import { putSpeaker } from './meetings-images.ts'
import { putLine } from './meetings-lines.ts'

/** Writes the rows of a page, in the caller's transaction; `at` is the time of edits. */
export function putPage(
  connection: Connection,
  seq: number,
  page: MeetingJsonPage,
  at: number,
): void {
  if (page.list === 'speakers') return putSpeakers(connection, seq, page.rows)
  if (page.list === 'segments') return putSegments(connection, seq, page.rows)
  if (page.list === 'readings') return putVersions(connection, seq, page.rows)
  if (page.list === 'lines') return putLines(connection, seq, page.rows, at)
  if (page.list === 'gaps') return putGaps(connection, seq, page.rows)
  if (page.list === 'summaries') return putSummaries(connection, seq, page.rows)
  for (const { id, atMs, label } of page.rows)
    connection.run(
      'INSERT INTO meeting_bookmarks(id, item_seq, at_ms, label) VALUES (?, ?, ?, ?)',
      id,
      seq,
      atMs,
      label,
    )
}

function putSpeakers(connection: Connection, seq: number, rows: MeetingJson['speakers']): void {
  for (const { id, name, channel, mark } of rows)
    putSpeaker(connection, { seq: null, id, item_seq: seq, name, channel, mark, into_id: null })
}

function putSegments(connection: Connection, seq: number, rows: MeetingJson['segments']): void {
  for (const one of rows) {
    const open = one.state === 'pending' || one.state === 'inflight'
    connection.run(
      `INSERT INTO meeting_segments(id, item_seq, channel, start_ms, end_ms, state, forced_start, forced_end, voiced, flags,
         reading_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      one.id,
      seq,
      one.channel,
      one.startMs,
      one.endMs,
      // Nothing is transcribed during the import: waiting segments are reopened once the audio is available.
      open ? 'failed' : one.state,
      one.forcedStart ? 1 : 0,
      one.forcedEnd ? 1 : 0,
      JSON.stringify(one.voiced.map((span) => [span.startMs, span.endMs])),
      JSON.stringify(one.flags),
      one.readingId,
    )
  }
}

function putVersions(connection: Connection, seq: number, rows: MeetingJson['readings']): void {
  for (const one of rows)
    connection.run(
      `INSERT INTO meeting_readings(id, item_seq, segment_id, text, state, flags, model, account_id, account_name, request_id,
         notice, at) VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
      one.id,
      seq,
      one.segmentId,
      one.text,
      one.state,
      JSON.stringify(one.flags),
      one.model,
      one.accountName,
      one.requestId,
      one.notice,
      one.at,
    )
}

function putLines(
  connection: Connection,
  seq: number,
  rows: MeetingJson['lines'],
  at: number,
): void {
  const first = connection.get<{ id: string }>(
    'SELECT id FROM meeting_speakers WHERE item_seq = ? ORDER BY seq LIMIT 1',
    seq,
  )
  for (const one of rows)
    putLine(connection, {
      seq: null,
      id: one.id,
      item_seq: seq,
      segment_id: one.segmentId,
      channel: one.channel,
      start_ms: one.startMs,
      end_ms: one.endMs,
      speaker_id: one.speakerId === '' ? (first?.id ?? '') : one.speakerId,
      text: one.text,
      edited_at: one.edited ? at : null,
      flags: JSON.stringify(one.flags),
      model: one.model,
      account_name: one.accountName,
    })
}

function putGaps(connection: Connection, seq: number, rows: MeetingJson['gaps']): void {
  for (const one of rows)
    connection.run(
      'INSERT INTO meeting_gaps(id, item_seq, channel, start_ms, end_ms, reason) VALUES (?, ?, ?, ?, ?, ?)',
      one.id,
      seq,
      one.channel,
      one.startMs,
      one.endMs,
      one.reason,
    )
}

function putSummaries(connection: Connection, seq: number, rows: MeetingJson['summaries']): void {
  for (const one of rows)
    connection.run(
      `INSERT INTO meeting_summaries(id, item_seq, template_id, template_name, state, points, engine, error, at)
       VALUES (?, ?, ?, ?, 'done', ?, ?, NULL, ?)`,
      one.id,
      seq,
      one.templateId,
      one.templateName,
      JSON.stringify(one.points),
      one.engine,
      one.at,
    )
}
