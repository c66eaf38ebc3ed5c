import type { SegmentState } from '../../../../shared/model/meeting.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { hasComeSql, isDueSql } from '../../../platform/database/due.ts'
import { maxAttempts } from '../../../work-queue/retry-policy.ts'
import { meetingSeq } from './meetings-rows.ts'
import { untranscribed } from './meetings-segments.ts'
import type { SegmentQueueRows } from './meetings-types.ts'

const listed = '(SELECT value FROM json_each(?))'

/** Finds the meetings with work left by the partial index, one step for each: none of their segments is read. */
const minWorked = (more = ''): string =>
  `SELECT min(item_seq) FROM meeting_segments WHERE ${untranscribed()}${more}`
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
const isAgain = `s.again IS NOT NULL AND s.state IN ('done', 'silent', 'flagged')
  AND NOT (s.attempts >= ${maxAttempts} AND s.error IS NOT NULL AND s.next_try_at IS NULL)`
const isWanted = `${untranscribed('s.')} AND ${isWritten} AND (s.state IN ('pending', 'inflight') OR (${isAgain}))`
const accountOf = `iif(s.state IN ('pending', 'inflight'), m.account_id, s.again ->> 'accountId')`

export function segmentQueue(connection: Connection): SegmentQueueRows {
  return {
    workAccounts: () =>
      connection
        .all<{ id: string }>(
          `${worked} SELECT DISTINCT ${accountOf} AS id FROM ${ofSegments} WHERE ${isActive} AND ${isWanted}`,
        )
        .map(({ id }) => id),
    workOf: (accountId) =>
      connection
        .all<{ id: string }>(
          `${worked} SELECT i.id FROM ${ofMeetings} WHERE ${isActive} AND EXISTS (
             SELECT 1 FROM meeting_segments s WHERE s.item_seq = worked.seq AND ${isWanted} AND ${accountOf} = ?)`,
          accountId,
        )
        .map(({ id }) => id),
    dueMeetings: ({ accountId, at, except, exceptGroups, isLive: live, limit }) =>
      connection
        .all<{ id: string }>(
          `${worked} SELECT i.id FROM ${ofMeetings}
           WHERE ${isActive} AND m.account_id = ? AND ${isLive} = ? AND i.id NOT IN ${listed} AND EXISTS (
             SELECT 1 FROM meeting_segments s WHERE s.item_seq = worked.seq AND ${untranscribed('s.')}
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
           WHERE m.item_seq = ? AND ${untranscribed('s.')} AND s.state IN ('pending', 'inflight') AND ${isWritten}
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
    nextAgain({ accountId, at, except, exceptGroups }) {
      const row = connection.get<{ id: string; meetingId: string }>(
        `${worked} SELECT s.id, i.id AS meetingId FROM ${ofSegments}
         WHERE ${isActive} AND ${isWanted} AND ${isAgain} AND ${accountOf} = ? AND ${isDueSql('s.next_try_at')}
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
    countOf: (accountIds) =>
      connection.get<{ n: number }>(
        `${worked} SELECT count(*) AS n FROM ${ofSegments} WHERE ${isActive} AND ${isWanted} AND ${accountOf} IN ${listed}`,
        JSON.stringify(accountIds),
      )?.n ?? 0,
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
