import {
  defaultSpeech,
  type JoinedSegment,
  type SegmentState,
} from '../../../../shared/model/speech.ts'
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
  audioOf,
} from './speech-rows.ts'
import { speechQueue } from './speech-queue.ts'
import type {
  SegmentPatch,
  SegmentRecord,
  SpeechRecord,
  SpeechStore,
  TakeRecord,
  SpeakingStyle,
} from './speech-types.ts'
import { AppError } from '../../../errors.ts'

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

interface PartRow {
  readonly id: string
  readonly state: SegmentState
  readonly paragraph: number
  readonly take_id: string | null
  readonly media_id: string | null
  readonly sound: string | null
}

/** Creates the store of joined audio: what it consists of, and where its segments are. */
function speechJoins(
  connection: Connection,
): Pick<SpeechStore, 'joinParts' | 'joinOrder' | 'usedVoices' | 'setJoined' | 'places'> {
  return {
    joinParts: (id, { from, upTo }) =>
      connection
        .all<PartRow>(
          `SELECT p.id, p.state, p.paragraph, t.id AS take_id, t.media_id, t.sound
           FROM speech_pieces p LEFT JOIN speech_takes t ON t.seq = p.take_seq
           WHERE p.item_seq = ? AND p.place >= ? AND p.place < ? ORDER BY p.place`,
          speechSeq(connection, id),
          from,
          upTo,
        )
        .map(({ take_id, media_id, sound: audioJson, paragraph, ...row }) => ({
          ...row,
          paragraph: paragraph !== 0,
          take:
            take_id === null || media_id === null
              ? null
              : { id: take_id, mediaId: media_id, sound: audioOf(audioJson) },
        })),
    joinOrder: (id) =>
      connection
        .all<{ take: string; paragraph: number }>(
          `SELECT t.id AS take, p.paragraph FROM speech_pieces p JOIN speech_takes t ON t.seq = p.take_seq
           WHERE p.item_seq = ? AND p.place >= 0 ORDER BY p.place`,
          speechSeq(connection, id),
        )
        .map(({ take, paragraph }) => [take, paragraph !== 0] as const),
    usedVoices: (id, limit) =>
      connection
        .all<{ name: string }>(
          `SELECT t.voice_name AS name FROM speech_pieces p JOIN speech_takes t ON t.seq = p.take_seq
           WHERE p.item_seq = ? AND p.place >= 0 GROUP BY t.voice_name ORDER BY min(p.place) LIMIT ?`,
          speechSeq(connection, id),
          limit,
        )
        .map(({ name }) => name),
    setJoined(id, joined, places) {
      connection.run(
        'UPDATE speeches SET joined = ?, joined_media = ?, joined_peaks = ?, joined_places = ? WHERE item_seq = ?',
        joined && JSON.stringify(joined),
        joined?.mediaId ?? null,
        joined?.peaksId ?? null,
        joined && JSON.stringify(places),
        speechSeq(connection, id),
      )
    },
    places(id) {
      const row = connection.get<{ places: string | null }>(
        'SELECT joined_places AS places FROM speeches WHERE item_seq = ?',
        speechSeq(connection, id),
      )
      return parsed<readonly JoinedSegment[]>(row?.places ?? null) ?? []
    },
  }
}

/** Creates the store of takes: every generation is saved. */
function speechTakes(
  connection: Connection,
): Pick<
  SpeechStore,
  'addTake' | 'take' | 'takes' | 'same' | 'choose' | 'favour' | 'setCheck' | 'recentVoices'
