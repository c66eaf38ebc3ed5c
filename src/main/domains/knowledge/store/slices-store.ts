import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  ChunkRequest,
  ChunkRequestState,
  ChunkRequestWhole,
  SliceImage,
} from '../../../../shared/model/slices.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { isDueSql } from '../../../platform/database/due.ts'
import { likePattern } from './knowledge-like-patterns.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import type { SliceStore } from './slices-types.ts'

interface Row {
  readonly seq: number
  readonly id: string
  readonly account_id: string
  readonly account_name: string
  readonly request_id: string
  readonly node_id: string
  readonly message_id: string | null
  readonly state: ChunkRequestState
  readonly error: string | null
  readonly documents: string
  readonly slices: number | null
  readonly data?: string | null
  readonly created_at: number
  readonly came_at: number | null
}

const brief = `seq, id, account_id, account_name, request_id, node_id, message_id, state, error, documents, slices, created_at, came_at`
const listed = 'SELECT value FROM json_each(?)'

/** Creates the store of citation requests for a connection. */
export function sliceStore(connection: Connection): SliceStore {
  const row = (id: string): Row | undefined =>
    connection.get<Row>(`SELECT ${brief} FROM slice_lookups WHERE id = ?`, id)
  const must = (id: string): Row => {
    const found = row(id)
    if (!found) throw new AppError('NOT_FOUND', 'Chunk request not found')
    return found
  }
  const byIds = (accountId: string, requestId: string, nodeId: string): Row | undefined =>
    connection.get<Row>(
      `SELECT ${brief} FROM slice_lookups WHERE account_id = ? AND request_id = ? AND node_id = ?`,
      accountId,
      requestId,
      nodeId,
    )
  const get = (id: string): ChunkRequestWhole | undefined => {
    const found = connection.get<Row>(`SELECT ${brief}, data FROM slice_lookups WHERE id = ?`, id)
    if (!found) return undefined
    const data = parsed<unknown>(found.data ?? null)
    return {
      ...toChunkRequest(found),
      data,
      hasOldDocument: isOld(data),
      images: imagesOf(found.seq),
    }
  }
  const imagesOf = (seq: number): readonly SliceImage[] =>
    connection
      .all<{
        url: string
        state: SliceImage['state']
        media_id: string | null
        error: string | null
      }>(
        'SELECT url, state, media_id, error FROM slice_pictures WHERE lookup_seq = ? ORDER BY place',
        seq,
      )
      .map(({ url, state, media_id: mediaId, error }) => ({
        url,
        state,
        mediaId,
        error: parsed<Failure>(error),
      }))

  return {
    get,
    begin(chunkRequest) {
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO slice_lookups(id, account_id, account_name, request_id, node_id, message_id, state, created_at)
           VALUES (?, ?, ?, ?, ?, ?, 'asking', ?)
           ON CONFLICT(account_id, request_id, node_id) DO UPDATE SET state = 'asking', removed_at = NULL,
             message_id = coalesce(message_id, excluded.message_id), account_name = excluded.account_name`,
          chunkRequest.id,
          chunkRequest.accountId,
          chunkRequest.accountName,
          chunkRequest.requestId,
          chunkRequest.nodeId,
          chunkRequest.messageId,
          chunkRequest.at,
        )
        const found = byIds(chunkRequest.accountId, chunkRequest.requestId, chunkRequest.nodeId)
        return toChunkRequest(found ?? must(chunkRequest.id))
      })
    },
    byIds(...ids) {
      const found = byIds(...ids)
      return found && toChunkRequest(found)
    },
    list({ query = '', before, limit }) {
      const last = before === undefined ? undefined : row(before)
      const like = likePattern(query)
      const fits = like.map(
        () => `AND (documents || char(10) || request_id || char(10) || node_id) LIKE ? ESCAPE '\\'`,
      )
      const rows = connection.all<Row>(
        `SELECT ${brief} FROM slice_lookups WHERE removed_at IS NULL AND (? IS NULL OR seq < ?) ${fits.join(' ')}
         ORDER BY seq DESC LIMIT ?`,
        last?.seq ?? null,
        last?.seq ?? null,
        ...like,
        limit + 1,
      )
      const page = rows.slice(0, limit)
      return {
        positionRequests: page.map(toChunkRequest),
        next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
    unfinished: () =>
      connection
        .all<Row>(
          `SELECT ${brief} FROM slice_lookups WHERE state = 'asking' AND removed_at IS NULL ORDER BY seq`,
        )
        .map(toChunkRequest),
    raw(id) {
      const found = connection.get<{
        status: number | null
        content_type: string | null
        body: string | null
      }>('SELECT status, content_type, body FROM slice_lookups WHERE id = ?', id)
      if (!found || found.body === null) return null
      return {
        status: found.status ?? 0,
        contentType: found.content_type ?? '',
        body: found.body,
      }
    },
    keep(id, fetched, at) {
      return connection.transaction(() => {
        const { seq } = must(id)
        connection.run(
          `UPDATE slice_lookups SET state = 'done', error = NULL, documents = ?, slices = ?, data = ?, status = ?, content_type = ?,
           body = ?, came_at = ? WHERE seq = ?`,
          JSON.stringify(fetched.documents),
          fetched.slices,
          JSON.stringify(fetched.data ?? null),
          fetched.raw?.status ?? null,
          fetched.raw?.contentType ?? null,
          fetched.raw?.body ?? null,
          at,
          seq,
        )
        // A saved image stays, whatever its current URL is.
        connection.run(
          `DELETE FROM slice_pictures WHERE lookup_seq = ? AND state <> 'kept' AND url NOT IN (${listed})`,
          seq,
          JSON.stringify(fetched.images),
        )
        for (const [place, url] of fetched.images.entries())
          connection.run(
            `INSERT INTO slice_pictures(lookup_seq, url, place, state) VALUES (?, ?, ?, 'waiting')
             ON CONFLICT(lookup_seq, url) DO UPDATE SET place = excluded.place`,
            seq,
            url,
            place,
          )
        return get(id) ?? gone()
      })
    },
    fail(id, error) {
      connection.run(
        `UPDATE slice_lookups SET state = CASE WHEN came_at IS NULL THEN 'failed' ELSE 'done' END, error = ? WHERE id = ?`,
        JSON.stringify(error),
        id,
      )
    },
    remove(ids, at) {
      connection.run(
        `UPDATE slice_lookups SET removed_at = ? WHERE id IN (${listed})`,
        at,
        JSON.stringify(ids),
      )
    },
    purge(before) {
      return connection.transaction(() => {
        const media = connection.all<{ id: string }>(
          `SELECT DISTINCT p.media_id AS id FROM slice_pictures p JOIN slice_lookups l ON l.seq = p.lookup_seq
           WHERE p.media_id IS NOT NULL AND l.removed_at < ?`,
          before,
        )
        connection.run('DELETE FROM slice_lookups WHERE removed_at < ?', before)
        return media
          .map(({ id }) => id)
          .filter((id) => connection.get('SELECT 1 FROM media WHERE id = ? AND uses = 0', id))
      })
    },
    images: {
      waiting: (now, limit) =>
        connection
          .all<{
            id: string
            account_id: string
            url: string
            attempts: number
            next_try_at: number | null
          }>(
            `SELECT l.id, l.account_id, p.url, p.attempts, p.next_try_at FROM slice_pictures p
             JOIN slice_lookups l ON l.seq = p.lookup_seq
             WHERE p.state = 'waiting' AND ${isDueSql('p.next_try_at')} AND l.removed_at IS NULL
             ORDER BY p.next_try_at, p.lookup_seq, p.place LIMIT ?`,
            now,
            now,
            limit,
          )
          .map((each) => ({
            owner: each.id,
            accountId: each.account_id,
            url: each.url,
            attempts: each.attempts,
            nextTryAt: each.next_try_at,
          })),
      nextTime: (after) =>
        connection.get<{ at: number | null }>(
          `SELECT min(p.next_try_at) AS at FROM slice_pictures p JOIN slice_lookups l ON l.seq = p.lookup_seq
           WHERE p.state = 'waiting' AND p.next_try_at > ? AND l.removed_at IS NULL`,
          after,
        )?.at ?? null,
      fetched({ owner, url }, mediaId) {
        connection.run(
          `UPDATE slice_pictures SET state = 'kept', media_id = ?, error = NULL, next_try_at = NULL
           WHERE lookup_seq = (SELECT seq FROM slice_lookups WHERE id = ?) AND url = ?`,
          mediaId,
          owner,
          url,
        )
      },
      failed({ owner, url }, error, retryAt) {
        connection.run(
          `UPDATE slice_pictures SET state = CASE WHEN ? IS NULL THEN 'failed' ELSE 'waiting' END, attempts = attempts + 1,
           error = ?, next_try_at = ? WHERE lookup_seq = (SELECT seq FROM slice_lookups WHERE id = ?) AND url = ?`,
          retryAt,
          JSON.stringify(error),
          retryAt,
          owner,
          url,
        )
      },
    },
    retryImages(id) {
      connection.run(
        `UPDATE slice_pictures SET state = 'waiting', attempts = 0, next_try_at = NULL
         WHERE state = 'failed' AND lookup_seq = (SELECT seq FROM slice_lookups WHERE id = ?)`,
        id,
      )
    },
  }
}

function gone(): never {
  throw new AppError('NOT_FOUND', 'Chunk request not found')
}

const isOld = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'has_old_document' in data &&
  data.has_old_document === true

const toChunkRequest = (row: Row): ChunkRequest => ({
  id: row.id,
  accountId: row.account_id,
  accountName: row.account_name,
  requestId: row.request_id,
  nodeId: row.node_id,
  messageId: row.message_id,
  state: row.state,
  error: parsed<Failure>(row.error),
  documents: parsed<readonly string[]>(row.documents) ?? [],
  slices: row.slices,
  createdAt: row.created_at,
  receivedAt: row.came_at,
})
