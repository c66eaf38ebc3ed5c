import type { Failure } from '../../../../shared/contract/reply.ts'
import type { ChannelRole, Meeting, TitleSuggestion } from '../../../../shared/model/meeting.ts'
import type { Clock, Ids } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { slowest, toBrief, type MeetingRow } from './meetings-brief.ts'
import { correctionsOf } from './meetings-corrections.ts'
import { applyEdit, nextMark } from './meetings-edit.ts'
import { editLog } from './meetings-edits.ts'
import { bookmarksOf, extraStore, gapsOf, summariesOf } from './meetings-extras.ts'
import { putSpeaker } from './meetings-images.ts'
import { linesOf } from './meetings-lines.ts'
import { versionStore } from './meetings-versions.ts'
import { meetingSeq, speakerRows, toSpeaker } from './meetings-rows.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { restoreStore } from './meetings-restore.ts'
import { jsonOrNull, segmentQueue, segmentStore } from './meetings-segments.ts'
import type { MeetingPatch, MeetingStore } from './meetings-types.ts'
import { bucketSpan, putSearchRow, rowsPerItem } from '../../../platform/database/search-rows.ts'
import type { LineHit } from '../../../../shared/contract/meetings.ts'
import { matchExpression, parseQuery } from '../../../../shared/text/query.ts'
import {
  literalMatches,
  matchesAcross,
  type LiteralOptions,
} from '../../../../shared/text/literal.ts'
import { locate } from '../../../../shared/text/locate.ts'

interface FoundRow extends MeetingRow {
  readonly id: string
  readonly title: string
  readonly created_at: number
  readonly media_id: string | null
  readonly media_name: string | null
  readonly media_bytes: number | null
  readonly media_mime: string | null
}

