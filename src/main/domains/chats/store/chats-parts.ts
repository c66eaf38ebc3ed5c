import {
  beginningOf,
  partUnits,
  type AnswerPart,
  type Shortened,
} from '../../../../shared/chats/shown-answer.ts'
import { AppError } from '../../../errors.ts'
import { longText, textOf } from './chats-rows.ts'
import type { Connection } from '../../../platform/database/connection.ts'

interface PartRow {
  readonly kind: AnswerPart['kind']
  readonly start: number
  readonly text: Buffer
}

/** SQL expression for the whole text of a message `b` of `message_bodies`, for workers: up to 16 million characters. */
export const wholeText = `(b.text || coalesce((SELECT group_concat(p.text, '' ORDER BY p.start) FROM message_parts p
  WHERE p.message_seq = b.message_seq AND p.kind = 'text'), ''))`

/** Saves a part. Deletes parts from its position on: an unfinished attempt left them. */
export function insertPart(connection: Connection, seq: number, part: AnswerPart): void {
  const { kind, start, text } = part
  connection.run(
    'DELETE FROM message_parts WHERE message_seq = ? AND kind = ? AND start >= ?',
    seq,
    kind,
    start,
  )
  connection.run(
    'INSERT INTO message_parts(message_seq, kind, start, units, text) VALUES (?, ?, ?, ?, ?)',
    seq,
    kind,
    start,
    text.length,
    text,
  )
}

/** Deletes the parts that do not belong to a finished answer: earlier attempts may have left them. */
export function dropOtherParts(
  connection: Connection,
  seq: number,
  beginning: string,
  shortened: Shortened | undefined,
): void {
  connection.run(
    `DELETE FROM message_parts WHERE message_seq = ? AND iif(kind = 'text', start < ? OR start >= ?, ?)`,
    seq,
    beginning.length,
    shortened?.text ?? 0,
    shortened?.steps ? 0 : 1,
  )
}

/**
 * Throws INTERNAL if the parts of a finished answer have a gap or overlap: its events, which contain everything, then stay.
 */
export function requireParts(
  connection: Connection,
  seq: number,
  beginning: string,
  shortened: Shortened | undefined,
): void {
  const endOf = (kind: AnswerPart['kind'], from: number): number =>
    connection
      .all<Pick<PartRow, 'start'> & { readonly units: number }>(
        'SELECT start, units FROM message_parts WHERE message_seq = ? AND kind = ? ORDER BY start',
        seq,
        kind,
      )
      .reduce((end, { start, units }) => (start === end ? end + units : NaN), from)
  const isComplete = endOf('text', beginning.length) === (shortened?.text ?? beginning.length)
  const stepsEnd = endOf('steps', 0)
  if (!isComplete || (shortened?.steps ? !(stepsEnd > 0) : stepsEnd !== 0))
    throw new AppError('INTERNAL', 'The parts of the answer are incomplete')
}

/** Splits a complete text into parts. */
export function* splitIntoParts(
  chunks: Iterable<string>,
  kind: AnswerPart['kind'],
  from: number,
): Generator<AnswerPart> {
  let start = from
  let text = ''
  for (const chunk of chunks) {
    text += chunk
    while (text.length >= 2 * partUnits) {
      const part = beginningOf(text, 2 * partUnits)
      yield { kind, start, text: part }
      start += part.length
      text = text.slice(part.length)
    }
  }
  if (text !== '') yield { kind, start, text }
}

/** Returns a range of a text, up to `units` UTF-16 units and the end of a part; '' after the end of the text. */
export function textAt(connection: Connection, seq: number, from: number, units: number): string {
  const beginning = textOf(
    connection.get<{ text: Buffer }>(
      `SELECT ${longText('text', 'text')} FROM message_bodies WHERE message_seq = ?`,
      seq,
    )?.text ?? null,
  )
  if (beginning !== null && from < beginning.length)
    return beginningOf(beginning.slice(from), units)
  const part = partAt(connection, seq, from)
  return part ? beginningOf(part.text.slice(from - part.start), units) : ''
}

function partAt(
  connection: Connection,
  seq: number,
  from: number,
): { readonly start: number; readonly text: string } | undefined {
  const row = connection.get<PartRow>(
    `SELECT start, ${longText('text', 'text')} FROM message_parts
     WHERE message_seq = ? AND kind = 'text' AND start <= ? ORDER BY start DESC LIMIT 1`,
    seq,
    from,
  )
  return row && { start: row.start, text: row.text.toString() }
}

/** Yields all parts of an answer, text first. */
export function* partsOf(connection: Connection, seq: number): Generator<AnswerPart> {
  for (const kind of ['text', 'steps'] as const) {
    let after = -1
    for (;;) {
      const row = connection.get<PartRow>(
        `SELECT start, ${longText('text', 'text')} FROM message_parts
         WHERE message_seq = ? AND kind = ? AND start > ? ORDER BY start LIMIT 1`,
        seq,
        kind,
        after,
      )
      if (!row) break
      yield { kind, start: row.start, text: row.text.toString() }
      after = row.start
    }
  }
}

/** Returns the last units of the parts of a long text; null for a text without parts. */
export function endOfText(connection: Connection, seq: number, units: number): string | null {
  let text = ''
  let before = Number.MAX_SAFE_INTEGER
  while (text.length < units) {
    const row = connection.get<PartRow>(
      `SELECT start, ${longText('text', 'text')} FROM message_parts
       WHERE message_seq = ? AND kind = 'text' AND start < ? ORDER BY start DESC LIMIT 1`,
      seq,
      before,
    )
    if (!row) break
    text = row.text.toString() + text
    before = row.start
  }
  if (before === Number.MAX_SAFE_INTEGER) return null
  return text.slice(-units)
}

/** Stored text of any length, read in ranges. */
export interface StoredText {
  readonly length: number
  slice(from: number, to: number): string
}

/** Creates a reader for the text of a message; its beginning or the part read last stays in memory. */
export function storedText(
  connection: Connection,
  seq: number,
  beginning: string,
  length: number,
): StoredText {
  let part = { start: 0, text: beginning }
  return {
    length,
    slice(from, to) {
      let found = ''
      for (let at = from; at < Math.min(to, length);) {
        const isHere = part.start <= at && at < part.start + part.text.length
        const next = isHere ? part : at < beginning.length ? null : partAt(connection, seq, at)
        if (next) part = next
        else if (at < beginning.length) part = { start: 0, text: beginning }
        else break
        const range = part.text.slice(at - part.start, to - part.start)
        if (range === '') break
        found += range
        at += range.length
      }
      return found
    },
  }
}
