import type { PageImage } from '../../../../shared/contract/documents.ts'
import type { Failure } from '../../../../shared/contract/reply.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { isDueSql } from '../../../platform/database/due.ts'
import { documentSeq } from './documents-rows.ts'
import type { DocumentsStore, RemoteImage } from './documents-types.ts'
import { parsed } from '../../../platform/database/json-column.ts'

interface RemoteRow {
  readonly document_id: string
  readonly address: string
  readonly media_id: string | null
  readonly attempts: number
  readonly next_try_at: number | null
  readonly error: string | null
}

const selectRemote =
  'SELECT r.*, i.id AS document_id FROM document_remote r CROSS JOIN items i ON i.seq = r.item_seq'

/** Store methods for images: page images, and those referenced by responses. */
export function imageStore(
  connection: Connection,
): Pick<
  DocumentsStore,
  | 'pageImages'
  | 'putPageImage'
  | 'dropImages'
  | 'remoteImages'
  | 'remoteWaiting'
  | 'nextRemoteTime'
  | 'putRemote'
  | 'failRemote'
  | 'restRemote'
> {
  /** Updates the row of a remote image by its URL. Throws NOT_FOUND. */
  function changeRemote(
    id: string,
    address: string,
    set: string,
    ...values: (string | number | null)[]
  ): void {
    const { changes } = connection.run(
      `UPDATE document_remote SET attempts = attempts + 1, ${set} WHERE item_seq = ? AND address = ?`,
      ...values,
      documentSeq(connection, id),
      address,
    )
    if (changes === 0) throw new AppError('NOT_FOUND', 'No response references this image')
  }

  return {
    pageImages: (id, { first = 1, last = Number.MAX_SAFE_INTEGER, width }) =>
      connection.all<PageImage>(
        `SELECT page, media_id AS mediaId, width, height FROM document_pictures
         WHERE item_seq = ? AND width = ? AND page BETWEEN ? AND ? ORDER BY page`,
        documentSeq(connection, id),
        width,
        first,
        last,
      ),
    dropImages: () =>
      connection.transaction(() => {
        const media = connection.all<{ id: string }>(
          'SELECT DISTINCT media_id AS id FROM document_pictures',
        )
        connection.run('DELETE FROM document_pictures')
        return media
          .map(({ id }) => id)
          .filter((id) => connection.get('SELECT 1 FROM media WHERE id = ? AND uses = 0', id))
      }),
    putPageImage(id, image) {
      connection.transaction(() => {
        const seq = documentSeq(connection, id)
        connection.run(
          'DELETE FROM document_pictures WHERE item_seq = ? AND width = ? AND page = ?',
          seq,
          image.width,
          image.page,
        )
        connection.run(
          'INSERT INTO document_pictures(item_seq, page, width, height, media_id) VALUES (?, ?, ?, ?, ?)',
          seq,
          image.page,
          image.width,
          image.height,
          image.mediaId,
        )
      })
    },
    remoteImages: (id) =>
      connection
        .all<RemoteRow>(
          `${selectRemote} WHERE r.item_seq = ? ORDER BY r.seq`,
          documentSeq(connection, id),
        )
        .map(toRemote),
    remoteWaiting: (at, limit) =>
      connection
        .all<RemoteRow>(
          `${selectRemote} WHERE r.media_id IS NULL AND r.given_up = 0 AND ${isDueSql('r.next_try_at')} AND i.deleted_at IS NULL
           ORDER BY r.seq LIMIT ?`,
          at,
          at,
          limit,
        )
        .map(toRemote),
    nextRemoteTime: (after) =>
      connection.get<{ at: number | null }>(
        `SELECT min(r.next_try_at) AS at FROM document_remote r JOIN items i ON i.seq = r.item_seq
         WHERE r.media_id IS NULL AND r.given_up = 0 AND r.next_try_at > ? AND i.deleted_at IS NULL`,
        after,
      )?.at ?? null,
    putRemote: (id, address, mediaId) =>
      changeRemote(id, address, 'media_id = ?, next_try_at = NULL, error = NULL', mediaId),
    restRemote(id, address) {
      connection.run(
        'UPDATE document_remote SET given_up = 1, next_try_at = NULL WHERE item_seq = ? AND address = ?',
        documentSeq(connection, id),
        address,
      )
    },
    failRemote: (id, address, error, retryAt) =>
      void connection.run(
        `UPDATE document_remote SET attempts = attempts + 1, error = ?, next_try_at = ?, given_up = ?
         WHERE item_seq = (SELECT seq FROM items WHERE id = ?) AND address = ?`,
        JSON.stringify(error),
        retryAt,
        retryAt === null ? 1 : 0,
        id,
        address,
      ),
  }
}

const toRemote = (row: RemoteRow): RemoteImage => ({
  documentId: row.document_id,
  address: row.address,
  mediaId: row.media_id,
  attempts: row.attempts,
  nextTryAt: row.next_try_at,
  error: parsed<Failure>(row.error),
})
