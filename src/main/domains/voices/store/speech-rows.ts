import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  SegmentCounts,
  SegmentState,
  SpeechBrief,
  SpeechSettings,
  SpeechTake,
  TakeCheck,
} from '../../../../shared/model/speech.ts'
import { defaultSpeech } from '../../../../shared/model/speech.ts'
import type { TakeAudio } from '../worker/speech-output/inspect-audio.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import type { SegmentRecord, SpeechRecord, TakeRecord } from './speech-types.ts'

/** Row of `speech_pieces` with its narration's ID, the selected take, and the number of takes. */
export interface SegmentRow {
  readonly seq: number
  readonly id: string
  readonly speech_id: string
  readonly text: string
  readonly paragraph: number
  readonly state: SegmentState
  readonly take_seq: number | null
  readonly takes: number
  readonly pinned: number
  readonly account_id: string | null
  readonly fresh: number
  readonly round_seq: number
  readonly again: number
  readonly attempts: number
  readonly next_try_at: number | null
  readonly error: string | null
}

/** Row of `speech_takes` with the IDs of its segment and narration. */
export interface TakeRow {
  readonly seq: number
  readonly id: string
  readonly speech_id: string
  readonly piece_id: string
  readonly media_id: string
  readonly text: string
  readonly voice: string
  readonly voice_name: string
  readonly speed: number
  readonly volume: number
  readonly watermark: number
  readonly fingerprint: string
  readonly account_id: string
  readonly account_name: string
  readonly engine: string | null
  readonly notice: string | null
  readonly sound: string
  readonly favourite: number
  readonly reused: number
  readonly heard: string | null
  readonly created_at: number
}

/** Selects {@link SegmentRow}. */
export const selectSegments = `
  SELECT p.*, i.id AS speech_id, (SELECT count(*) FROM speech_takes t WHERE t.piece_seq = p.seq) AS takes
  FROM speech_pieces p JOIN items i ON i.seq = p.item_seq`

/** Selects {@link TakeRow}. */
export const selectTakes = `
  SELECT t.*, i.id AS speech_id, p.id AS piece_id
  FROM speech_takes t JOIN items i ON i.seq = t.item_seq JOIN speech_pieces p ON p.seq = t.piece_seq`

const noAudio: TakeAudio = { rate: 1, samples: 0, from: 0, to: 0, peak: 0, loudness: null }

/** Returns the measures of a take; empty ones if they are unreadable. */
export const audioOf = (json: string | null): TakeAudio => parsed<TakeAudio>(json) ?? noAudio

/** Converts a row to a take. */
export function toTake(row: TakeRow): TakeRecord {
  const audio = audioOf(row.sound)
  return {
    seq: row.seq,
    id: row.id,
    speechId: row.speech_id,
    segmentId: row.piece_id,
    mediaId: row.media_id,
    text: row.text,
    voice: { id: row.voice, name: row.voice_name },
    speed: row.speed,
    volume: row.volume,
    watermark: row.watermark !== 0,
    fingerprint: row.fingerprint,
    accountId: row.account_id,
    accountName: row.account_name,
    engine: row.engine,
    notice: row.notice,
    sound: audio,
    durationMs: Math.round((audio.samples / Math.max(1, audio.rate)) * 1000),
    favourite: row.favourite !== 0,
    reused: row.reused !== 0,
    check: parsed<TakeCheck>(row.heard),
    createdAt: row.created_at,
  }
}

/** Returns a take as the page receives it. */
export function takeView(take: TakeRecord): SpeechTake {
  const { seq: _, speechId: __, fingerprint: ___, sound: ____, ...view } = take
  return view
}

/** Converts a row to a segment; `take` is the selected one. */
export const toSegment = (row: SegmentRow, take: TakeRecord | null): SegmentRecord => ({
  seq: row.seq,
  id: row.id,
  speechId: row.speech_id,
  text: row.text,
  paragraph: row.paragraph !== 0,
  state: row.state,
  take: take && takeView(take),
  takes: row.takes,
  pinned: row.pinned !== 0,
  accountId: row.account_id,
  fresh: row.fresh !== 0,
  round: row.round_seq,
  again: row.again,
  attempts: row.attempts,
  nextTryAt: row.next_try_at,
  error: parsed<Failure>(row.error),
})

/** Returns saved settings, with defaults for newer ones and without unknown ones. */
export const toSettings = (json: string): SpeechSettings => {
  const saved = Object.entries(parsed<Partial<SpeechSettings>>(json) ?? {})
  return {
    ...defaultSpeech,
    ...Object.fromEntries(saved.filter(([name]) => name in defaultSpeech)),
  }
}

/** Counts the segments of a narration by state, and whether one waits for a retry. */
export function segmentCounts(
  connection: Connection,
  seq: number,
): { readonly counts: SegmentCounts; readonly waiting: boolean } {
  const rows = connection.all<{ state: SegmentState; n: number; later: number }>(
    // `likely`: otherwise all rows are read by place, where an index on states is sufficient.
    `SELECT state, count(*) AS n, count(next_try_at) AS later FROM speech_pieces
     WHERE item_seq = ? AND likely(place >= 0) GROUP BY state`,
    seq,
  )
  const of = (...states: readonly SegmentState[]): number =>
    rows.reduce((sum, { state, n }) => sum + (states.includes(state) ? n : 0), 0)
  return {
    counts: {
      pieces: rows.reduce((sum, { n }) => sum + n, 0) - of('silent'),
      done: of('done'),
      open: of('queued', 'speaking', 'checking'),
      failed: of('failed'),
      stale: of('stale'),
    },
    waiting: rows.some(({ state, later }) => state === 'queued' && later > 0),
  }
}

interface BriefRow {
  readonly settings: string
  readonly joined: string | null
}

/** Returns the summary of a narration for lists; null if it is gone. */
export function speechBriefOf(connection: Connection, seq: number): SpeechBrief | null {
  const row = connection.get<BriefRow>(
    'SELECT settings, joined FROM speeches WHERE item_seq = ?',
    seq,
  )
  if (!row) return null
  return {
    voice: toSettings(row.settings).voice?.name ?? null,
    counts: segmentCounts(connection, seq).counts,
    durationMs: parsed<SpeechRecord['joined']>(row.joined)?.durationMs ?? null,
  }
}

/** Returns the item number of a narration's ID. Throws NOT_FOUND. */
export function speechSeq(connection: Connection, id: string): number {
  const row = connection.get<{ seq: number }>(
    'SELECT i.seq FROM items i JOIN speeches s ON s.item_seq = i.seq WHERE i.id = ?',
    id,
  )
  if (!row) throw new AppError('NOT_FOUND', 'Narration not found')
  return row.seq
}
