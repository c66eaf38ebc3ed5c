import type { Line, SegmentVersion } from '../../../../shared/model/meeting.ts'
import { textUnits } from '../../../../shared/text/cut.ts'
import { fold } from '../../../../shared/text/fold.ts'
import type { Clock, Ids } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { bucketOf } from '../../../platform/database/search-rows.ts'
import type { EditLog } from './meetings-edits.ts'
import {
  afterLines,
  dropLine,
  indexBuckets,
  linesById,
  putLine,
  segmentLines,
} from './meetings-lines.ts'
import {
  meetingSeq,
  speakerRows,
  toVersion,
  type LineRow,
  type VersionRow,
  type SegmentRow,
} from './meetings-rows.ts'
import { isTranscribed, requireSegment } from './meetings-segments.ts'
import type { Changed, MeetingStore, NewLine } from './meetings-types.ts'

const listed = '(SELECT value FROM json_each(?))'

/** Store methods for transcriptions: current, suggested and accepted ones. */
export function versionStore(
  connection: Connection,
  log: EditLog,
  clock: Clock,
  ids: Ids,
): Pick<
  MeetingStore,
  'saveTranscription' | 'propose' | 'versions' | 'version' | 'accept' | 'decline'
> {
  const versionRow = (id: string): VersionRow | undefined =>
    connection.get<VersionRow>('SELECT * FROM meeting_readings WHERE id = ?', id)

  function add(
    version: Omit<SegmentVersion, 'state'>,
    seq: number,
    state: SegmentVersion['state'],
  ): void {
    connection.run(
      `INSERT INTO meeting_readings(id, item_seq, segment_id, text, state, flags, model, account_id, account_name, request_id,
         notice, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      version.id,
      seq,
      version.segmentId,
      version.text,
      state,
      JSON.stringify(version.flags),
      version.model,
      version.accountId,
      version.accountName,
      version.requestId,
      version.notice,
      version.at,
    )
  }

  /** Saves a transcription that is not current; a segment has only one suggestion, the newest. */
  function addProposal(
    version: Omit<SegmentVersion, 'state'>,
    segment: SegmentRow,
  ): SegmentVersion {
    const current = segment.reading_id === null ? undefined : versionRow(segment.reading_id)
    const state = sameWords(current?.text ?? '', version.text) ? 'older' : 'proposed'
    if (state === 'proposed')
      connection.run(
        `UPDATE meeting_readings SET state = 'declined' WHERE segment_id = ? AND state = 'proposed'`,
        segment.id,
      )
    add(version, segment.item_seq, state)
    if (state === 'older') indexBuckets(connection, segment.item_seq, [bucketOf(segment.start_ms)])
    return { ...version, state }
  }

  function saveTranscription(
    ...[version, end, lines]: Parameters<MeetingStore['saveTranscription']>
  ): Changed {
    const segment = requireSegment(connection, version.segmentId)
    const seq = segment.item_seq
    const settled = segment.held !== 0 && isTranscribed(segment.state)
    connection.run(
      `UPDATE meeting_segments SET state = ?, flags = ?, error = NULL, next_try_at = NULL, again = NULL, partial = NULL
       WHERE id = ?`,
      settled ? segment.state : end.state,
      settled ? segment.flags : JSON.stringify(end.flags),
      segment.id,
    )
    if (segment.held !== 0) {
      addProposal(version, segment)
      return { lines: [], removed: [] }
    }
    const { changes } = connection.run(
      `UPDATE meeting_readings SET state = 'older' WHERE segment_id = ? AND state = 'current'`,
      segment.id,
    )
    add(version, seq, 'current')
    connection.run(
      'UPDATE meeting_segments SET reading_id = ? WHERE id = ?',
      version.id,
      segment.id,
    )
    log.discardUndone(seq, segment.id)
    const old = segmentLines(connection, segment.id)
    for (const line of old) dropLine(connection, line.id)
    const rows = rowsOf(connection, seq, lines, ids)
    for (const row of rows) putLine(connection, row)
    afterLines(
      connection,
      seq,
      // Earlier texts are searched in the minute of their segment.
      [...old, ...rows, ...(changes > 0 ? [segment] : [])].map((one) => one.start_ms),
      clock(),
    )
    return {
      lines: linesById(
        connection,
        seq,
        rows.map((row) => row.id),
      ),
      removed: old.map((line) => line.id),
    }
  }

  function accept(versionId: string, lines: readonly NewLine[]): Changed {
    const version = versionRow(versionId)
    if (!version) throw new AppError('NOT_FOUND', 'Version not found')
    if (version.state === 'current')
      throw new AppError('REFUSED', 'This version is already in the transcript')
    const segment = requireSegment(connection, version.segment_id)
    const seq = version.item_seq
    return log.change(seq, (tracker) => {
      const current = connection.all<VersionRow>(
        `SELECT * FROM meeting_readings WHERE segment_id = ? AND state = 'current'`,
        segment.id,
      )
      for (const each of current) tracker.setVersion({ id: each.id, state: 'older' })
      tracker.setVersion({ id: version.id, state: 'current' })
      tracker.setSegment({
        id: segment.id,
        held: 1,
        state: lines.length === 0 ? 'silent' : 'done',
        flags: version.flags,
        reading_id: version.id,
      })
      for (const line of segmentLines(connection, segment.id)) tracker.dropLine(line.id)
      for (const row of rowsOf(connection, seq, lines, ids)) tracker.putLine(row)
    })
  }

  return {
    saveTranscription: (...args) => connection.transaction(() => saveTranscription(...args)),
    propose: (version) =>
      connection.transaction(() => {
        const segment = requireSegment(connection, version.segmentId)
        connection.run('UPDATE meeting_segments SET again = NULL WHERE id = ?', segment.id)
        return addProposal(version, segment)
      }),
    versions: (id, segmentIds) =>
      (segmentIds
        ? connection.all<VersionRow>(
            `SELECT * FROM meeting_readings WHERE item_seq = ? AND segment_id IN ${listed} ORDER BY seq DESC`,
            meetingSeq(connection, id),
            JSON.stringify(segmentIds),
          )
        : connection.all<VersionRow>(
            `SELECT * FROM meeting_readings WHERE item_seq = ? AND state = 'proposed' ORDER BY seq DESC`,
            meetingSeq(connection, id),
          )
      ).map(toVersion),
    version(versionId) {
      const row = versionRow(versionId)
      return row && toVersion(row)
    },
    accept: (versionId, lines) => connection.transaction(() => accept(versionId, lines)),
    decline: (versionIds) =>
      void connection.run(
        `UPDATE meeting_readings SET state = 'declined' WHERE state = 'proposed' AND id IN ${listed}`,
        JSON.stringify(versionIds),
      ),
  }
}

/**
 * Creates rows for new lines. An unknown speaker becomes the channel's default; a merged one stays and is resolved when read.
 */
function rowsOf(
  connection: Connection,
  seq: number,
  lines: readonly NewLine[],
  ids: Ids,
): readonly (Omit<LineRow, 'seq'> & { readonly seq: null })[] {
  const speakers = speakerRows(connection, seq)
  const known = new Set(speakers.map((speaker) => speaker.id))
  const own = (line: Pick<Line, 'channel' | 'speakerId'>): string =>
    known.has(line.speakerId)
      ? line.speakerId
      : ((speakers.find((speaker) => speaker.channel === line.channel) ?? speakers[0])?.id ??
        line.speakerId)
  return lines.map((line) => ({
    seq: null,
    id: ids(),
    item_seq: seq,
    segment_id: line.segmentId,
    channel: line.channel,
    start_ms: line.startMs,
    end_ms: line.endMs,
    speaker_id: own(line),
    text: line.text,
    edited_at: null,
    flags: JSON.stringify(line.flags),
    model: line.model,
    account_name: line.accountName,
  }))
}

/** Returns whether two texts have the same words, ignoring case and punctuation. */
const sameWords = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other)

const wordsOf = (text: string): string =>
  Array.from(textUnits(fold(text)), (token) => token.text).join(' ')
