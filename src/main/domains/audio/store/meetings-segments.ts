import type { Failure } from '../../../../shared/contract/reply.ts'
import type { Segment, SegmentState } from '../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../shared/text/join.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import type { MeetingRow } from './meetings-brief.ts'
import { slowest } from './meetings-brief.ts'
import {
  meetingSeq,
  toSegment,
  toSegmentRecord,
  type LineRow,
  type SegmentRow,
} from './meetings-rows.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { segmentLines } from './meetings-lines.ts'
import type { MeetingStore } from './meetings-types.ts'

const listed = '(SELECT value FROM json_each(?))'

/** Whether work waits for the user’s request, and needs no attention: it was stopped, or belongs to another library. */
export const isHeld = (error: Failure | null): boolean =>
  error?.code === 'CANCELLED' || error?.code === 'LEFT_UNFINISHED'

/** Condition for segments with work left, as in the partial index; `of` names their table. */
export const untranscribed = (of = ''): string =>
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
          `SELECT id FROM items WHERE seq IN (SELECT item_seq FROM meeting_segments WHERE ${untranscribed()})
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
           ${states.every(isOpen) ? `AND ${untranscribed()}` : ''} ORDER BY start_ms, channel`,
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
