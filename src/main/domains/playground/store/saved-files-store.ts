import type { Failure } from '../../../../shared/contract/reply.ts'
import type { SavedRole } from '../../../../shared/model/saved-file.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { isDueSql } from '../../../platform/database/due.ts'
import type { SavedFileStore, WaitingFile } from './remote-items-types.ts'

interface Row {
  readonly owner_id: string
  readonly role: SavedRole
  readonly place: number
  readonly account_id: string
  readonly address: string
  readonly name: string
  readonly media_id: string | null
  readonly attempts: number
  readonly next_try_at: number | null
  readonly given_up: number
  readonly error: string | null
  readonly mime: string | null
  readonly bytes: number | null
}

/** Store of files referenced by responses (architecture rule 8): rows exist as soon as the response is stored. */
export function savedFileStore(connection: Connection): SavedFileStore {
  return {
    want(ownerId, accountId, files) {
      for (const { role, place, address, name } of files)
        connection.run(
          `INSERT INTO kept_files(owner_id, role, place, account_id, address, name) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT(owner_id, role, place) DO UPDATE SET account_id = excluded.account_id, address = excluded.address,
             attempts = 0, next_try_at = NULL, given_up = 0 WHERE media_id IS NULL`,
          ownerId,
          role,
          place,
          accountId,
          address,
          name,
        )
    },
    of: (ownerId) =>
      connection
        .all<Row>(
          `SELECT kept_files.*, media.mime, media.bytes FROM kept_files LEFT JOIN media ON media.id = media_id
           WHERE owner_id = ? ORDER BY seq`,
          ownerId,
        )
        .map((row) => ({
          role: row.role,
          place: row.place,
          address: row.address,
          name: row.name,
          state: row.media_id !== null ? 'kept' : row.given_up === 1 ? 'missing' : 'waiting',
          mediaId: row.media_id,
          mime: row.mime,
          bytes: row.bytes,
          error: row.error === null ? null : (JSON.parse(row.error) as Failure),
        })),
    readdress(ownerId, files) {
      for (const { role, place, address } of files)
        connection.run(
          'UPDATE kept_files SET address = ? WHERE owner_id = ? AND role = ? AND place = ? AND media_id IS NOT NULL',
          address,
          ownerId,
          role,
          place,
        )
    },
    waiting: (at, limit) =>
      connection
        .all<Row>(
          `SELECT * FROM kept_files WHERE media_id IS NULL AND given_up = 0
             AND ${isDueSql('next_try_at')} ORDER BY seq LIMIT ?`,
          at,
          at,
          limit,
        )
        .map(toWaiting),
    nextTime: (after) =>
      connection.get<{ at: number | null }>(
        `SELECT min(next_try_at) AS at FROM kept_files
         WHERE media_id IS NULL AND given_up = 0 AND next_try_at > ?`,
        after,
      )?.at ?? null,
    put({ ownerId, role, place, address }, mediaId) {
      connection.run(
        `UPDATE kept_files SET media_id = ?, error = NULL, next_try_at = NULL
         WHERE owner_id = ? AND role = ? AND place = ? AND address = ? AND media_id IS NULL`,
        mediaId,
        ownerId,
        role,
        place,
        address,
      )
      const sql = 'SELECT 1 FROM kept_files WHERE owner_id = ? AND media_id = ?'
      return connection.get(sql, ownerId, mediaId) !== undefined
    },
    fail({ ownerId, role, place, address }, error, retryAt) {
      connection.run(
        `UPDATE kept_files SET attempts = attempts + 1, error = ?, next_try_at = ?, given_up = ?
         WHERE owner_id = ? AND role = ? AND place = ? AND address = ? AND media_id IS NULL`,
        JSON.stringify(error),
        retryAt,
        retryAt === null ? 1 : 0,
        ownerId,
        role,
        place,
        address,
      )
    },
    retry: (ownerId) =>
      void connection.run(
        'UPDATE kept_files SET attempts = 0, next_try_at = NULL, given_up = 0 WHERE owner_id = ? AND media_id IS NULL',
        ownerId,
      ),
    remove: (ownerId) => removeSavedFiles(connection, ownerId),
  }
}

/** Deletes the file rows of an owner; returns media that are no longer used. */
export function removeSavedFiles(connection: Connection, ownerId: string): readonly string[] {
  const used = connection.all<{ readonly id: string }>(
    'SELECT DISTINCT media_id AS id FROM kept_files WHERE owner_id = ? AND media_id IS NOT NULL',
    ownerId,
  )
  connection.run('DELETE FROM kept_files WHERE owner_id = ?', ownerId)
  return used
    .map(({ id }) => id)
    .filter(
      (id) => connection.get('SELECT 1 FROM media WHERE id = ? AND uses = 0', id) !== undefined,
    )
}

const toWaiting = (row: Row): WaitingFile => ({
  ownerId: row.owner_id,
  role: row.role,
  place: row.place,
  accountId: row.account_id,
  address: row.address,
  name: row.name,
  attempts: row.attempts,
  nextTryAt: row.next_try_at,
})
