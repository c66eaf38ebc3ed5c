import type { Failure } from '../../../../shared/contract/reply.ts'
import type { Segment, SegmentState } from '../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../shared/text/join.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { type MeetingRow, slowest } from './meetings-brief.ts'
import {
  meetingSeq,
  toSegment,
  toSegmentRecord,
  type LineRow,
  type SegmentRow,
} from './meetings-rows.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { segmentLines } from './meetings-lines.ts'
import type { MeetingStore, SegmentQueueRows } from './meetings-types.ts'
import { hasComeSql, isDueSql } from '../../../platform/database/due.ts'
import { maxAttempts } from '../../../work-queue/retry-policy.ts'

const listed = '(SELECT value FROM json_each(?))'

/** Whether work waits for the user’s request, and needs no attention: it was stopped, or belongs to another library. */
export const isHeld = (error: Failure | null): boolean =>
  error?.code === 'CANCELLED' || error?.code === 'LEFT_UNFINISHED'

/** Condition for segments with work left, as in the partial index; `of` names their table. */
const hasWork = (of = ''): string =>
  `(${of}state IN ('pending', 'inflight') OR ${of}again IS NOT NULL)`

/** Tolerance in milliseconds for what is simultaneous, because times are estimated. */
const acrossMs = 4_000

/** Store methods for segments: progress and results of voice activity detection, and transcriptions. */
export function segmentStore(
  connection: Connection,
): Pick<
  MeetingStore,
  | 'analysed'
  | 'addSegments'
  | 'segment'
  | 'segments'
  | 'updateSegment'
  | 'withWork'
  | 'failures'
  | 'dismissFailures'
  | 'work'
  | 'before'
  | 'around'
  | 'wantAgain'
  | 'savePartial'