/** Store of meetings (architecture: model/meeting). Every method is one transaction; see {@link MeetingStore}. */
export function meetingStore(connection: Connection, clock: Clock, ids: Ids): MeetingStore {
  const log = editLog(connection, clock)

  function setChannels(seq: number, channels: readonly ChannelRole[]): void {
    const rows = speakerRows(connection, seq)
    connection.run(
      `DELETE FROM meeting_speakers WHERE item_seq = ? AND channel >= ?
         AND id NOT IN (SELECT speaker_id FROM meeting_lines WHERE item_seq = ?)`,
      seq,
      channels.length,
      seq,
    )
    let mark = nextMark(rows)
    for (const channel of channels.keys()) {
      if (rows.some((row) => row.channel === channel)) continue
      putSpeaker(connection, {
        seq: null,
        id: ids(),
        item_seq: seq,
        name: '',
        channel,
        mark: mark++,
        into_id: null,
      })
    }
    const row = connection.get<{ analysed: string }>(
      'SELECT analysed FROM meetings WHERE item_seq = ?',
      seq,
    )
    const known = parsed<readonly number[]>(row?.analysed ?? null) ?? []
    const analysed = channels.map((_, channel) => known[channel] ?? 0)
    connection.run(
      'UPDATE meetings SET channels = ?, analysed = ?, analysed_ms = ? WHERE item_seq = ?',
      JSON.stringify(channels),
      JSON.stringify(analysed),
      slowest(analysed, channels),
      seq,
    )
  }

  const store: MeetingStore = {
    ...segmentStore(connection),
    ...segmentQueue(connection),
    ...versionStore(connection, log, clock, ids),
    ...extraStore(connection),
    restoring: (id, head, from) => restore.restoring(id, head, from),
    create(meeting) {
      if (meeting.channels.length === 0)
        throw new AppError('REFUSED', 'A meeting must have at least one channel')
      connection.transaction(() => {
        const { lastId: seq } = connection.run(
          `INSERT INTO items(id, kind, title, media_id, created_at, updated_at) VALUES (?, 'meeting', ?, ?, ?, ?)`,
          meeting.id,
          meeting.title,
          meeting.mediaId,
          meeting.at,
          meeting.at,
        )
        connection.run(
          `INSERT INTO meetings(item_seq, source, state, channels, sample_rate, has_sound, analysed, account_id, prompt, hotwords,
             automatic_title, title_state) VALUES (?, ?, ?, '[]', ?, ?, '[]', ?, ?, ?, ?, ?)`,
          seq,
          meeting.source,
          meeting.state,
          meeting.sampleRate,
          meeting.hasAudio ? 1 : 0,
          meeting.accountId,
          meeting.prompt,
          JSON.stringify(meeting.hotwords),
          meeting.titleIsAutomatic ? meeting.title : null,
          meeting.titleIsAutomatic ? 'wanted' : 'none',
        )
        setChannels(seq, meeting.channels)
        putSearchRow(connection, { seq, number: 0, title: meeting.title, text: '' })
      })
    },
    get(id) {
      const row = connection.get<FoundRow>(
        `SELECT m.*, i.id, i.title, i.created_at, i.media_id, f.name AS media_name,
           f.bytes AS media_bytes, f.mime AS media_mime
         FROM items i JOIN meetings m ON m.item_seq = i.seq LEFT JOIN media f ON f.id = i.media_id WHERE i.id = ?`,
        id,
      )
      return row && toMeeting(row)
    },
    update(id, patch) {
      connection.transaction(() => {
        const seq = meetingSeq(connection, id)
        const columns = columnsOf(patch)
        if (columns.length > 0)
          connection.run(
            `UPDATE meetings SET ${columns.map(([name]) => `${name} = ?`).join(', ')} WHERE item_seq = ?`,
            ...columns.map(([, value]) => value),
            seq,
          )
        if (patch.channels) setChannels(seq, patch.channels)
        const isStep = Object.keys(patch).every((name) => importFields.has(name))
        connection.run(
          `UPDATE items SET updated_at = ? WHERE seq = ?
             ${isStep ? `AND (SELECT source FROM meetings WHERE item_seq = items.seq) <> 'import'` : ''}`,
          clock(),
          seq,
        )
      })
    },
    inState: (states) =>
      connection
        .all<{ id: string }>(
          `SELECT i.id FROM meetings m JOIN items i ON i.seq = m.item_seq
           WHERE m.state IN (SELECT value FROM json_each(?)) ORDER BY m.item_seq`,
          JSON.stringify(states),
        )
        .map((row) => row.id),
    importing: () =>
      connection
        .all<FoundRow>(
          `SELECT m.*, i.id, i.title, f.bytes AS media_bytes, f.mime AS media_mime
           FROM meetings m JOIN items i ON i.seq = m.item_seq
             LEFT JOIN media f ON f.id = i.media_id AND m.has_sound = 1
           WHERE m.state = 'importing' AND i.deleted_at IS NULL ORDER BY m.item_seq`,
        )
        .map((row) => ({
          id: row.id,
          title: row.title,
          accountId: row.account_id,
          channels: parsed<Meeting['channels']>(row.channels) ?? [],
          durationMs: row.duration_ms,
          importProgress: row.import_progress,
          error: parsed<Failure>(row.error),
          mime: row.media_mime,
          bytes: row.media_bytes ?? 0,
        })),
    byMedia: (mediaId) =>
      connection.get<{ id: string }>(
        `SELECT id FROM items WHERE media_id = ? AND kind = 'meeting' AND deleted_at IS NULL ORDER BY seq DESC LIMIT 1`,
        mediaId,
      )?.id,
    unlooked: () =>
      connection
        .all<{ id: string }>(
          `SELECT i.id FROM meetings m INDEXED BY meetings_unlooked CROSS JOIN items i ON i.seq = m.item_seq
           WHERE m.has_sound = 1 AND m.analysed_ms < m.duration_ms AND m.state IN ('stopped', 'interrupted')
             AND i.deleted_at IS NULL ORDER BY m.item_seq`,
        )
        .map((row) => row.id),
    lines: (id, from = 0, limit = -1) =>
      linesOf(connection, meetingSeq(connection, id), from, limit),
    edit(id, edit) {
      return connection.transaction(() => {
        const seq = meetingSeq(connection, id)
        const context = { connection, clock, ids, seq }
        return log.change(seq, (tracker) => applyEdit(context, tracker, edit))
      })
    },
    undo: (id) => log.undo(meetingSeq(connection, id)),
    redo: (id) => log.redo(meetingSeq(connection, id)),
    find(id, query, literal) {
      const seq = meetingSeq(connection, id)
      return literal
        ? findLiteral(connection, seq, query, literal)
        : findLines(connection, seq, query)
    },
    matchesAcross(id, query, literal) {
      const lines = linesOf(connection, meetingSeq(connection, id), 0, -1)
      return matchesAcross(
        lines.map(({ text }) => text),
        query,
        literal,
      )
    },
    corrections: (id, limit) => correctionsOf(connection, meetingSeq(connection, id), limit),
  }

  function toMeeting(row: FoundRow): Meeting {
    const seq = row.item_seq
    return {
      ...toBrief(row),
      id: row.id,
      title: row.title,
      startedAt: row.created_at,
      channels: parsed<Meeting['channels']>(row.channels) ?? [],
      sampleRate: row.sample_rate,
      speakers: speakerRows(connection, seq)
        .filter((speaker) => speaker.into_id === null)
        .map(toSpeaker),
      bookmarks: bookmarksOf(connection, seq),
      gaps: gapsOf(connection, seq),
      notes: row.notes,
      accountId: row.account_id,
      prompt: row.prompt,
      hotwords: parsed<readonly string[]>(row.hotwords) ?? [],
      summaries: summariesOf(connection, seq),
      originalMediaId: row.has_sound ? row.media_id : null,
      originalName: row.has_sound ? row.media_name : null,
      originalBytes: row.has_sound ? row.media_bytes : null,
      originalMime: row.has_sound ? row.media_mime : null,
      hasAudio: row.has_sound !== 0,
      titleSuggestion:
        row.title_state === 'offered' && row.title === row.automatic_title
          ? parsed<TitleSuggestion>(row.suggested_titles)
          : null,
      error: parsed<Failure>(row.error),
      ...log.depth(seq),
    }
  }

  const restore = restoreStore(connection, store, clock)
  return store
}

