import { defaultSpeech } from '../../../../shared/model/speech.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { markUnindexed } from './speech-index.ts'
import { noteText, speechPlaces } from './speech-places.ts'
import {
  segmentCounts,
  selectSegments,
  selectTakes,
  speechSeq,
  toSegment,
  toSettings,
  toTake,
  type SegmentRow,
  type TakeRow,
} from './speech-rows.ts'
import { speechQueue } from './speech-queue.ts'
import { speechJoins } from './speech-joins.ts'
import { speechStaleness } from './speech-staleness.ts'
import { speechTakes } from './speech-takes.ts'
import type { SegmentPatch, SegmentRecord, SpeechRecord, SpeechStore } from './speech-types.ts'

interface SpeechRow {
  readonly seq: number
  readonly id: string
  readonly title: string
  readonly settings: string
  readonly length: number
  readonly joined: string | null
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
}

/** Columns of {@link SegmentPatch}. */
const columns: Readonly<Record<keyof SegmentPatch, string>> = {
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

/** Creates the store of narrations; `settle` is called when a change left search rows to update. */
export function speechStore(connection: Connection, settle: () => void): SpeechStore {
  const read = (rows: readonly SegmentRow[]): readonly SegmentRecord[] => {
    const seqs = rows.flatMap(({ take_seq: seq }) => (seq === null ? [] : [seq]))
    const takes = new Map(
      seqs.length === 0
        ? []
        : connection
            .all<TakeRow>(
              `${selectTakes} WHERE t.seq IN (SELECT value FROM json_each(?))`,
              JSON.stringify(seqs),
            )
            .map((take) => [take.seq, toTake(take)] as const),
    )
    return rows.map((row) => toSegment(row, takes.get(row.take_seq ?? 0) ?? null))
  }
  const touch = (seq: number, at: number): void =>
    void connection.run('UPDATE items SET updated_at = ? WHERE seq = ?', at, seq)
  const segment = (segmentId: string): SegmentRecord | undefined => {
    const row = connection.get<SegmentRow>(`${selectSegments} WHERE p.id = ?`, segmentId)
    return row && read([row])[0]
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
      const row = connection.get<SpeechRow>(
        'SELECT i.*, s.settings, s.length, s.joined, s.revision FROM items i JOIN speeches s ON s.item_seq = i.seq WHERE i.id = ?',
        id,
      )
      if (!row) return undefined
      return {
        id: row.id,
        title: row.title,
        settings: toSettings(row.settings),
        ...segmentCounts(connection, row.seq),
        length: row.length,
        joined: parsed<SpeechRecord['joined']>(row.joined),
        revision: row.revision,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        deletedAt: row.deleted_at,
      }
    },
    settings(id) {
      const row = connection.get<{ settings: string }>(
        'SELECT s.settings FROM items i JOIN speeches s ON s.item_seq = i.seq WHERE i.id = ?',
        id,
      )
      return row && toSettings(row.settings)
    },
    configure(id, settings, at) {
      const seq = speechSeq(connection, id)
      connection.transaction(() => {
        connection.run(
          'UPDATE speeches SET settings = ?, revision = revision + 1 WHERE item_seq = ?',
          JSON.stringify({ ...defaultSpeech, ...settings }),
          seq,
        )
        touch(seq, at)
      })
    },
    segments(id, from, limit) {
      const seq = speechSeq(connection, id)
      return read(
        connection.all<SegmentRow>(
          `${selectSegments} WHERE p.item_seq = ? AND p.place >= ? ORDER BY p.place LIMIT ?`,
          seq,
          from,
          limit,
        ),
      )
    },
    segment,
    changeSegment(segmentId, patch) {
      const entries = Object.entries(patch) as [keyof SegmentPatch, unknown][]
      const values = entries.map(([name, value]) => bound(name, value))
      connection.run(
        `UPDATE speech_pieces SET ${entries.map(([name]) => `${columns[name]} = ?`).join(', ')} WHERE id = ?`,
        ...values,
        segmentId,
      )
      return segment(segmentId)
    },
    editSegment(segmentId, text, spoken, at) {
      connection.transaction(() => {
        const row = connection.get<{
          item_seq: number
          place: number
          was: string
          length: number
        }>(
          `SELECT p.item_seq, p.place, p.text AS was, s.length
           FROM speech_pieces p JOIN speeches s ON s.item_seq = p.item_seq WHERE p.id = ?`,
          segmentId,
        )
        if (!row) return
        connection.run(
          `UPDATE speech_pieces SET text = ?,
             state = CASE WHEN NOT ? THEN 'silent' WHEN state = 'silent' THEN 'idle' ELSE state END WHERE id = ?`,
          text,
          spoken ? 1 : 0,
          segmentId,
        )
        noteText(connection, row.item_seq, row.length - row.was.length + text.length)
        touch(row.item_seq, at)
        markUnindexed(connection, row.item_seq, row.place)
      })
      settle()
    },
    ...speechQueue(connection, read),
    ...speechTakes(connection),
    ...speechPlaces(connection, settle),
    ...speechStaleness(connection),
    ...speechJoins(connection),
  }
}

function bound(name: keyof SegmentPatch, value: unknown): Value {
  if (name === 'error') return value === null ? null : JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
