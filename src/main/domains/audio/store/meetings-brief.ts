import type {
  ChannelRole,
  MeetingBrief,
  MeetingState,
  TitleState,
} from '../../../../shared/model/meeting.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/** A row of `meetings`. */
export interface MeetingRow {
  readonly item_seq: number
  readonly source: MeetingBrief['source']
  readonly state: MeetingState
  readonly channels: string
  readonly sample_rate: number
  readonly has_sound: number
  readonly duration_ms: number
  readonly recorded_ms: number | null
  readonly analysed: string
  readonly analysed_ms: number
  readonly import_progress: number | null
  readonly notes: string
  readonly account_id: string
  readonly prompt: string
  readonly hotwords: string
  readonly automatic_title: string | null
  readonly title_state: TitleState
  readonly suggested_titles: string | null
  readonly error: string | null
  readonly gaps_ms: number
  readonly segments: number
  readonly segments_ms: number
  readonly transcribed_ms: number
  readonly waiting: number
  readonly failed: number
  readonly flagged: number
}

/** Returns the list entry of a meeting by reading one row by number. Null when it no longer exists. */
export function briefOf(connection: Connection, seq: number): MeetingBrief | null {
  const row = connection.get<MeetingRow>('SELECT * FROM meetings WHERE item_seq = ?', seq)
  return row ? toBrief(row) : null
}

/** Converts a row to a list entry. Audio missing from an imported transcript was never written. */
export const toBrief = (row: MeetingRow): MeetingBrief => ({
  state: row.state,
  source: row.source,
  durationMs: row.duration_ms,
  importProgress: row.import_progress,
  completeness: {
    recordedMs: row.recorded_ms,
    writtenMs: row.has_sound ? row.duration_ms : 0,
    analysedMs: row.analysed_ms,
    segmentsMs: row.segments_ms,
    transcribedMs: row.transcribed_ms,
    segments: row.segments,
    waiting: row.waiting,
    failed: row.failed,
    flagged: row.flagged,
    gapsMs: row.gaps_ms,
  },
})

/** Returns the progress of the slowest channel. */
export const slowest = (analysed: readonly number[], channels: readonly ChannelRole[]): number =>
  channels.reduce((min, _, channel) => Math.min(min, analysed[channel] ?? 0), Infinity)
