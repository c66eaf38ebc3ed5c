import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { dropLine, lineRow, putLine } from './meetings-lines.ts'
import type { LineRow, VersionRow, SegmentRow, SpeakerRow } from './meetings-rows.ts'

/** Columns of a segment that user decisions change. */
type SegmentImage = Pick<SegmentRow, 'id' | 'held' | 'state' | 'flags' | 'reading_id'>

/** Columns of a reading that they change. */
type VersionImage = Pick<VersionRow, 'id' | 'state'>

/** The rows affected by a change, before or after it; a row that did not exist is absent. */
export interface Images {
  readonly lines: readonly LineRow[]
  readonly speakers: readonly SpeakerRow[]
  readonly segments: readonly SegmentImage[]
  readonly readings: readonly VersionImage[]
}

/** Changes rows and records their previous state. */
export interface Tracker {
  /** Returns the current line. Throws NOT_FOUND. */
  line(id: string): LineRow
  putLine(line: Omit<LineRow, 'seq'> & { readonly seq: number | null }): void
  dropLine(id: string): void
  putSpeaker(speaker: Omit<SpeakerRow, 'seq'>): void
  /** Marks a segment whose lines the user decided on: later responses leave them unchanged. */
  hold(segmentId: string | null): void
  /** Removes the flags of a segment with nothing left to review. */
  clearFlags(segmentId: string): void
  setSegment(image: SegmentImage): void
  setVersion(image: VersionImage): void
  /** Returns the rows before the change and as they are now. */
  images(): { readonly before: Images; readonly after: Images }
}

/** Creates a tracker for one change. */
export function createTracker(connection: Connection, seq: number): Tracker {
  const first = {
    lines: new Map<string, LineRow | undefined>(),
    speakers: new Map<string, SpeakerRow | undefined>(),
    segments: new Map<string, SegmentImage | undefined>(),
    readings: new Map<string, VersionImage | undefined>(),
  }
  const keep = <T>(known: Map<string, T | undefined>, id: string, row: T | undefined): void => {
    if (!known.has(id)) known.set(id, row)
  }
  const segment = (id: string): SegmentImage | undefined => segmentImage(connection, id)

  const tracker: Tracker = {
    line(id) {
      const row = lineRow(connection, id)
      if (!row || row.item_seq !== seq) throw new AppError('NOT_FOUND', 'Line not found')
      return row
    },
    putLine(line) {
      keep(first.lines, line.id, lineRow(connection, line.id))
      putLine(connection, line)
    },
    dropLine(id) {
      keep(first.lines, id, lineRow(connection, id))
      dropLine(connection, id)
    },
    putSpeaker(speaker) {
      keep(first.speakers, speaker.id, speakerRow(connection, speaker.id))
      putSpeaker(connection, { ...speaker, seq: null })
    },
    hold(segmentId) {
      const image = segmentId === null ? undefined : segment(segmentId)
      if (image && image.held === 0) tracker.setSegment({ ...image, held: 1 })
    },
    clearFlags(segmentId) {
      const image = segment(segmentId)
      if (image?.state === 'flagged') tracker.setSegment({ ...image, state: 'done', flags: '[]' })
    },
    setSegment(image) {
      keep(first.segments, image.id, segment(image.id))
      setSegment(connection, image)
    },
    setVersion(image) {
      keep(first.readings, image.id, versionImage(connection, image.id))
      setVersion(connection, image)
    },
    images: () => ({
      before: {
        lines: present(first.lines.values()),
        speakers: present(first.speakers.values()),
        segments: present(first.segments.values()),
        readings: present(first.readings.values()),
      },
      after: {
        lines: present(Array.from(first.lines.keys(), (id) => lineRow(connection, id))),
        speakers: present(Array.from(first.speakers.keys(), (id) => speakerRow(connection, id))),
        segments: present(Array.from(first.segments.keys(), segment)),
        readings: present(Array.from(first.readings.keys(), (id) => versionImage(connection, id))),
      },
    }),
  }
  return tracker
}

/**
 * Restores rows from the state `from` to `to`; rows that `to` does not contain are deleted. A segment's state or reading that
 * changed automatically since (a response arrived) is newer than both and stays.
 */
export function applyImages(connection: Connection, from: Images, to: Images): void {
  const currentIds = new Set(to.lines.map((line) => line.id))
  for (const line of from.lines) if (!currentIds.has(line.id)) dropLine(connection, line.id)
  for (const line of to.lines) putLine(connection, line)
  const speakers = new Set(to.speakers.map((speaker) => speaker.id))
  for (const speaker of from.speakers) {
    if (!speakers.has(speaker.id))
      connection.run('DELETE FROM meeting_speakers WHERE id = ?', speaker.id)
  }
  for (const speaker of to.speakers) putSpeaker(connection, speaker)
  for (const image of to.readings) setVersion(connection, image)
  for (const image of to.segments) {
    const now = segmentImage(connection, image.id)
    const was = from.segments.find((each) => each.id === image.id)
    if (!now || !was) continue
    const answered = now.state !== was.state
    setSegment(connection, {
      ...image,
      state: answered ? now.state : image.state,
      flags: answered || now.flags !== was.flags ? now.flags : image.flags,
    })
  }
}

const present = <T>(rows: Iterable<T | undefined>): T[] =>
  Array.from(rows).filter((row) => row !== undefined)

const segmentImage = (connection: Connection, id: string): SegmentImage | undefined =>
  connection.get<SegmentImage>(
    'SELECT id, held, state, flags, reading_id FROM meeting_segments WHERE id = ?',
    id,
  )

const versionImage = (connection: Connection, id: string): VersionImage | undefined =>
  connection.get<VersionImage>('SELECT id, state FROM meeting_readings WHERE id = ?', id)

const speakerRow = (connection: Connection, id: string): SpeakerRow | undefined =>
  connection.get<SpeakerRow>('SELECT * FROM meeting_speakers WHERE id = ?', id)

const setSegment = (connection: Connection, image: SegmentImage): void =>
  void connection.run(
    'UPDATE meeting_segments SET held = ?, state = ?, flags = ?, reading_id = ? WHERE id = ?',
    image.held,
    image.state,
    image.flags,
    image.reading_id,
    image.id,
  )

const setVersion = (connection: Connection, image: VersionImage): void =>
  void connection.run('UPDATE meeting_readings SET state = ? WHERE id = ?', image.state, image.id)

/** Writes a speaker over the one with its ID; `seq` null assigns the next number. */
export const putSpeaker = (
  connection: Connection,
  speaker: Omit<SpeakerRow, 'seq'> & { readonly seq: number | null },
): void =>
  void connection.run(
    `INSERT INTO meeting_speakers(seq, id, item_seq, name, channel, mark, into_id) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET name = excluded.name, channel = excluded.channel, mark = excluded.mark,
       into_id = excluded.into_id`,
    speaker.seq,
    speaker.id,
    speaker.item_seq,
    speaker.name,
    speaker.channel,
    speaker.mark,
    speaker.into_id,
  )
