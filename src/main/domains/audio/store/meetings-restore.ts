import type {
  MeetingJsonHead,
  MeetingJson,
  MeetingJsonPage,
} from '../../../../shared/contract/meeting-json.ts'
import type { Clock } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { audio } from '../../../platform/database/schema/audio.ts'
import { putSpeaker } from './meetings-images.ts'
import { indexBuckets, putLine, touchItem } from './meetings-lines.ts'
import { meetingSeq } from './meetings-rows.ts'
import type { MeetingStore } from './meetings-types.ts'
import { bucketOf, rowsPerItem } from '../../../platform/database/search-rows.ts'

/**
 * Maximum number of lines, and of their characters, that one step makes searchable. A minute with more gets a step of its
 * own.
 */
const stepLines = 200
const stepChars = 32 * 1024

/** Store methods that create a meeting from Lectern's JSON, step by step. */
export function restoreStore(
  connection: Connection,
  store: Pick<MeetingStore, 'create' | 'update'>,
  clock: Clock,
): Pick<MeetingStore, 'restoring'> {
  const begin = (
    id: string,
    head: MeetingJsonHead,
    from: { readonly mediaId: string | null; readonly accountId: string },
  ): void => {
    const known = connection.get<{ state: string }>(
      'SELECT m.state FROM items i JOIN meetings m ON m.item_seq = i.seq WHERE i.id = ?',
      id,
    )
    if (known && known.state !== 'importing')
      throw new AppError('REFUSED', 'This meeting is not being imported')
    if (known) return
    store.create({
      id,
      title: head.title,
      source: head.source,
      state: 'importing',
      channels: head.channels,
      sampleRate: head.sampleRate,
      // Until everything is imported, the JSON is the file of this meeting.
      mediaId: from.mediaId,
      hasAudio: true,
      accountId: from.accountId,
      prompt: '',
      hotwords: [],
      at: Date.parse(head.startedAt),
    })
  }

  /** Adds the default speakers of a meeting to JSON without any. */
  const needSpeaker = (id: string, head: MeetingJsonHead): void => {
    const sql = 'SELECT 1 FROM meeting_speakers WHERE item_seq = ? LIMIT 1'
    if (connection.get(sql, meetingSeq(connection, id)) === undefined)
      store.update(id, { channels: head.channels })
  }
  /** The last step; text the user wrote in the meantime stays. */
  const end = (
    id: string,
    head: MeetingJsonHead,
    original: string | null,
    gapsMs: number,
  ): void => {
    const seq = meetingSeq(connection, id)
    connection.run(
      `UPDATE meetings SET state = ?, has_sound = ?, duration_ms = ?, analysed = ?, analysed_ms = ?, gaps_ms = ?,
         import_progress = NULL, error = NULL, notes = iif(notes = '', ?, notes), prompt = iif(prompt = '', ?, prompt),
         hotwords = iif(hotwords = '[]', ?, hotwords) WHERE item_seq = ?`,
      original === null ? 'stopped' : 'importing',
      original === null ? 0 : 1,
      head.durationMs,
      JSON.stringify(head.channels.map(() => head.durationMs)),
      head.durationMs,
      gapsMs,
      head.notes,
      head.prompt,
      JSON.stringify(head.hotwords),
      seq,
    )
    connection.run('UPDATE items SET media_id = ? WHERE seq = ?', original, seq)
    touchItem(connection, seq, clock())
  }

  return {
    restoring(id, head, from) {
      connection.transaction(() => begin(id, head, from))
      // The row of the first minute contains the title too.
      const minutes = new Map([[0, { lines: 0, chars: 0 }]])
      const untranscribed: string[] = []
      const segmentStarts = new Map<string, number>()
      let gapsMs = 0
      let gapsEnd = 0

      return {
        clear: () =>
          connection.transaction(() => clearRows(connection, meetingSeq(connection, id))),
        put(page) {
          connection.transaction(() => {
            if (page.list !== 'speakers') needSpeaker(id, head)
            putPage(connection, meetingSeq(connection, id), page, clock())
          })
          // After the transaction, since a failed one is retried.
          if (page.list === 'segments')
            for (const one of page.rows) {
              segmentStarts.set(one.id, one.startMs)
              if (one.state === 'pending' || one.state === 'inflight') untranscribed.push(one.id)
            }
          if (page.list === 'gaps')
            for (const { startMs, endMs } of page.rows) {
              gapsMs += Math.max(0, endMs - Math.max(startMs, gapsEnd))
              gapsEnd = Math.max(gapsEnd, endMs)
            }
          const searched = (startMs: number, text: string): void => {
            const minute = bucketOf(startMs)
            const { lines, chars } = minutes.get(minute) ?? { lines: 0, chars: 0 }
            minutes.set(minute, { lines: lines + 1, chars: chars + text.length })
          }
          if (page.list === 'lines')
            for (const { startMs, text } of page.rows) searched(startMs, text)
          if (page.list === 'readings')
            for (const { segmentId, state, text } of page.rows)
              if (state === 'older') searched(segmentStarts.get(segmentId) ?? 0, text)
        },
        finish(original) {
          if (minutes.size > 0) {
            const next = firstOf(minutes)
            connection.transaction(() => indexBuckets(connection, meetingSeq(connection, id), next))
            for (const minute of next) minutes.delete(minute)
            return false
          }
          // Without its audio nothing more can be transcribed: the gap stays visible.
          if (original !== null && untranscribed.length > 0) {
            const next = JSON.stringify(untranscribed.slice(0, stepLines))
            const sql = `UPDATE meeting_segments SET state = 'pending' WHERE id IN (SELECT value FROM json_each(?))`
            connection.transaction(() => connection.run(sql, next))
            untranscribed.splice(0, stepLines)
            return false
          }
          connection.transaction(() => {
            needSpeaker(id, head)
            end(id, head, original, gapsMs)
          })
          return true
        },
      }
    },
  }
}

