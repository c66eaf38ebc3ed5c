import type { Voice } from '../../../../shared/model/voice.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { createMirror, type Fetch } from '../../../mirror/mirror.ts'

/** Voice in a list of the provider. */
export type ListedVoice = Pick<Voice, 'voice' | 'name' | 'type' | 'createTime' | 'downloadUrl'>

/** Listed voices by account: a voice listed once stays, marked when it is gone. */
export interface VoiceStore {
  /** Returns existing voices first, in the provider's order; then those that are gone, newest first. */
  list(accountId: string): { readonly voices: readonly Voice[]; readonly at: number | null }
  get(accountId: string, voice: string): Voice | undefined
  /** Call before voices are requested; the response is saved with it, so that it reverts no change made in the meantime. */
  fetch(): Fetch
  /** Saves the voices of a list. A `whole` list also marks missing ones as gone, and updates the age of the list. */
  keep(
    accountId: string,
    listed: readonly ListedVoice[],
    at: number,
    options: { readonly whole: boolean; readonly fetch?: Fetch },
  ): void
  /** Saves the preview of a voice (a media ID). */
  keepPreview(
    accountId: string,
    voice: string,
    preview: { readonly mediaId: string; readonly kind: 'service' | 'spoken' },
  ): void
  /** Marks a voice as gone from the provider. */
  gone(accountId: string, voice: string, at: number): void
  /** Records that a voice was used. */
  used(accountId: string, voice: string, at: number): void
}

const select = `SELECT v.*, (SELECT i.id FROM voice_clones c JOIN items i ON i.seq = c.item_seq
    WHERE c.account_id = v.account_id AND c.voice = v.voice AND i.deleted_at IS NULL ORDER BY c.seq DESC LIMIT 1) AS item_id
  FROM voices v`

interface Row {
  readonly account_id: string
  readonly voice: string
  readonly name: string
  readonly type: string
  readonly create_time: string | null
  readonly download_url: string | null
  readonly preview_id: string | null
  readonly preview_kind: 'service' | 'spoken' | null
  readonly seen_at: number
  readonly gone_at: number | null
  readonly uses: number
  readonly used_at: number | null
  readonly item_id: string | null
}

/** Creates the local copy of the provider’s voices. */
export function voiceStore(connection: Connection): VoiceStore {
  const markGone = (accountId: string, voice: string, at: number): void => {
    connection.run(
      'UPDATE voices SET gone_at = coalesce(gone_at, ?) WHERE account_id = ? AND voice = ?',
      at,
      accountId,
      voice,
    )
  }
  const mirror = createMirror<ListedVoice, readonly [accountId: string]>(connection, {
    idOf: ({ voice }) => voice,
    put([accountId], one, { place, moves, at }) {
      connection.run(
        `INSERT INTO voices(account_id, voice, name, type, create_time, download_url, place, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT(account_id, voice) DO UPDATE SET name = excluded.name, type = excluded.type,
           create_time = coalesce(excluded.create_time, create_time), download_url = excluded.download_url,
           place = iif(?, excluded.place, place), seen_at = excluded.seen_at, gone_at = NULL`,
        accountId,
        one.voice,
        one.name,
        one.type,
        one.createTime,
        one.downloadUrl,
        place,
        at,
        moves ? 1 : 0,
      )
    },
    firstPlace: ([accountId]) =>
      connection.get<{ readonly place: number | null }>(
        'SELECT min(place) AS place FROM voices WHERE account_id = ?',
        accountId,
      )?.place ?? null,
    present: ([accountId]) =>
      connection
        .all<{ readonly voice: string }>(
          'SELECT voice FROM voices WHERE account_id = ? AND gone_at IS NULL',
          accountId,
        )
        .map(({ voice }) => voice),
    markGone: ([accountId], voice, at) => markGone(accountId, voice, at),
    setListedAt([accountId], at) {
      connection.run(
        'INSERT INTO voice_lists(account_id, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
        accountId,
        at,
      )
    },
  })
  return {
    fetch: mirror.begin,
    list(accountId) {
      const rows = connection.all<Row>(
        `${select} WHERE v.account_id = ? ORDER BY gone_at IS NOT NULL, gone_at DESC, place, name`,
        accountId,
      )
      const list = connection.get<{ at: number }>(
        'SELECT at FROM voice_lists WHERE account_id = ?',
        accountId,
      )
      return { voices: rows.map(toVoice), at: list?.at ?? null }
    },
    get(accountId, voice) {
      const row = connection.get<Row>(
        `${select} WHERE v.account_id = ? AND v.voice = ?`,
        accountId,
        voice,
      )
      return row && toVoice(row)
    },
    keep(accountId, listed, at, options) {
      mirror.save([accountId], listed, at, options)
    },
    keepPreview(accountId, voice, { mediaId, kind }) {
      connection.run(
        'UPDATE voices SET preview_id = ?, preview_kind = ? WHERE account_id = ? AND voice = ?',
        mediaId,
        kind,
        accountId,
        voice,
      )
    },
    gone: (accountId, voice, at) =>
      mirror.change([accountId], [voice], undefined, () => markGone(accountId, voice, at)),
    used(accountId, voice, at) {
      connection.run(
        'UPDATE voices SET uses = uses + 1, used_at = ? WHERE account_id = ? AND voice = ?',
        at,
        accountId,
        voice,
      )
    },
  }
}

const toVoice = (row: Row): Voice => ({
  accountId: row.account_id,
  voice: row.voice,
  name: row.name,
  type: row.type,
  createTime: row.create_time,
  downloadUrl: row.download_url,
  previewId: row.preview_id,
  previewKind: row.preview_kind,
  seenAt: row.seen_at,
  goneAt: row.gone_at,
  uses: row.uses,
  usedAt: row.used_at,
  itemId: row.item_id,
})