/**
 * Fields that change while a file is imported: what the user has stays the same, so that a merge of two libraries must not
 * take this one for the newer.
 */
const importFields: ReadonlySet<string> = new Set<keyof MeetingPatch>([
  'state',
  'channels',
  'sampleRate',
  'durationMs',
  'importProgress',
])

/** Returns a patch as columns with values; channels are handled separately. */
function columnsOf(patch: MeetingPatch): [name: string, value: Value][] {
  const columns: [string, Value | undefined][] = [
    ['state', patch.state],
    ['sample_rate', patch.sampleRate],
    ['has_sound', patch.hasAudio === undefined ? undefined : Number(patch.hasAudio)],
    ['duration_ms', patch.durationMs],
    ['recorded_ms', patch.recordedMs],
    ['import_progress', patch.importProgress],
    ['notes', patch.notes],
    ['account_id', patch.accountId],
    ['prompt', patch.prompt],
    ['hotwords', patch.hotwords && JSON.stringify(patch.hotwords)],
    ['error', patch.error === undefined ? undefined : jsonOrNull(patch.error)],
  ]
  return columns.filter((column): column is [string, Value] => column[1] !== undefined)
}

/**
 * Returns every line of a meeting that contains all terms of a query, with the match positions; in a minute whose lines only
 * contain them together, every line with one of them, so that everything the Library search finds in lines is found here.
 * The index determines which minutes to read.
 */
function findLines(connection: Connection, seq: number, query: string): readonly LineHit[] {
  const terms = parseQuery(query)
  if (terms.length === 0) return []
  const buckets = connection.all<{ row: number }>(
    `SELECT rowid AS row FROM search_text WHERE search_text MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid`,
    `body : (${matchExpression(terms)})`,
    // The index accepts only integers, and ignores limits passed as floating point.
    BigInt(seq * rowsPerItem),
    BigInt((seq + 1) * rowsPerItem),
  )
  return buckets.flatMap(({ row }) => {
    const lines = connection.all<{ id: string; start_ms: number; text: string }>(
      `SELECT id, start_ms, text FROM meeting_lines WHERE item_seq = ? AND start_ms >= ? AND start_ms < ?
       ORDER BY start_ms, channel, seq`,
      seq,
      ...bucketSpan(row - seq * rowsPerItem),
    )
    const found = lines.map((line) => ({ line, held: locate(line.text, terms) }))
    const whole = found.filter(({ held }) => held.every((ranges) => ranges.length > 0))
    const shown = whole.length > 0 ? whole : found.filter(({ held }) => held.flat().length > 0)
    return shown.map(({ line, held }) => ({
      lineId: line.id,
      startMs: line.start_ms,
      ranges: inOrder(held.flat()),
    }))
  })
}

/** Returns every line that contains a literal text. */
function findLiteral(
  connection: Connection,
  seq: number,
  query: string,
  options: LiteralOptions,
): readonly LineHit[] {
  return linesOf(connection, seq, 0, -1).flatMap(({ id, startMs, text }) => {
    const ranges = literalMatches(text, query, options)
    return ranges.length > 0 ? [{ lineId: id, startMs, ranges }] : []
  })
}

/** Returns ranges in reading order with overlapping ones merged. */
function inOrder(ranges: readonly (readonly [number, number])[]): LineHit['ranges'] {
  const merged: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
