import type { MeetingEdit } from '../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../shared/text/join.ts'
import { literalMatches, replaceRanges } from '../../../../shared/text/literal.ts'
import type { Clock, Ids } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import type { Tracker } from './meetings-images.ts'
import { speakerResolver, speakerRows, type LineRow, type SpeakerRow } from './meetings-rows.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/**
 * Maximum number of characters of a line and speakers of a meeting: those of the JSON format, so that every meeting can be
 * imported again.
 */
const bounds = { chars: 100_000, speakers: 10_000 } as const

/** Context of an edit in addition to the rows. */
interface EditContext {
  readonly connection: Connection
  readonly clock: Clock
  readonly ids: Ids
  readonly seq: number
}

/** Applies one edit through a tracker. Throws NOT_FOUND for unknown IDs and REFUSED for invalid edits. */
export function applyEdit(context: EditContext, tracker: Tracker, edit: MeetingEdit): void {
  switch (edit.type) {
    case 'text':
      return editText(context, tracker, edit.lineId, edit.text)
    case 'split':
      return splitLine(context, tracker, edit)
    case 'merge':
      return mergeLines(context, tracker, edit.lineIds)
    case 'remove':
      for (const id of new Set(edit.lineIds))
        removeLine(context, tracker, id, tracker.line(id).segment_id)
      return
    case 'assign':
      return assign(tracker, edit.lineIds, livingSpeaker(context, edit.speakerId).id)
    case 'renameSpeaker':
      return tracker.putSpeaker({ ...livingSpeaker(context, edit.speakerId), name: edit.name })
    case 'addSpeaker':
      return assign(tracker, edit.lineIds, addSpeaker(context, tracker, edit.name))
    case 'mergeSpeakers':
      return mergeSpeakers(context, tracker, edit.speakerId, edit.intoId)
    case 'replace':
      return replaceText(context, tracker, edit)
  }
}

function editText(context: EditContext, tracker: Tracker, id: string, given: string): void {
  const line = tracker.line(id)
  const text = given.trim()
  if (text === '') throw new AppError('REFUSED', 'A line cannot be empty; remove it instead')
  tracker.hold(line.segment_id)
  // Text written by the user no longer has the flags of the engine's text.
  tracker.putLine({ ...line, text, edited_at: context.clock(), flags: '[]' })
  settle(context, tracker, line.segment_id)
}

/** Replaces every match in the transcript; a line without any text left is removed. */
function replaceText(
  context: EditContext,
  tracker: Tracker,
  edit: Extract<MeetingEdit, { type: 'replace' }>,
): void {
  const lines = context.connection.all<LineRow>(
    'SELECT * FROM meeting_lines WHERE item_seq = ?',
    context.seq,
  )
  for (const { id, text: before, segment_id } of lines) {
    const ranges = literalMatches(before, edit.query, edit)
    if (ranges.length === 0) continue
    const text = replaceRanges(before, ranges, edit.replacement).trim()
    if (text.length > bounds.chars) throw new AppError('REFUSED', 'The line would be too long')
    if (text === before) continue
    if (text !== '') editText(context, tracker, id, text)
    else removeLine(context, tracker, id, segment_id)
  }
}

function removeLine(
  context: EditContext,
  tracker: Tracker,
  id: string,
  segmentId: string | null,
): void {
  tracker.hold(segmentId)
  tracker.dropLine(id)
  settle(context, tracker, segmentId)
}

/** Marks a segment as reviewed once the user changed or removed its last flagged line. */
function settle({ connection }: EditContext, tracker: Tracker, segmentId: string | null): void {
  if (segmentId === null) return
  const left = connection.all<LineRow>(
    'SELECT * FROM meeting_lines WHERE segment_id = ?',
    segmentId,
  )
  if (!left.some((line) => flagsOf(line).some((flag) => flag !== 'seam')))
    tracker.clearFlags(segmentId)
}

function splitLine(
  { ids }: EditContext,
  tracker: Tracker,
  edit: Extract<MeetingEdit, { type: 'split' }>,
): void {
  const line = tracker.line(edit.lineId)
  const head = line.text.slice(0, edit.offset).trimEnd()
  const tail = line.text.slice(edit.offset).trimStart()
  if (head === '' || tail === '' || partsCharacter(line.text, edit.offset))
    throw new AppError('REFUSED', 'A line can only be split between two of its words')
  // Each half lasts at least a millisecond if the line is long enough.
  const maxAt = Math.max(line.start_ms, line.end_ms - 1)
  const at = Math.min(maxAt, Math.max(Math.min(line.start_ms + 1, maxAt), edit.atMs))
  tracker.hold(line.segment_id)
  tracker.putLine({ ...line, text: head, end_ms: at })
  tracker.putLine({ ...line, seq: null, id: ids(), text: tail, start_ms: at })
}

