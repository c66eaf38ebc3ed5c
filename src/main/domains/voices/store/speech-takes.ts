import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { selectTakes, toTake, type TakeRow } from './speech-rows.ts'
import type { SpeechStore, TakeRecord } from './speech-types.ts'

/** Creates the store of takes: every generation is saved. */
export function speechTakes(
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
