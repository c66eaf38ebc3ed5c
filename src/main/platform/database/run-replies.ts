import { inflateRawSync } from 'node:zlib'
import type { RawBody } from '../../../shared/model/raw-body.ts'
import type { Connection, Value } from './connection.ts'
import type { RunReply } from '../../library-database/types.ts'

/** Returns the columns status, content_type, body and packed of a run's response. */
export function runReplyColumns(reply: RunReply): [Value, Value, Value, Value] {
  const { status, contentType, body } = reply
  return typeof body === 'string'
    ? [status, contentType, body, null]
    : [status, contentType, null, body]
}

/** Returns the raw response of a run, or null when none was saved. */
export function readRunReply(connection: Connection, id: string): RawBody | null {
  const row = connection.get<{
    status: number | null
    content_type: string | null
    body: string | null
    packed: Uint8Array | null
  }>('SELECT status, content_type, body, packed FROM run_results WHERE run_id = ?', id)
  if (!row || row.status === null) return null
  return {
    status: row.status,
    contentType: row.content_type ?? '',
    body: row.packed ? inflateRawSync(row.packed).toString('utf8') : (row.body ?? ''),
  }
}