const partsCharacter = (text: string, offset: number): boolean =>
  /[\udc00-\udfff]/.test(text.charAt(offset)) && /[\ud800-\udbff]/.test(text.charAt(offset - 1))

function mergeLines(context: EditContext, tracker: Tracker, given: readonly string[]): void {
  const lines = Array.from(new Set(given), (id) => tracker.line(id)).toSorted(inOrder)
  const [first, ...rest] = lines
  const last = lines.at(-1)
  if (!first || !last || rest.length === 0)
    throw new AppError('REFUSED', 'Select at least two lines to join')
  const sameChannel = lines.every((line) => line.channel === first.channel)
  const speaker = speakerResolver(speakerRows(context.connection, context.seq))
  const sameSpeaker = lines.every((line) => speaker(line.speaker_id) === speaker(first.speaker_id))
  if (!sameChannel && !sameSpeaker)
    throw new AppError('REFUSED', 'Only lines of the same channel or speaker can be joined')
  const between = linesBetween(context.connection, first, last).filter(
    (line) => !lines.some((each) => each.id === line.id),
  )
  const parts = (line: LineRow): boolean =>
    sameChannel
      ? line.channel === first.channel
      : speaker(line.speaker_id) === speaker(first.speaker_id)
  if (between.some(parts)) throw new AppError('REFUSED', 'There is another line between these')
  const text = joinTexts(lines.map((line) => line.text))
  if (text.length > bounds.chars) throw new AppError('REFUSED', 'The line would be too long')
  for (const line of lines) tracker.hold(line.segment_id)
  for (const line of rest) tracker.dropLine(line.id)
  const edited = lines.map((line) => line.edited_at ?? -1).reduce((a, b) => Math.max(a, b))
  tracker.putLine({
    ...first,
    end_ms: lines.map((line) => line.end_ms).reduce((a, b) => Math.max(a, b)),
    text,
    edited_at: edited < 0 ? null : edited,
    flags: JSON.stringify(Array.from(new Set(lines.flatMap((line) => flagsOf(line))))),
  })
}

const flagsOf = (line: LineRow): readonly string[] => parsed<readonly string[]>(line.flags) ?? []

const linesBetween = (connection: Connection, first: LineRow, last: LineRow): readonly LineRow[] =>
  connection
    .all<LineRow>(
      'SELECT * FROM meeting_lines WHERE item_seq = ? AND start_ms BETWEEN ? AND ?',
      first.item_seq,
      first.start_ms,
      last.start_ms,
    )
    .filter((line) => inOrder(first, line) < 0 && inOrder(line, last) < 0)

const inOrder = (a: LineRow, b: LineRow): number =>
  a.start_ms - b.start_ms || a.channel - b.channel || a.seq - b.seq

function assign(tracker: Tracker, lineIds: readonly string[], speakerId: string): void {
  for (const id of new Set(lineIds)) {
    const line = tracker.line(id)
    tracker.hold(line.segment_id)
    tracker.putLine({ ...line, speaker_id: speakerId })
  }
}

/** Returns a speaker of this meeting that was not merged into another. Throws NOT_FOUND. */
function livingSpeaker({ connection, seq }: EditContext, id: string): SpeakerRow {
  const row = speakerRows(connection, seq).find((each) => each.id === id && each.into_id === null)
  if (!row) throw new AppError('NOT_FOUND', 'Speaker not found')
  return row
}

function addSpeaker({ connection, ids, seq }: EditContext, tracker: Tracker, name: string): string {
  const rows = speakerRows(connection, seq)
  if (rows.length >= bounds.speakers) throw new AppError('REFUSED', 'There are too many speakers')
  const id = ids()
  tracker.putSpeaker({
    id,
    item_seq: seq,
    name,
    channel: null,
    mark: nextMark(rows),
    into_id: null,
  })
  return id
}

/** Returns the next free index in the list of colors and shapes. */
export const nextMark = (rows: readonly SpeakerRow[]): number =>
  rows.reduce((next, row) => Math.max(next, row.mark + 1), 0)

/**
 * Merges speakers. Lines keep their original speaker, and the speaker refers to its target, so that future lines are merged
 * too.
 */
function mergeSpeakers(
  context: EditContext,
  tracker: Tracker,
  speakerId: string,
  intoId: string,
): void {
  const speaker = livingSpeaker(context, speakerId)
  const into = livingSpeaker(context, intoId)
  if (speaker.id === into.id)
    throw new AppError('REFUSED', 'A speaker cannot be merged with itself')
  tracker.putSpeaker({ ...speaker, into_id: into.id })
}
