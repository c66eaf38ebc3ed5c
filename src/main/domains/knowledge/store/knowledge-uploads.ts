import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  KnowledgeAction,
  KnowledgeEvent,
  KnowledgeUpload,
  Slicing,
  UploadState,
} from '../../../../shared/model/knowledge.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { hasComeSql } from '../../../platform/database/due.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Changeable fields of an upload. */
type UploadPatch = Partial<
  Pick<
    KnowledgeUpload,
    'state' | 'mediaId' | 'documentId' | 'error' | 'attempts' | 'nextTryAt' | 'endedAt'
  >
>

/** Uploads into knowledge bases. */
export interface UploadStore {
  add(uploads: readonly Omit<KnowledgeUpload, 'bytes'>[]): void
  get(id: string): KnowledgeUpload | undefined
  /** Uploads of a knowledge base, newest first. */
  ofBase(accountId: string, baseId: string, limit: number): readonly KnowledgeUpload[]
  /** Queued, sent or waiting, oldest first. */
  open(): readonly KnowledgeUpload[]
  /** Returns the accounts with such uploads. */
  accounts(): readonly string[]
  /** Returns the oldest due upload for an account; `exceptGroups` are knowledge bases. */
  next(query: {
    readonly accountId: string
    readonly at: number
    readonly except: readonly string[]
    readonly exceptGroups: readonly string[]
  }): KnowledgeUpload | undefined
  /** Returns how many are waiting, and when the next one is due (Unix ms). */
  waiting(now: number): { readonly count: number; readonly next: number | null }
  /** Allows waiting uploads of an account to be retried from this time on. */
  wake(accountId: string, at: number): void
  /** Undefined when it no longer exists. */
  change(id: string, patch: UploadPatch): KnowledgeUpload | undefined
  remove(ids: readonly string[]): void
  /** Returns whether an accepted upload has this ID at the provider. */
  hasUploaded(accountId: string, documentId: string): boolean
}

/** Log of actions on knowledge bases. */
export interface KnowledgeLog {
  add(accountId: string, baseId: string, action: KnowledgeAction, at: number): void
  /** Newest first. */
  list(accountId: string, baseId: string, limit: number): readonly KnowledgeEvent[]
}

interface Row {
  readonly id: string
  readonly account_id: string
  readonly base_id: string
  readonly kind: 'file' | 'url'
  readonly name: string
  readonly media_id: string | null
  readonly item_id: string | null
  readonly bytes: number | null
  readonly slicing: string
  readonly parse_images: number
  readonly word_limit: number | null
  readonly state: UploadState
  readonly document_id: string | null
  readonly error: string | null
  readonly attempts: number
  readonly next_try_at: number | null
  readonly created_at: number
  readonly ended_at: number | null
}

/** Chunking of an upload whose row cannot be read: by headings. */
const defaultSlicing: Slicing = { type: 1, separators: [], sentenceSize: 300 }

const listed = '(SELECT value FROM json_each(?))'
const select = `SELECT u.*, m.bytes FROM knowledge_uploads u LEFT JOIN media m ON m.id = u.media_id`