> {
  const take = (takeId: string): TakeRecord | undefined => {
    const row = connection.get<TakeRow>(`${selectTakes} WHERE t.id = ?`, takeId)
    return row && toTake(row)
  }
  return {
    addTake(made) {
      const { changes } = connection.run(
        `INSERT INTO speech_takes(id, item_seq, piece_seq, media_id, text, voice, voice_name, speed, volume, watermark, fingerprint,
           account_id, account_name, engine, notice, sound, reused, heard, created_at)
         SELECT ?, item_seq, seq, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM speech_pieces WHERE id = ?`,
        made.id,
        made.mediaId,
        made.text,
        made.voice.id,
        made.voice.name,
        made.speed,
        made.volume,
        made.watermark ? 1 : 0,
        made.fingerprint,
        made.accountId,
        made.accountName,
        made.engine,
        made.notice,
        JSON.stringify(made.sound),
        made.reused ? 1 : 0,
        made.check && JSON.stringify(made.check),
        made.createdAt,
        made.segmentId,
      )
      const saved = changes === 1 ? take(made.id) : undefined
      if (!saved) throw new AppError('NOT_FOUND', 'The segment no longer exists')
      return saved
    },
    take,
    takes: (segmentId) =>
      connection
        .all<TakeRow>(`${selectTakes} WHERE p.id = ? ORDER BY t.seq DESC`, segmentId)
        .map(toTake),
    same(fingerprint) {
      const row = connection.get<TakeRow>(
        `${selectTakes} WHERE t.fingerprint = ? ORDER BY t.seq DESC LIMIT 1`,
        fingerprint,
      )
      return row && toTake(row)
    },
    choose(segmentId, takeId) {
      const { changes } = connection.run(
        `UPDATE speech_pieces SET take_seq = t.seq FROM speech_takes t
         WHERE speech_pieces.id = ? AND t.id = ? AND t.piece_seq = speech_pieces.seq AND speech_pieces.take_seq IS NOT t.seq`,
        segmentId,
        takeId,
      )
      if (changes > 0)
        connection.run(
          'UPDATE speeches SET revision = revision + 1 WHERE item_seq = (SELECT item_seq FROM speech_pieces WHERE id = ?)',
          segmentId,
        )
    },
    favour: (takeId, favourite) =>
      void connection.run(
        'UPDATE speech_takes SET favourite = ? WHERE id = ?',
        favourite ? 1 : 0,
        takeId,
      ),
    setCheck: (takeId, check) =>
      void connection.run(
        'UPDATE speech_takes SET heard = ? WHERE id = ?',
        JSON.stringify(check),
        takeId,
      ),
    recentVoices: (limit) =>
      connection
        .all<{ id: string; name: string; accountId: string }>(
          `SELECT voice AS id, voice_name AS name, account_id AS accountId, max(created_at) AS at
           FROM speech_takes GROUP BY account_id, voice ORDER BY at DESC LIMIT ?`,
          limit,
        )
        .map(({ id, name, accountId }) => ({ id, name, accountId })),
  }
}

/** White space as defined by `String.trim`: the text of a segment is sent without it. */
const space = `char(9,10,11,12,13,32,160,5760,8192,8193,8194,8195,8196,8197,8198,8199,8200,8201,8202,8232,8233,8239,8287,12288,65279)`
const trimmed = (column: string): string => `trim(${column}, ${space})`

/** Current speech settings, as one row `m`. */
const speakingStyle = `m(voice, speed, volume, watermark, account) AS (VALUES (?, ?, ?, ?, ?))`
const styleValues = (now: SpeakingStyle | null): Value[] =>
  now
    ? [now.voiceId, now.speed, now.volume, now.watermark ? 1 : 0, now.accountId]
    : [null, 0, 0, 0, '']

/** State of a segment `p` with its take `t` when nothing is requested: compares the columns of a take's fingerprint. */
const rest = `CASE
  WHEN t.seq IS NULL THEN 'idle'
  WHEN t.text <> p.text AND ${trimmed('t.text')} <> ${trimmed('p.text')} THEN 'stale'
  WHEN p.pinned OR m.voice IS NULL THEN 'done'
  WHEN t.voice = m.voice AND t.speed = m.speed AND t.volume = m.volume AND t.watermark = m.watermark
    AND t.account_id = m.account THEN 'done'
  ELSE 'stale' END`

/** Determines in the database which segments match the current text and settings: there are thousands. */
function speechStaleness(connection: Connection): Pick<SpeechStore, 'restate' | 'restOf'> {
  return {
    restate(id, now, { from, upTo }, resting) {
      const requested = resting
        ? `OR (p.state IN ('queued', 'speaking', 'checking') AND p.id NOT IN (SELECT value FROM json_each(?)))`
        : ''
      const except = resting ? [JSON.stringify([...resting])] : []
      const { changes } = connection.run(
        `WITH ${speakingStyle}, now AS MATERIALIZED (
           SELECT p.seq AS seq, p.state AS was, ${rest} AS state
           FROM m CROSS JOIN speech_pieces p LEFT JOIN speech_takes t ON t.seq = p.take_seq
           WHERE p.item_seq = (SELECT seq FROM items WHERE id = ?) AND p.place >= ? AND p.place < ?
             AND (p.state IN ('idle', 'done', 'stale') ${requested}))
         UPDATE speech_pieces SET state = now.state, next_try_at = NULL, error = NULL
         FROM now WHERE now.seq = speech_pieces.seq AND now.state <> now.was`,
        ...styleValues(now),
        id,
        from,
        upTo,
        ...except,
      )
      return changes > 0
    },
    restOf(segmentId, now) {
      const row = connection.get<{ state: 'idle' | 'done' | 'stale' }>(
        `WITH ${speakingStyle} SELECT ${rest} AS state
         FROM m CROSS JOIN speech_pieces p LEFT JOIN speech_takes t ON t.seq = p.take_seq WHERE p.id = ?`,
        ...styleValues(now),
        segmentId,
      )
      return row?.state ?? 'idle'
    },
  }
}
