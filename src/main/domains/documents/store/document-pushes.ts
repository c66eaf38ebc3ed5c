import type { Failure } from '../../../../shared/contract/reply.ts'
import type { DocumentPush, PushState } from '../../../../shared/model/document-transfer.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { documentSeq } from './documents-rows.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Push with fields for the main process only. */
export interface PushRecord extends Omit<DocumentPush, 'changed'> {
  /** The sent file. */
  readonly mediaId: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string
  /** ID at the provider of the text that is deleted when this one was accepted. */
  readonly replaces: string | null
}

/** New push. */
type NewPush = Omit<PushRecord, 'state' | 'runId' | 'remoteId' | 'error' | 'endedAt'>

/** Mutable fields of a push. */
export type PushPatch = Partial<
  Pick<PushRecord, 'state' | 'runId' | 'remoteId' | 'replaces' | 'error' | 'endedAt'>
>

/** Document texts that were sent to providers. */
export interface HandoverStore {
  /** Throws NOT_FOUND for an unknown document. */
  begin(push: NewPush): PushRecord
  get(id: string): PushRecord | undefined
  byRun(runId: string): PushRecord | undefined
  /** Newest first. */
  ofDocument(documentId: string): readonly PushRecord[]
  /** Pushes that are being sent or processed by the provider, oldest first. */
  open(): readonly PushRecord[]
  /** Undefined if it no longer exists. */
  change(id: string, patch: PushPatch): PushRecord | undefined
}

interface Row {
  readonly id: string
  readonly document_id: string
  readonly account_id: string
  readonly account_name: string
  readonly base_id: string
  readonly base_name: string
  readonly media_id: string
  readonly run_id: string | null
  readonly state: PushState
  readonly remote_id: string | null
  readonly replaces: string | null
  readonly pages: string
  readonly page_marks: number
  readonly chars: number
  readonly digest: string
  readonly error: string | null
  readonly created_at: number
  readonly ended_at: number | null
}

/** The run is included as long as it is saved. */
const select = `SELECT p.*, i.id AS document_id, (SELECT id FROM runs WHERE id = p.run_id) AS run_id
  FROM document_pushes p JOIN items i ON i.seq = p.item_seq`

/** Store of document pushes. */
export function handoverStore(connection: Connection): HandoverStore {
  const get = (id: string): PushRecord | undefined => {
    const row = connection.get<Row>(`${select} WHERE p.id = ?`, id)
    return row && toPush(row)
  }

  return {
    get,
    begin(push) {
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO document_pushes(id, item_seq, account_id, account_name, base_id, base_name, media_id, state, replaces, pages,
             page_marks, chars, digest, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'sending', ?, ?, ?, ?, ?, ?)`,
          push.id,
          documentSeq(connection, push.documentId),
          push.accountId,
          push.accountName,
          push.baseId,
          push.baseName,
          push.mediaId,
          push.replaces,
          push.pages,
          push.pageMarks ? 1 : 0,
          push.chars,
          push.digest,
          push.createdAt,
        )
        const made = get(push.id)
        if (!made) throw new AppError('INTERNAL', 'The upload was not saved')
        return made
      })
    },
    byRun(runId) {
      const row = connection.get<Row>(`${select} WHERE p.run_id = ?`, runId)
      return row && toPush(row)
    },
    ofDocument: (documentId) =>
      connection
        .all<Row>(
          `${select} WHERE p.item_seq = ? ORDER BY p.seq DESC`,
          documentSeq(connection, documentId),
        )
        .map(toPush),
    open: () =>
      connection
        .all<Row>(`${select} WHERE p.state IN ('sending', 'working') ORDER BY p.seq`)
        .map(toPush),
    change(id, patch) {
      return connection.transaction(() => {
        const before = get(id)
        if (!before) return undefined
        const next = { ...before, ...patch }
        connection.run(
          `UPDATE document_pushes SET state = ?, run_id = coalesce(?, run_id), remote_id = ?, replaces = ?, error = ?, ended_at = ?
           WHERE id = ?`,
          next.state,
          next.runId,
          next.remoteId,
          next.replaces,
          next.error && JSON.stringify(next.error),
          next.endedAt,
          id,
        )
        return get(id)
      })
    },
  }
}

const toPush = (row: Row): PushRecord => ({
  id: row.id,
  documentId: row.document_id,
  accountId: row.account_id,
  accountName: row.account_name,
  baseId: row.base_id,
  baseName: row.base_name,
  mediaId: row.media_id,
  runId: row.run_id,
  state: row.state,
  remoteId: row.remote_id,
  replaces: row.replaces,
  pages: row.pages,
  pageMarks: row.page_marks === 1,
  chars: row.chars,
  digest: row.digest,
  error: parsed<Failure>(row.error),
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