> {
  const meetingRow = (seq: number): Pick<MeetingRow, 'analysed' | 'channels'> =>
    connection.get<MeetingRow>(
      'SELECT analysed, channels FROM meetings WHERE item_seq = ?',
      seq,
    ) ?? {
      analysed: '[]',
      channels: '[]',
    }

  return {
    analysed: (id) => {
      const row = meetingRow(meetingSeq(connection, id))
      return parsed<readonly number[]>(row.analysed) ?? []
    },
    addSegments(id, channel, segments, analysedMs) {
      return connection.transaction(() => {
        const seq = meetingSeq(connection, id)
        const row = meetingRow(seq)
        const channels = parsed<readonly []>(row.channels) ?? []
        if (channel >= channels.length)
          throw new AppError('REFUSED', 'The meeting does not have this channel')
        const added: Segment[] = []
        for (const segment of segments) {
          const { changes } = connection.run(
            `INSERT INTO meeting_segments(id, item_seq, channel, start_ms, end_ms, state, forced_start, forced_end, voiced)
             VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?) ON CONFLICT DO NOTHING`,
            segment.id,
            seq,
            channel,
            segment.startMs,
            segment.endMs,
            segment.forcedStart ? 1 : 0,
            segment.forcedEnd ? 1 : 0,
            JSON.stringify(segment.voiced.map((span) => [span.startMs, span.endMs])),
          )
          if (changes > 0) added.push(toSegment(requireSegment(connection, segment.id)))
        }
        const analysed = Array.from(channels, (_, at) =>
          Math.max(
            parsed<readonly number[]>(row.analysed)?.[at] ?? 0,
            at === channel ? analysedMs : 0,
          ),
        )
        connection.run(
          'UPDATE meetings SET analysed = ?, analysed_ms = ? WHERE item_seq = ?',
          JSON.stringify(analysed),
          slowest(analysed, channels),
          seq,
        )
        return added
      })
    },
    segment(segmentId) {
      const row = connection.get<SegmentRow & { meeting_id: string }>(
        'SELECT s.*, i.id AS meeting_id FROM meeting_segments s JOIN items i ON i.seq = s.item_seq WHERE s.id = ?',
        segmentId,
      )
      return row && toSegmentRecord(row, row.meeting_id)
    },
    segments: (id, from = 0, limit = -1) =>
      connection
        .all<SegmentRow>(
          'SELECT * FROM meeting_segments WHERE item_seq = ? ORDER BY start_ms, channel LIMIT ? OFFSET ?',
          meetingSeq(connection, id),
          limit,
          from,
        )
        .map(toSegment),
    updateSegment(segmentId, patch) {
      return connection.transaction(() => {
        const row = requireSegment(connection, segmentId)
        const error = patch.error === undefined ? row.error : jsonOrNull(patch.error)
        connection.run(
          `UPDATE meeting_segments SET state = ?, attempts = ?, error = ?, next_try_at = ?, flags = ?, dismissed = ?
           WHERE id = ?`,
          patch.state ?? row.state,
          patch.attempts ?? row.attempts,
          error,
          patch.nextTryAt === undefined ? row.next_try_at : patch.nextTryAt,
          patch.flags ? JSON.stringify(patch.flags) : row.flags,
          patch.state === undefined || patch.state === row.state ? row.dismissed : 0,
          segmentId,
        )
        return toSegment(requireSegment(connection, segmentId))
      })
    },
    withWork: () =>
      connection
        .all<{ id: string }>(
          `SELECT id FROM items WHERE seq IN (SELECT item_seq FROM meeting_segments WHERE ${hasWork()})
             AND deleted_at IS NULL ORDER BY seq`,
        )
        .map((row) => row.id),
    failures: () => {
      // Nothing can be retried or dismissed, and the library may be older than the column.
      if (!connection.writable) return []
      const found = connection.all<{ id: string; error: string | null }>(
        `SELECT i.id, s.error FROM meeting_segments s JOIN items i ON i.seq = s.item_seq
         WHERE s.state = 'failed' AND s.dismissed = 0 AND i.deleted_at IS NULL
         ORDER BY s.item_seq DESC, s.start_ms, s.channel`,
      )
      const failures = new Map<string, Failure | null>()
      for (const { id, error: json } of found) {
        const error = parsed<Failure>(json)
        if (!failures.has(id) && !isHeld(error)) failures.set(id, error)
      }
      return Array.from(failures, ([id, error]) => ({ id, error }))
    },
    dismissFailures: (id) =>
      void connection.run(
        `UPDATE meeting_segments SET dismissed = 1 WHERE item_seq = ? AND state = 'failed'`,
        meetingSeq(connection, id),
      ),
    work: (id, states) =>
      connection
        .all<SegmentRow>(
          `SELECT * FROM meeting_segments WHERE item_seq = ? AND (state IN ${listed} OR again IS NOT NULL)
           ${states.every(isOpen) ? `AND ${hasWork()}` : ''} ORDER BY start_ms, channel`,
          meetingSeq(connection, id),
          JSON.stringify(states),
        )
        .map((row) => toSegmentRecord(row, id)),
    before(segmentId, limit) {
      const row = requireSegment(connection, segmentId)
      const transcribed = connection.all<SegmentRow>(
        `SELECT s.* FROM meeting_segments s WHERE item_seq = ? AND channel = ? AND start_ms < ?
           AND EXISTS (SELECT 1 FROM meeting_lines l WHERE l.segment_id = s.id)
         ORDER BY start_ms DESC LIMIT ?`,
        row.item_seq,
        row.channel,
        row.start_ms,
        limit,
      )
      return transcribed.map((segment) => ({
        segment: toSegment(segment),
        text: textOf(segmentLines(connection, segment.id)),
      }))
    },
    around({ id, channel, startMs, endMs }) {
      const row = requireSegment(connection, id)
      const neighbor = (comparison: '<' | '>', order: 'DESC' | 'ASC'): Segment | null => {
        const found = connection.get<SegmentRow>(
          `SELECT * FROM meeting_segments WHERE item_seq = ? AND channel = ? AND start_ms ${comparison} ?
           ORDER BY start_ms ${order} LIMIT 1`,
          row.item_seq,
          channel,
          startMs,
        )
        return found ? toSegment(found) : null
      }
      const across = connection.all<SegmentRow>(
        `SELECT * FROM meeting_segments WHERE item_seq = ? AND start_ms < ? AND channel <> ? AND end_ms > ?
         ORDER BY start_ms, channel`,
        row.item_seq,
        endMs + acrossMs,
        channel,
        startMs - acrossMs,
      )
      return {
        before: neighbor('<', 'DESC'),
        after: neighbor('>', 'ASC'),
        across: across.map(toSegment),
      }
    },
    savePartial: (segmentId, text) =>
      void connection.run('UPDATE meeting_segments SET partial = ? WHERE id = ?', text, segmentId),
    wantAgain(segmentIds, want) {
      connection.run(
        `UPDATE meeting_segments SET again = ? WHERE id IN ${listed}`,
        want &&
          JSON.stringify({
            accountId: want.accountId,
            prompt: want.prompt,
            hotwords: want.hotwords,
          }),
        JSON.stringify(segmentIds),
      )
    },
  }
}

