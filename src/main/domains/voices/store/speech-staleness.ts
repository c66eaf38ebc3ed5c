import type { Connection, Value } from '../../../platform/database/connection.ts'
import type { SpeakingStyle, SpeechStore } from './speech-types.ts'

/** White space as defined by `String.trim`: the text of a segment is sent without it. */
const space = `char(9,10,11,12,13,32,160,5760,8192,8193,8194,8195,8196,8197,8198,8199,8200,8201,8202,8232,8233,8239,8287,12288,65279)`
const trimmed = (column: string): string => `trim(${column}, ${space})`

/** Current speech settings, as one row `m`. */
const speakingStyle = `m(voice, speed, volume, watermark, account) AS (VALUES (?, ?, ?, ?, ?))`
const bound = (now: SpeakingStyle | null): Value[] =>
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
export function speechStaleness(connection: Connection): Pick<SpeechStore, 'restate' | 'restOf'> {
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
        ...bound(now),
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
        ...bound(now),
        segmentId,
      )
      return row?.state ?? 'idle'
    },
  }
}
