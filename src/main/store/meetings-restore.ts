import type { MeetingJsonHead } from '../../shared/bridge/meeting-json.ts'
import type { Clock } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Connection } from './connection.ts'
import { clearRows } from './meetings-restore-clear.ts'
import { putPage } from './meetings-restore-rows.ts'
import { meetingSeq } from './meetings-rows.ts'
import { indexBuckets, touchItem } from './meetings-search.ts'
import type { MeetingStore } from './meetings-types.ts'
import { bucketOf } from './search-numbers.ts'

/**
 * Maximum number of lines, and of their characters, that one step makes searchable. A minute with more gets a step of its
 * own.
 */
const stepLines = 200
const stepChars = 32 * 1024

/** Store methods that create a meeting from Lectern's JSON, step by step. */
export function restoreStore(
  connection: Connection,
  store: Pick<MeetingStore, 'create' | 'update'>,
  clock: Clock,
): Pick<MeetingStore, 'restoring'> {
  const begin = (
    id: string,
    head: MeetingJsonHead,
    from: { readonly mediaId: string | null; readonly accountId: string },
  ): void => {
    const known = connection.get<{ state: string }>(
      'SELECT m.state FROM items i JOIN meetings m ON m.item_seq = i.seq WHERE i.id = ?',
      id,
    )
    if (known && known.state !== 'importing')
      throw new AppError('REFUSED', 'This meeting is not being imported')
    if (known) return
    store.create({
      id,
      title: head.title,
      source: head.source,
      state: 'importing',
      channels: head.channels,
      sampleRate: head.sampleRate,
      // Until everything is imported, the JSON is the file of this meeting.
      mediaId: from.mediaId,
      hasAudio: true,
      accountId: from.accountId,
      prompt: '',
      hotwords: [],
      at: Date.parse(head.startedAt),
    })
  }

  /** Adds the default speakers of a meeting to JSON without any. */
  const needSpeaker = (id: string, head: MeetingJsonHead): void => {
    const sql = 'SELECT 1 FROM meeting_speakers WHERE item_seq = ? LIMIT 1'
    if (connection.get(sql, meetingSeq(connection, id)) === undefined)
      store.update(id, { channels: head.channels })
  }
  /** The last step; text the user wrote in the meantime stays. */
  const end = (
    id: string,
    head: MeetingJsonHead,
    original: string | null,
    gapsMs: number,
  ): void => {
    const seq = meetingSeq(connection, id)
    connection.run(
      `UPDATE meetings SET state = ?, has_sound = ?, duration_ms = ?, analysed = ?, analysed_ms = ?, gaps_ms = ?,
         import_progress = NULL, error = NULL, notes = iif(notes = '', ?, notes), prompt = iif(prompt = '', ?, prompt),
         hotwords = iif(hotwords = '[]', ?, hotwords) WHERE item_seq = ?`,
      original === null ? 'stopped' : 'importing',
      original === null ? 0 : 1,
      head.durationMs,
      JSON.stringify(head.channels.map(() => head.durationMs)),
      head.durationMs,
      gapsMs,
      head.notes,
      head.prompt,
      JSON.stringify(head.hotwords),
      seq,
    )
    connection.run('UPDATE items SET media_id = ? WHERE seq = ?', original, seq)
    touchItem(connection, seq, clock())
  }

  return {
    restoring(id, head, from) {
      connection.transaction(() => begin(id, head, from))
      // The row of the first minute contains the title too.
      const minutes = new Map([[0, { lines: 0, chars: 0 }]])
      const untranscribed: string[] = []
      let gapsMs = 0
      let gapsEnd = 0

      return {
        clear: () =>
          connection.transaction(() => clearRows(connection, meetingSeq(connection, id))),
        put(page) {
          connection.transaction(() => {
            if (page.list !== 'speakers') needSpeaker(id, head)
            putPage(connection, meetingSeq(connection, id), page, clock())
          })
          // After the transaction, since a failed one is retried.
          if (page.list === 'segments')
            for (const one of page.rows)
              if (one.state === 'pending' || one.state === 'inflight') untranscribed.push(one.id)
          if (page.list === 'gaps')
            for (const { startMs, endMs } of page.rows) {
              gapsMs += Math.max(0, endMs - Math.max(startMs, gapsEnd))
              gapsEnd = Math.max(gapsEnd, endMs)
            }
          if (page.list !== 'lines') return
          for (const { startMs, text } of page.rows) {
            const minute = bucketOf(startMs)
            const { lines, chars } = minutes.get(minute) ?? { lines: 0, chars: 0 }
            minutes.set(minute, { lines: lines + 1, chars: chars + text.length })
          }
        },
        finish(original) {
          if (minutes.size > 0) {
            const next = firstOf(minutes)
            connection.transaction(() => indexBuckets(connection, meetingSeq(connection, id), next))
            for (const minute of next) minutes.delete(minute)
            return false
          }
          // Without its audio nothing more can be transcribed: the gap stays visible.
          if (original !== null && untranscribed.length > 0) {
            const next = JSON.stringify(untranscribed.slice(0, stepLines))
            const sql = `UPDATE meeting_segments SET state = 'pending' WHERE id IN (SELECT value FROM json_each(?))`
            connection.transaction(() => connection.run(sql, next))
            untranscribed.splice(0, stepLines)
            return false
          }
          connection.transaction(() => {
            needSpeaker(id, head)
            end(id, head, original, gapsMs)
          })
          return true
        },
      }
    },
  }
}

/** Returns the minutes of the next step. */
function firstOf(
  minutes: ReadonlyMap<number, { readonly lines: number; readonly chars: number }>,
): readonly number[] {
  const taken: number[] = []
  const sum = { lines: 0, chars: 0 }
  for (const [minute, { lines, chars }] of minutes) {
    sum.lines += lines + 1
    sum.chars += chars
    if (taken.length > 0 && (sum.lines > stepLines || sum.chars > stepChars)) break
    taken.push(minute)
  }
  return taken
}
