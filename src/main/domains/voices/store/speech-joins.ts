import type { JoinedSegment, SegmentState } from '../../../../shared/model/speech.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { audioOf, speechSeq } from './speech-rows.ts'
import type { SpeechStore } from './speech-types.ts'

interface PartRow {
  readonly id: string
  readonly state: SegmentState
  readonly paragraph: number
  readonly take_id: string | null
  readonly media_id: string | null
  readonly sound: string | null
}

/** Creates the store of joined audio: what it consists of, and where its segments are. */
export function speechJoins(
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