/** Returns the minutes of the next step. */
function firstOf(
  minutes: ReadonlyMap<number, { readonly lines: number; readonly chars: number }>,
): readonly number[] {
  const taken: number[] = []
  const sum = { lines: 0, chars: 0 }
  for (const [minute, { lines, chars }] of minutes) {
    sum.lines += lines + 1
    sum.chars += chars
    if (taken.length > 0 && (sum.lines > stepLines || sum.chars > stepChars)) break
    taken.push(minute)
  }
  return taken
}

/** Number of rows deleted in one step; a search row is a minute of text. */
const stepRows = 200
const stepMinutes = 20

/** Tables with rows of a meeting; owners last, because they would cascade to all of their rows at once. */
const tables = Object.keys(audio.tables)
  .filter((name) => name.startsWith('meeting_'))
  .toReversed()

/** Deletes some of the rows of a meeting, in the caller's transaction; returns true when none is left. */
function clearRows(connection: Connection, seq: number): boolean {
  for (const table of tables) {
    const { changes } = connection.run(
      `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE item_seq = ? LIMIT ${stepRows})`,
      seq,
    )
    if (changes > 0) return false
  }
  // Integers: the index accepts no floating-point row number.
  const first = BigInt(seq * rowsPerItem)
  const minutes = connection.all<{ rowid: number }>(
    `SELECT rowid FROM search_text WHERE rowid > ? AND rowid < ? LIMIT ${stepMinutes}`,
    first,
    first + BigInt(rowsPerItem),
  )
  for (const { rowid } of minutes)
    connection.run('DELETE FROM search_text WHERE rowid = ?', BigInt(rowid))
  if (minutes.length > 0) return false
  // These counts increase with new rows, but deletions do not decrease them.
  connection.run(
    `UPDATE meetings SET gaps_ms = 0, segments = 0, segments_ms = 0, transcribed_ms = 0, waiting = 0, failed = 0, flagged = 0
     WHERE item_seq = ?`,
    seq,
  )
  return true
}

/** Writes the rows of a page, in the caller's transaction; `at` is the time of edits. */
function putPage(connection: Connection, seq: number, page: MeetingJsonPage, at: number): void {
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

/** Inserts segments; what failed before is no news here. */
function putSegments(connection: Connection, seq: number, rows: MeetingJson['segments']): void {
  for (const one of rows) {
    const open = one.state === 'pending' || one.state === 'inflight'
    connection.run(
      `INSERT INTO meeting_segments(id, item_seq, channel, start_ms, end_ms, state, forced_start, forced_end, voiced, flags,
         reading_id, dismissed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
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
