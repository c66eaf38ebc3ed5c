import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Connection } from './connection.ts'
import type { ReplyStore, StoredReply } from '../../library-database/types.ts'

/**
 * Bodies longer than this (UTF-16 units) are stored deflated at level 1: a response of 5 MB of JSON then takes a fifth of the
 * space at about 7 ms per megabyte. Shorter ones, nearly all, remain plain text that any SQLite tool can read.
 */
const packAbove = 1024 * 1024

interface ReplyRow {
  readonly id: string
  readonly operation: string
  readonly status: number
  readonly content_type: string
  readonly body: string | null
  readonly packed: Uint8Array | null
  readonly at: number
}

/** Store of the provider's raw responses. Purging an item deletes its responses. */
export function replyStore(connection: Connection): ReplyStore {
  return {
    add(reply) {
      const packed = reply.body.length > packAbove
      connection.run(
        'INSERT INTO replies(id, item_id, operation, status, content_type, body, packed, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        reply.id,
        reply.itemId,
        reply.operation,
        reply.status,
        reply.contentType,
        packed ? null : reply.body,
        packed ? deflateRawSync(reply.body, { level: 1 }) : null,
        reply.at,
      )
    },
    get(id) {
      const row = connection.get<ReplyRow>('SELECT * FROM replies WHERE id = ?', id)
      return row && toReply(row)
    },
    remove: (id) => void connection.run('DELETE FROM replies WHERE id = ?', id),
    byItem(itemId) {
      return connection
        .all<ReplyRow>('SELECT * FROM replies WHERE item_id = ? ORDER BY at, rowid', itemId)
        .map(toReply)
    },
  }
}

const toReply = (row: ReplyRow): StoredReply => ({
  id: row.id,
  operation: row.operation,
  status: row.status,
  contentType: row.content_type,
  body: row.packed ? inflateRawSync(row.packed).toString('utf8') : (row.body ?? ''),
  at: row.at,
})