/** Returns a segment's row. Throws NOT_FOUND. */
export function requireSegment(connection: Connection, id: string): SegmentRow {
  const row = connection.get<SegmentRow>('SELECT * FROM meeting_segments WHERE id = ?', id)
  if (!row) throw new AppError('NOT_FOUND', 'Segment not found')
  return row
}

/** Returns a value as JSON, or NULL for no value. */
export const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/** States in the partial index: with only these, the rest of a long meeting is not read. */
const isOpen = (state: SegmentState): boolean => state === 'pending' || state === 'inflight'

/** Returns whether segments in this state count as transcribed. */
export const isTranscribed = (state: SegmentState): boolean =>
  state === 'done' || state === 'silent' || state === 'flagged'

/** Joins the text of lines. */
export const textOf = (lines: readonly Pick<LineRow, 'text'>[]): string =>
  joinTexts(lines.map((line) => line.text))

/** Finds the meetings with work left by the partial index, one step for each: none of their segments is read. */
const minWorked = (more = ''): string =>
  `SELECT min(item_seq) FROM meeting_segments WHERE ${hasWork()}${more}`
const worked = `WITH RECURSIVE worked(seq) AS (
  ${minWorked()} UNION ALL SELECT (${minWorked(' AND item_seq > worked.seq')}) FROM worked WHERE worked.seq IS NOT NULL)`

const ofMeetings = `worked CROSS JOIN meetings m ON m.item_seq = worked.seq CROSS JOIN items i ON i.seq = worked.seq`
/** Stopped meetings and those of another library wait for the user, see `isHeld`. */
const isActive = `i.deleted_at IS NULL AND coalesce(m.error ->> 'code', '') NOT IN ('CANCELLED', 'LEFT_UNFINISHED')`
const isLive = `m.state IN ('recording', 'paused')`

const ofSegments = `${ofMeetings} CROSS JOIN meeting_segments s ON s.item_seq = worked.seq`
/** Segments can be older than the audio of an import. */
const isWritten = `(m.state <> 'importing' OR (m.import_progress IS NOT NULL AND s.end_ms <= m.duration_ms))`
/** Another pass that failed permanently is still wanted, and continues on request. */
const isToRetranscribe = `s.again IS NOT NULL AND s.state IN ('done', 'silent', 'flagged')
  AND NOT (s.attempts >= ${maxAttempts} AND s.error IS NOT NULL AND s.next_try_at IS NULL)`
const isWanted = `${hasWork('s.')} AND ${isWritten} AND (s.state IN ('pending', 'inflight') OR (${isToRetranscribe}))`
/**
 * Whether a meeting may have segments to transcribe again: more than wait for their first transcription. Counting them by
 * the partial index reads none of them.
 */
const mayRetranscribe = `(SELECT count(*) FROM meeting_segments c WHERE c.item_seq = worked.seq AND ${hasWork('c.')}) > m.waiting`
/** Whether segments of a meeting wait for their first transcription: ends at the first one. */
const isWaiting = `m.waiting > 0 AND EXISTS (SELECT 1 FROM meeting_segments s
  WHERE s.item_seq = worked.seq AND ${hasWork('s.')} AND s.state IN ('pending', 'inflight') AND ${isWritten})`
const isWrittenToRetranscribe = `${hasWork('s.')} AND ${isWritten} AND ${isToRetranscribe}`
const accountOf = `iif(s.state IN ('pending', 'inflight'), m.account_id, s.again ->> 'accountId')`

