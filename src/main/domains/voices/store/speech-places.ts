import type { Connection } from '../../../platform/database/connection.ts'
import { markAllUnindexed } from './speech-index.ts'
import { speechSeq } from './speech-rows.ts'
import type { SpeechStore } from './speech-types.ts'

/** Number of segments whose beginning is shown in a list. */
const shownSegments = 3
const shownLength = 160

/** Saves the length of a text in UTF-16 units and the excerpt for lists. */
export function noteText(connection: Connection, seq: number, length: number): void {
  const first = connection.all<{ text: string }>(
    'SELECT text FROM speech_pieces WHERE item_seq = ? AND place >= 0 ORDER BY place LIMIT ?',
    seq,
    shownSegments,
  )
  const excerpt = first
    .map(({ text }) => text)
    .join('')
    .trim()
    .slice(0, shownLength)
  connection.run('UPDATE speeches SET length = ? WHERE item_seq = ?', length, seq)
  connection.run('UPDATE items SET excerpt = ? WHERE seq = ?', excerpt, seq)
}

/** Saves the segments of a text as rows, in batches; `settle` is called when search rows need updating. */
export function speechPlaces(
  connection: Connection,
  settle: () => void,
): Pick<
  SpeechStore,
  'rows' | 'placing' | 'unplaced' | 'leave' | 'put' | 'placed' | 'hasPlace' | 'text'
> {
  return {
    rows(id, after, limit) {
      const found = connection.all<{
        seq: number
        id: string
        place: number
        text: string
        paragraph: number
      }>(
        `SELECT seq, id, place, text, paragraph FROM speech_pieces WHERE item_seq = ? AND (place, seq) > (?, ?)
         ORDER BY place, seq LIMIT ?`,
        speechSeq(connection, id),
        after?.place ?? -2,
        after?.seq ?? 0,
        limit,
      )
      return found.map(({ paragraph, ...row }) => ({ ...row, paragraph: paragraph !== 0 }))
    },
    placing: (id, text) =>
      void connection.run(
        'UPDATE speeches SET placing = ? WHERE item_seq = ?',
        text,
        speechSeq(connection, id),
      ),
    unplaced: () =>
      connection.all<{ id: string; text: string }>(
        'SELECT i.id, s.placing AS text FROM speeches s JOIN items i ON i.seq = s.item_seq WHERE s.placing IS NOT NULL',
      ),
    leave(segmentIds) {
      const named = JSON.stringify(segmentIds)
      connection.run(
        `UPDATE speech_pieces SET place = -1, state = 'idle', next_try_at = NULL, error = NULL
         WHERE id IN (SELECT value FROM json_each(?))`,
        named,
      )
      // Takes are kept: the segment returns with them when the text contains it again.
      connection.run(
        `DELETE FROM speech_pieces WHERE id IN (SELECT value FROM json_each(?))
           AND NOT EXISTS (SELECT 1 FROM speech_takes t WHERE t.piece_seq = speech_pieces.seq)`,
        named,
      )
    },
    put: (id, segments) =>
      void connection.run(
        `INSERT INTO speech_pieces(id, item_seq, place, text, paragraph, state)
         SELECT j.value ->> 'id', ?, j.value ->> 'place', j.value ->> 'text', j.value ->> 'paragraph', j.value ->> 'state'
         FROM json_each(?) j WHERE true
         ON CONFLICT(id) DO UPDATE SET place = excluded.place, text = excluded.text, paragraph = excluded.paragraph`,
        speechSeq(connection, id),
        JSON.stringify(segments),
      ),
    placed(id, text, rows, at) {
      const seq = speechSeq(connection, id)
      connection.transaction(() => {
        connection.run(
          'UPDATE speeches SET placing = NULL, revision = revision + 1 WHERE item_seq = ?',
          seq,
        )
        noteText(connection, seq, text.length)
        connection.run('UPDATE items SET updated_at = ? WHERE seq = ?', at, seq)
        markAllUnindexed(connection, seq, rows)
      })
      settle()
    },
    hasPlace: (id, place) =>
      connection.get(
        'SELECT 1 FROM speech_pieces WHERE item_seq = (SELECT seq FROM items WHERE id = ?) AND place >= ? LIMIT 1',
        id,
        place,
      ) !== undefined,
    text: (id, { from, upTo }) =>
      connection
        .all<{ text: string }>(
          'SELECT text FROM speech_pieces WHERE item_seq = ? AND place >= ? AND place < ? ORDER BY place',
          speechSeq(connection, id),
          from,
          upTo,
        )
        .map(({ text }) => text)
        .join(''),
  }
}
