import type { MeetingJson } from '../../shared/bridge/meeting-json.ts'
import type { Clock, Ids } from '../deps.ts'
import type { Connection } from './connection.ts'
import { putSpeaker } from './meetings-images.ts'
import { putLine } from './meetings-lines.ts'
import { meetingSeq } from './meetings-rows.ts'
import { indexMeeting, touchItem } from './meetings-search.ts'
import type { MeetingStore, RestoreTarget } from './meetings-types.ts'

/**
 * The part of the store that makes a meeting of our json. Every id is made anew: the same json may be read in twice. What refers to
 * nothing is put right (a line of an unknown speaker is the first one's, readings of unknown segments are left out).
 */
export function restoreStore(
  connection: Connection,
  store: Pick<MeetingStore, 'create' | 'addBookmark' | 'setGaps' | 'putSummary'>,
  clock: Clock,
  ids: Ids,
): Pick<MeetingStore, 'restore'> {
  return {
    restore(id, json, target) {
      connection.transaction(() => {
        store.create({
          id,
          title: json.title,
          source: json.source,
          state: target.mediaId === null ? 'stopped' : 'importing',
          channels: json.channels,
          sampleRate: json.sampleRate,
          mediaId: target.mediaId,
          hasSound: target.mediaId !== null,
          accountId: target.accountId,
          prompt: json.prompt,
          hotwords: json.hotwords,
          at: Date.parse(json.startedAt),
        })
        const seq = meetingSeq(connection, id)
        const speakers = putSpeakers(seq, json)
        const segments = putSegments(seq, json, target)
        const readings = putReadings(seq, json, segments)
        for (const { id: old, readingId } of json.segments) {
          const reading = readingId === null ? undefined : readings.get(readingId)
          const sql = 'UPDATE meeting_segments SET reading_id = ? WHERE id = ?'
          connection.run(sql, reading ?? null, segments.get(old) ?? '')
        }
        const lines = putLines(seq, json, speakers, segments)
        for (const bookmark of json.bookmarks) store.addBookmark(id, { ...bookmark, id: ids() })
        store.setGaps(
          id,
          json.gaps.map((gap) => ({ ...gap, id: ids() })),
        )
        for (const summary of json.summaries.toReversed()) {
          const points = summary.points.map((point) => ({
            ...point,
            lineIds: point.lineIds.flatMap((line) => lines.get(line) ?? []),
          }))
          store.putSummary(id, { ...summary, id: ids(), points, state: 'done', error: null })
        }
        const analysed = JSON.stringify(json.channels.map(() => json.durationMs))
        connection.run(
          'UPDATE meetings SET duration_ms = ?, notes = ?, analysed = ?, analysed_ms = ? WHERE item_seq = ?',
          json.durationMs,
          json.notes,
          analysed,
          json.durationMs,
          seq,
        )
        indexMeeting(connection, seq)
        touchItem(connection, seq, clock())
      })
    },
  }

  function putSpeakers(seq: number, json: MeetingJson): ReadonlyMap<string, string> {
    if (json.speakers.length > 0)
      connection.run('DELETE FROM meeting_speakers WHERE item_seq = ?', seq)
    const known = new Map<string, string>()
    for (const { id: old, name, channel, mark } of json.speakers) {
      const made = ids()
      known.set(old, made)
      putSpeaker(connection, {
        seq: null,
        id: made,
        item_seq: seq,
        name,
        channel,
        mark,
        into_id: null,
      })
    }
    return known
  }

  function putSegments(
    seq: number,
    json: MeetingJson,
    target: RestoreTarget,
  ): ReadonlyMap<string, string> {
    const known = new Map<string, string>()
    for (const one of json.segments) {
      const made = ids()
      const open = one.state === 'pending' || one.state === 'inflight'
      // Without its sound nothing more can be heard: the hole stays visible.
      const state = open ? (target.mediaId === null ? 'failed' : 'pending') : one.state
      const { changes } = connection.run(
        `INSERT INTO meeting_segments(id, item_seq, channel, start_ms, end_ms, state, forced_start, forced_end, voiced, flags)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(item_seq, channel, start_ms) DO NOTHING`,
        made,
        seq,
        one.channel,
        one.startMs,
        one.endMs,
        state,
        one.forcedStart ? 1 : 0,
        one.forcedEnd ? 1 : 0,
        JSON.stringify(one.voiced.map((span) => [span.startMs, span.endMs])),
        JSON.stringify(one.flags),
      )
      if (changes > 0) known.set(one.id, made)
    }
    return known
  }

  function putReadings(
    seq: number,
    json: MeetingJson,
    segments: ReadonlyMap<string, string>,
  ): ReadonlyMap<string, string> {
    const known = new Map<string, string>()
    // The newest stands first, and rows are read by age.
    for (const one of json.readings.toReversed()) {
      const segment = segments.get(one.segmentId)
      if (segment === undefined) continue
      const made = ids()
      known.set(one.id, made)
      connection.run(
        `INSERT INTO meeting_readings(id, item_seq, segment_id, text, state, flags, model, account_id, account_name, request_id,
           notice, at) VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
        made,
        seq,
        segment,
        one.text,
        one.state,
        JSON.stringify(one.flags),
        one.model,
        one.accountName,
        one.requestId,
        one.notice,
        one.at,
      )
    }
    return known
  }

  function putLines(
    seq: number,
    json: MeetingJson,
    speakers: ReadonlyMap<string, string>,
    segments: ReadonlyMap<string, string>,
  ): ReadonlyMap<string, string> {
    const known = new Map<string, string>()
    const first = speakers.values().next().value ?? ''
    for (const one of json.lines) {
      const made = ids()
      known.set(one.id, made)
      putLine(connection, {
        seq: null,
        id: made,
        item_seq: seq,
        segment_id: (one.segmentId !== null && segments.get(one.segmentId)) || null,
        channel: one.channel,
        start_ms: one.startMs,
        end_ms: one.endMs,
        speaker_id: speakers.get(one.speakerId) ?? first,
        text: one.text,
        edited_at: one.edited ? clock() : null,
        flags: JSON.stringify(one.flags),
        model: one.model,
        account_name: one.accountName,
      })
    }
    return known
  }
}