/** Store of uploads into knowledge bases, as rows that survive a crash (rule 8). */
export function uploadStore(connection: Connection): UploadStore {
  const get = (id: string): KnowledgeUpload | undefined => {
    const row = connection.get<Row>(`${select} WHERE u.id = ?`, id)
    return row && toUpload(row)
  }
  return {
    get,
    add(uploads) {
      connection.transaction(() => {
        for (const upload of uploads)
          connection.run(
            `INSERT INTO knowledge_uploads(id, account_id, base_id, kind, name, media_id, item_id, slicing, parse_images, word_limit, state,
               created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            upload.id,
            upload.accountId,
            upload.baseId,
            upload.kind,
            upload.name,
            upload.mediaId,
            upload.itemId,
            JSON.stringify(upload.slicing),
            upload.parseImages ? 1 : 0,
            upload.wordLimit,
            upload.state,
            upload.createdAt,
          )
      })
    },
    ofBase: (accountId, baseId, limit) =>
      connection
        .all<Row>(
          `${select} WHERE u.account_id = ? AND u.base_id = ? ORDER BY u.seq DESC LIMIT ?`,
          accountId,
          baseId,
          limit,
        )
        .map(toUpload),
    open: () =>
      connection
        .all<Row>(`${select} WHERE u.state IN ('queued', 'sending', 'waiting') ORDER BY u.seq`)
        .map(toUpload),
    accounts: () =>
      connection
        .all<{ id: string }>(
          `SELECT DISTINCT account_id AS id FROM knowledge_uploads WHERE state IN ('queued', 'sending', 'waiting')`,
        )
        .map(({ id }) => id),
    next({ accountId, at, except, exceptGroups }) {
      const row = connection.get<Row>(
        `${select} WHERE u.state IN ('queued', 'sending', 'waiting') AND (u.state <> 'waiting' OR ${hasComeSql('u.next_try_at')})
           AND u.account_id = ? AND u.id NOT IN ${listed} AND u.base_id NOT IN ${listed} ORDER BY u.seq LIMIT 1`,
        at,
        at,
        accountId,
        JSON.stringify(except),
        JSON.stringify(exceptGroups),
      )
      return row && toUpload(row)
    },
    waiting(now) {
      const row = connection.get<{ count: number; next: number | null }>(
        `SELECT count(*) AS count, min(CASE WHEN next_try_at > ? THEN next_try_at END) AS next FROM knowledge_uploads
         WHERE state IN ('queued', 'sending', 'waiting') AND state = 'waiting'`,
        now,
      )
      return row ?? { count: 0, next: null }
    },
    wake(accountId, at) {
      connection.run(
        `UPDATE knowledge_uploads SET next_try_at = ?
         WHERE state IN ('queued', 'sending', 'waiting') AND state = 'waiting' AND account_id = ?`,
        at,
        accountId,
      )
    },
    change(id, patch) {
      return connection.transaction(() => {
        const before = get(id)
        if (!before) return undefined
        const next = { ...before, ...patch }
        connection.run(
          `UPDATE knowledge_uploads SET state = ?, media_id = ?, document_id = ?, error = ?, attempts = ?, next_try_at = ?, ended_at = ?
           WHERE id = ?`,
          next.state,
          next.mediaId,
          next.documentId,
          next.error && JSON.stringify(next.error),
          next.attempts,
          next.nextTryAt,
          next.endedAt,
          id,
        )
        return get(id)
      })
    },
    remove(ids) {
      connection.run(
        'DELETE FROM knowledge_uploads WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      )
    },
    hasUploaded: (accountId, documentId) =>
      connection.get(
        'SELECT 1 FROM knowledge_uploads WHERE account_id = ? AND document_id = ?',
        accountId,
        documentId,
      ) !== undefined,
  }
}

/** Log of actions on knowledge bases. */
export const knowledgeLog = (connection: Connection): KnowledgeLog => ({
  add(accountId, baseId, action, at) {
    const joined =
      'names' in action ? joinedWithLast(connection, accountId, baseId, action, at) : false
    if (joined) return
    connection.run(
      'INSERT INTO knowledge_events(account_id, base_id, at, deed) VALUES (?, ?, ?, ?)',
      accountId,
      baseId,
      at,
      JSON.stringify(action),
    )
  },
  list: (accountId, baseId, limit) =>
    connection
      .all<{ readonly seq: number; readonly at: number; readonly deed: string }>(
        'SELECT seq, at, deed FROM knowledge_events WHERE account_id = ? AND base_id = ? ORDER BY seq DESC LIMIT ?',
        accountId,
        baseId,
        limit,
      )
      .flatMap(({ seq, at, deed: json }) => {
        const read = parsed<KnowledgeAction>(json)
        return read ? [{ id: seq, at, deed: read }] : []
      }),
})

/** Actions of one type within this many milliseconds are merged; and the maximum number of names stored for one. */
const oneActionMs = 10 * 60_000
const maxNames = 5

/** Merges an action on documents into the last one of the same type, if that is recent. */
function joinedWithLast(
  connection: Connection,
  accountId: string,
  baseId: string,
  { what, n, names }: Extract<KnowledgeAction, { readonly names: readonly string[] }>,
  at: number,
): boolean {
  const last = connection.get<{ readonly seq: number; readonly at: number; readonly deed: string }>(
    'SELECT seq, at, deed FROM knowledge_events WHERE account_id = ? AND base_id = ? ORDER BY seq DESC LIMIT 1',
    accountId,
    baseId,
  )
  const before = last && parsed<KnowledgeAction>(last.deed)
  if (!last || !before || before.what !== what || at - last.at > oneActionMs) return false
  const both = { what, n: before.n + n, names: [...before.names, ...names].slice(0, maxNames) }
  connection.run(
    'UPDATE knowledge_events SET at = ?, deed = ? WHERE seq = ?',
    at,
    JSON.stringify(both),
    last.seq,
  )
  return true
}

const toUpload = (row: Row): KnowledgeUpload => ({
  id: row.id,
  accountId: row.account_id,
  baseId: row.base_id,
  kind: row.kind,
  name: row.name,
  mediaId: row.media_id,
  itemId: row.item_id,
  bytes: row.bytes,
  slicing: parsed<Slicing>(row.slicing) ?? defaultSlicing,
  parseImages: row.parse_images === 1,
  wordLimit: row.word_limit,
  state: row.state,
  documentId: row.document_id,
  error: parsed<Failure>(row.error),
  attempts: row.attempts,
  nextTryAt: row.next_try_at,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
