import { usualSpeech } from '../../shared/model/speech.ts'
import type { Connection, Value } from './connection.ts'
import { parsed } from './meetings-rows.ts'
import { markAllUnindexed, markUnindexed } from './speech-index.ts'
import {
  pieceCounts,
  selectPieces,
  selectTakes,
  speechSeq,
  toPiece,
  toSettings,
  toTake,
  type PieceRow,
  type TakeRow,
} from './speech-rows.ts'
import { speechQueue } from './speech-queue.ts'
import { speechTakes } from './speech-takes.ts'
import type {
  PiecePatch,
  PieceRecord,
  PieceStand,
  SpeechRecord,
  SpeechStore,
} from './speech-types.ts'

interface SpeechRow {
  readonly seq: number
  readonly id: string
  readonly title: string
  readonly settings: string
  readonly length: number
  readonly joined: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
}

/** Columns of {@link PiecePatch}. */
const columns: Readonly<Record<keyof PiecePatch, string>> = {
  state: 'state',
  accountId: 'account_id',
  pinned: 'pinned',
  fresh: 'fresh',
  round: 'round_seq',
  again: 'again',
  attempts: 'attempts',
  nextTryAt: 'next_try_at',
  error: 'error',
}

/** Speeches over the database; `settle` is called when a change left search rows to write. */
export function speechStore(connection: Connection, settle: () => void): SpeechStore {
  const read = (rows: readonly PieceRow[]): readonly PieceRecord[] => rows.map(withTake)
  const withTake = (row: PieceRow): PieceRecord => {
    const take =
      row.take_seq === null
        ? undefined
        : connection.get<TakeRow>(`${selectTakes} WHERE t.seq = ?`, row.take_seq)
    return toPiece(row, take ? toTake(take) : null)
  }
  /** A library of an older schema that may only be looked at holds no speeches. */
  const none = (): boolean =>
    !connection.writable &&
    connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'speeches'`) === undefined
  const touch = (seq: number, at: number): void =>
    void connection.run('UPDATE items SET updated_at = ? WHERE seq = ?', at, seq)
  const measure = (seq: number): void => {
    const texts = connection.all<{ text: string }>(
      'SELECT text FROM speech_pieces WHERE item_seq = ? AND place >= 0 ORDER BY place',
      seq,
    )
    connection.run(
      'UPDATE speeches SET length = ? WHERE item_seq = ?',
      texts.reduce((sum, { text }) => sum + text.length, 0),
      seq,
    )
    const excerpt = texts
      .slice(0, 3)
      .map(({ text }) => text)
      .join('')
      .trim()
      .slice(0, 160)
    connection.run('UPDATE items SET excerpt = ? WHERE seq = ?', excerpt, seq)
  }
  const piece = (pieceId: string): PieceRecord | undefined => {
    const row = connection.get<PieceRow>(`${selectPieces} WHERE p.id = ?`, pieceId)
    return row && withTake(row)
  }

  return {
    create({ id, title, settings, at }) {
      connection.transaction(() => {
        const { lastId } = connection.run(
          `INSERT INTO items(id, kind, title, created_at, updated_at) VALUES (?, 'speech', ?, ?, ?)`,
          id,
          title,
          at,
          at,
        )
        connection.run(
          'INSERT INTO speeches(item_seq, settings) VALUES (?, ?)',
          lastId,
          JSON.stringify(settings),
        )
        markUnindexed(connection, lastId, 0)
      })
      settle()
    },
    get(id) {
      if (none()) return undefined
      const row = connection.get<SpeechRow>(
        'SELECT i.*, s.settings, s.length, s.joined FROM items i JOIN speeches s ON s.item_seq = i.seq WHERE i.id = ?',
        id,
      )
      if (!row) return undefined
      return {
        id: row.id,
        title: row.title,
        settings: toSettings(row.settings),
        ...pieceCounts(connection, row.seq),
        length: row.length,
        joined: parsed<SpeechRecord['joined']>(row.joined),
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        deletedAt: row.deleted_at,
      }
    },
    configure(id, settings, at) {
      const seq = speechSeq(connection, id)
      connection.transaction(() => {
        connection.run(
          'UPDATE speeches SET settings = ? WHERE item_seq = ?',
          JSON.stringify({ ...usualSpeech, ...settings }),
          seq,
        )
        touch(seq, at)
      })
    },
    place(id, pieces, at) {
      const seq = speechSeq(connection, id)
      connection.transaction(() => {
        const before = connection.all<{
          id: string
          place: number
          text: string
          paragraph: number
        }>('SELECT id, place, text, paragraph FROM speech_pieces WHERE item_seq = ?', seq)
        const known = new Map(before.map((row) => [row.id, row]))
        const stay = new Set(pieces.map((one) => one.id))
        for (const row of before) {
          if (stay.has(row.id) || row.place < 0) continue
          // What was spoken is kept: the piece comes back with it when the text has it again.
          connection.run(
            `UPDATE speech_pieces SET place = -1, state = 'idle', next_try_at = NULL, error = NULL WHERE id = ?`,
            row.id,
          )
          connection.run(
            'DELETE FROM speech_pieces WHERE id = ? AND seq NOT IN (SELECT piece_seq FROM speech_takes)',
            row.id,
          )
        }
        for (const [place, one] of pieces.entries()) {
          const row = known.get(one.id)
          const same = row?.place === place && row.text === one.text
          if (row && same && (row.paragraph !== 0) === one.paragraph) continue
          if (row)
            connection.run(
              'UPDATE speech_pieces SET place = ?, text = ?, paragraph = ? WHERE id = ?',
              place,
              one.text,
              one.paragraph ? 1 : 0,
              one.id,
            )
          else
            connection.run(
              'INSERT INTO speech_pieces(id, item_seq, place, text, paragraph, state) VALUES (?, ?, ?, ?, ?, ?)',
              one.id,
              seq,
              place,
              one.text,
              one.paragraph ? 1 : 0,
              one.state,
            )
        }
        measure(seq)
        touch(seq, at)
        markAllUnindexed(connection, seq, Math.max(before.length, pieces.length))
      })
      settle()
    },
    pieces(id, from, limit) {
      const seq = speechSeq(connection, id)
      return read(
        connection.all<PieceRow>(
          `${selectPieces} WHERE p.item_seq = ? AND p.place >= ? ORDER BY p.place LIMIT ?`,
          seq,
          from,
          limit,
        ),
      )
    },
    stands(id, gone = false) {
      const seq = speechSeq(connection, id)
      return connection
        .all<Omit<PieceStand, 'pinned' | 'paragraph'> & { pinned: number; paragraph: number }>(
          `SELECT p.id, p.text, p.state, p.pinned, p.paragraph, t.fingerprint, t.text AS takeText, t.id AS takeId
           FROM speech_pieces p LEFT JOIN speech_takes t ON t.seq = p.take_seq
           WHERE p.item_seq = ? AND (p.place < 0) = ? ORDER BY p.place, p.seq DESC`,
          seq,
          gone ? 1 : 0,
        )
        .map((row) => ({ ...row, pinned: row.pinned !== 0, paragraph: row.paragraph !== 0 }))
    },
    piece,
    changePiece(pieceId, patch) {
      const entries = Object.entries(patch) as [keyof PiecePatch, unknown][]
      const values = entries.map(([name, value]) => bound(name, value))
      connection.run(
        `UPDATE speech_pieces SET ${entries.map(([name]) => `${columns[name]} = ?`).join(', ')} WHERE id = ?`,
        ...values,
        pieceId,
      )
      return piece(pieceId)
    },
    editPiece(pieceId, text, at) {
      connection.transaction(() => {
        const row = connection.get<{ item_seq: number; place: number }>(
          'SELECT item_seq, place FROM speech_pieces WHERE id = ?',
          pieceId,
        )
        if (!row) return
        connection.run('UPDATE speech_pieces SET text = ? WHERE id = ?', text, pieceId)
        measure(row.item_seq)
        touch(row.item_seq, at)
        markUnindexed(connection, row.item_seq, row.place)
      })
      settle()
    },
    ...speechQueue(connection, read),
    ...speechTakes(connection),
    setJoined(id, joined) {
      connection.run(
        'UPDATE speeches SET joined = ?, joined_media = ?, joined_peaks = ? WHERE item_seq = ?',
        joined && JSON.stringify(joined),
        joined?.mediaId ?? null,
        joined?.peaksId ?? null,
        speechSeq(connection, id),
      )
    },
  }
}

function bound(name: keyof PiecePatch, value: unknown): Value {
  if (name === 'error') return value === null ? null : JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