export function segmentQueue(connection: Connection): SegmentQueueRows {
  return {
    workAccounts() {
      const rows = connection.all<{ id: string }>(
        `${worked} SELECT DISTINCT m.account_id AS id FROM ${ofMeetings} WHERE ${isActive} AND ${isWaiting}
         UNION ALL
         SELECT DISTINCT s.again ->> 'accountId' FROM ${ofSegments} WHERE ${isActive} AND ${mayRetranscribe} AND ${isWrittenToRetranscribe}`,
      )
      return [...new Set(rows.map(({ id }) => id))]
    },
    workOf: (accountId) =>
      connection
        .all<{ id: string }>(
          `${worked} SELECT i.id FROM ${ofMeetings} WHERE ${isActive} AND (
             (m.account_id = ? AND ${isWaiting}) OR (${mayRetranscribe} AND EXISTS (
               SELECT 1 FROM meeting_segments s
               WHERE s.item_seq = worked.seq AND ${isWrittenToRetranscribe} AND s.again ->> 'accountId' = ?)))`,
          accountId,
          accountId,
        )
        .map(({ id }) => id),
    dueMeetings: ({ accountId, at, except, exceptGroups, isLive: live, limit }) =>
      connection
        .all<{ id: string }>(
          `${worked} SELECT i.id FROM ${ofMeetings}
           WHERE ${isActive} AND m.account_id = ? AND ${isLive} = ? AND i.id NOT IN ${listed} AND EXISTS (
             SELECT 1 FROM meeting_segments s WHERE s.item_seq = worked.seq AND ${hasWork('s.')}
               AND s.state = 'pending' AND ${isWritten} AND ${isDueSql('s.next_try_at')} AND s.id NOT IN ${listed})
           LIMIT ?`,
          accountId,
          live ? 1 : 0,
          JSON.stringify(exceptGroups),
          at,
          at,
          JSON.stringify(except),
          limit,
        )
        .map(({ id }) => id),
    openSegments: (id, at) =>
      connection
        .all<OpenRow>(
          `SELECT s.id, s.channel, s.start_ms, s.end_ms, s.forced_start, s.state, ${isDueSql('s.next_try_at')} AS is_due, (
             SELECT p.state IN ('pending', 'inflight') FROM meeting_segments p WHERE p.item_seq = s.item_seq
               AND p.channel = s.channel AND p.start_ms < s.start_ms ORDER BY p.start_ms DESC LIMIT 1) AS is_after_open
           FROM meetings m CROSS JOIN meeting_segments s ON s.item_seq = m.item_seq
           WHERE m.item_seq = ? AND ${hasWork('s.')} AND s.state IN ('pending', 'inflight') AND ${isWritten}
           ORDER BY s.start_ms, s.channel`,
          at,
          at,
          meetingSeq(connection, id),
        )
        .map((row) => ({
          id: row.id,
          channel: row.channel,
          startMs: row.start_ms,
          endMs: row.end_ms,
          forcedStart: row.forced_start !== 0,
          state: row.state,
          isDue: row.is_due !== 0,
          isAfterOpen: row.is_after_open === 1,
        })),
    nextToRetranscribe({ accountId, at, except, exceptGroups }) {
      const row = connection.get<{ id: string; meetingId: string }>(
        `${worked} SELECT s.id, i.id AS meetingId FROM ${ofSegments}
         WHERE ${isActive} AND ${mayRetranscribe} AND ${isWrittenToRetranscribe} AND s.again ->> 'accountId' = ?
           AND ${isDueSql('s.next_try_at')}
           AND s.id NOT IN ${listed} AND i.id NOT IN ${listed} LIMIT 1`,
        accountId,
        at,
        at,
        JSON.stringify(except),
        JSON.stringify(exceptGroups),
      )
      return row && { ...row, accountId, priority: 2 }
    },
    nextTime: (after) =>
      connection.get<{ at: number | null }>(
        `${worked} SELECT min(s.next_try_at) AS at FROM ${ofSegments}
         WHERE ${isActive} AND ${isWanted} AND NOT ${hasComeSql('s.next_try_at')}`,
        after,
        after,
      )?.at ?? null,
    countOf(accountIds) {
      const ids = JSON.stringify(accountIds)
      const row = connection.get<{ n: number }>(
        `${worked} SELECT total(iif(
           m.state <> 'importing' AND NOT ${mayRetranscribe},
           iif(m.account_id IN ${listed}, m.waiting, 0),
           (SELECT count(*) FROM meeting_segments s WHERE s.item_seq = worked.seq AND ${isWanted} AND ${accountOf} IN ${listed})
         )) AS n FROM ${ofMeetings} WHERE ${isActive}`,
        ids,
        ids,
      )
      return row?.n ?? 0
    },
  }
}

interface OpenRow {
  readonly id: string
  readonly channel: number
  readonly start_ms: number
  readonly end_ms: number
  readonly forced_start: number
  readonly state: SegmentState
  readonly is_due: number
  readonly is_after_open: number | null
}
