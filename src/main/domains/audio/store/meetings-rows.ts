import type { Failure } from '../../../../shared/contract/reply.ts'
import type { Line, SegmentVersion, Segment, Speaker } from '../../../../shared/model/meeting.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import type { SegmentRecord } from './meetings-types.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** A row of `meeting_lines`; `speaker_id` is the original or assigned speaker, before speakers were merged. */
export interface LineRow {
  readonly seq: number
  readonly id: string
  readonly item_seq: number
  readonly segment_id: string | null
  readonly channel: number
  readonly start_ms: number
  readonly end_ms: number
  readonly speaker_id: string
  readonly text: string
  readonly edited_at: number | null
  readonly flags: string
  readonly model: string
  readonly account_name: string
}

/**
 * A row of `meeting_segments`; `held`: the user decided on its lines, so that no later response replaces them automatically.
 */
export interface SegmentRow {
  readonly id: string
  readonly item_seq: number
  readonly channel: number
  readonly start_ms: number
  readonly end_ms: number
  readonly state: Segment['state']
  readonly forced_start: number
  readonly forced_end: number
  readonly voiced: string
  readonly flags: string
  readonly attempts: number
  readonly error: string | null
  readonly next_try_at: number | null
  readonly reading_id: string | null
  readonly again: string | null
  readonly held: number
  readonly partial: string | null
  readonly dismissed: number
}

/** A row of `meeting_readings`. */
export interface VersionRow {
  readonly id: string
  readonly item_seq: number
  readonly segment_id: string
  readonly text: string
  readonly state: SegmentVersion['state']
  readonly flags: string
  readonly model: string
  readonly account_id: string
  readonly account_name: string
  readonly request_id: string | null
  readonly notice: string | null
  readonly at: number
}

/** A row of `meeting_speakers`; a merged one is kept and refers to its target. */
export interface SpeakerRow {
  readonly seq: number
  readonly id: string
  readonly item_seq: number
  readonly name: string
  readonly channel: number | null
  readonly mark: number
  readonly into_id: string | null
}

/** Reading order of lines. */
export const inReadingOrder = 'ORDER BY start_ms, channel, seq'

/** Returns the item number of a meeting ID. Throws NOT_FOUND. */
export function meetingSeq(connection: Connection, id: string): number {
  const row = connection.get<{ seq: number }>(
    'SELECT i.seq FROM items i JOIN meetings m ON m.item_seq = i.seq WHERE i.id = ?',
    id,
  )
  if (!row) throw new AppError('NOT_FOUND', 'Meeting not found')
  return row.seq
}

/** Returns a function that maps each speaker to itself or to the final target of its merges. */
export function speakerResolver(rows: readonly SpeakerRow[]): (id: string) => string {
  const into = new Map(rows.map((row) => [row.id, row.into_id]))
  return (id) => {
    let at = id
    // A chain is never longer than the list; a corrupt one must not loop forever.
    for (let steps = 0; steps < rows.length; steps++) {
      const next = into.get(at)
      if (next === undefined || next === null) break
      at = next
    }
    return at
  }
}

/** Returns all speakers of a meeting, including merged ones, in creation order. */
export function speakerRows(connection: Connection, seq: number): readonly SpeakerRow[] {
  return connection.all<SpeakerRow>(
    'SELECT * FROM meeting_speakers WHERE item_seq = ? ORDER BY seq',
    seq,
  )
}

/** Converts a row to a speaker. */
export const toSpeaker = (row: SpeakerRow): Speaker => ({
  id: row.id,
  name: row.name,
  channel: row.channel,
  mark: row.mark,
})

/** Converts a row to a line. */
export const toLine = (row: LineRow, speaker: (id: string) => string): Line => ({
  id: row.id,
  segmentId: row.segment_id,
  channel: row.channel,
  startMs: row.start_ms,
  endMs: row.end_ms,
  speakerId: speaker(row.speaker_id),
  text: row.text,
  edited: row.edited_at !== null,
  flags: parsed<Line['flags']>(row.flags) ?? [],
  model: row.model,
  accountName: row.account_name,
})

/** Converts a row to a segment. */
export const toSegment = (row: SegmentRow): Segment => ({
  id: row.id,
  channel: row.channel,
  startMs: row.start_ms,
  endMs: row.end_ms,
  state: row.state,
  forcedStart: row.forced_start !== 0,
  forcedEnd: row.forced_end !== 0,
  voiced: (parsed<readonly (readonly [number, number])[]>(row.voiced) ?? []).map(
    ([startMs, endMs]) => ({ startMs, endMs }),
  ),
  flags: parsed<Segment['flags']>(row.flags) ?? [],
  attempts: row.attempts,
  error: parsed<Failure>(row.error),
  nextTryAt: row.next_try_at,
  versionId: row.reading_id,
  ...(row.partial && { partial: row.partial }),
  ...(row.again !== null && { anotherPass: true }),
})

/** Converts a row to a segment with its meeting's ID. */
export const toSegmentRecord = (row: SegmentRow, meetingId: string): SegmentRecord => ({
  ...toSegment(row),
  meetingId,
  again: parsed<NonNullable<SegmentRecord['again']>>(row.again),
})

/** Converts a row to a reading. */
export const toVersion = (row: VersionRow): SegmentVersion => ({
  id: row.id,
  segmentId: row.segment_id,
  text: row.text,
  state: row.state,
  flags: parsed<SegmentVersion['flags']>(row.flags) ?? [],
  model: row.model,
  accountId: row.account_id,
  accountName: row.account_name,
  requestId: row.request_id,
  notice: row.notice,
  at: row.at,
})
