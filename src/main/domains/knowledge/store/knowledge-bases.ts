import type {
  BaseOrder,
  GoneReason,
  KnowledgeAmount,
  KnowledgeBase,
  KnowledgeCapacity,
} from '../../../../shared/model/knowledge.ts'
import { AppError } from '../../../errors.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { type Fetch, createMirror } from '../../../mirror/mirror.ts'
import { likePattern } from './knowledge-like-patterns.ts'

/** Fields of a knowledge base as listed by a provider. */
export type ListedBase = Pick<
  KnowledgeBase,
  | 'id'
  | 'name'
  | 'description'
  | 'embeddingId'
  | 'contextual'
  | 'background'
  | 'icon'
  | 'documents'
  | 'tokens'
  | 'words'
>

/**
 * Knowledge bases as listed, by account; those a provider no longer lists are kept and marked. Times are Unix ms.
 */
export interface BaseMirror {
  /**
   * Call before requesting knowledge bases. The response is saved with it, so that it overwrites no change made in the
   * meantime.
   */
  fetch(): Fetch
  /** Returns matching knowledge bases of accounts in order, removed ones last; `service` keeps the order of accounts. */
  list(query: {
    readonly accountIds: readonly string[]
    readonly query: string
    readonly order: BaseOrder
    readonly offset: number
    readonly limit: number
  }): { readonly bases: readonly KnowledgeBase[]; readonly total: number }
  get(accountId: string, id: string): KnowledgeBase | undefined
  /** Returns the accounts with knowledge bases that are not removed. */
  accountIds(): readonly string[]
  /**
   * Returns an account that listed a knowledge base: one that still has it before others, then the preferred one, then the most
   * recent one.
   */
  accountOf(id: string, preferredId: string): string | undefined
  /**
   * Saves a list in its order. If it is `whole`, entries not in it are marked as no longer listed; returns their IDs.
   */
  keepAll(
    accountId: string,
    bases: readonly ListedBase[],
    at: number,
    options?: { readonly whole: boolean; readonly fetch?: Fetch },
  ): readonly string[]
  /** Saves one; a new one is placed first. */
  keep(accountId: string, base: ListedBase, at: number, fetch?: Fetch): KnowledgeBase
  markGone(accountId: string, id: string, why: GoneReason, at: number, fetch?: Fetch): void
  /** Deletes it with its documents and all data saved for them. */
  forget(accountId: string, id: string): void
  listedAt(accountId: string): number | null
  capacity(accountId: string): KnowledgeCapacity | null
  keepCapacity(
    accountId: string,
    capacity: { readonly used: KnowledgeAmount; readonly total: KnowledgeAmount },
    at: number,
  ): void
}

interface Row {
  readonly account_id: string
  readonly id: string
  readonly name: string
  readonly description: string
  readonly embedding_id: number | null
  readonly contextual: number
  readonly background: string
  readonly icon: string
  readonly documents: number | null
  readonly tokens: number | null
  readonly words: number | null
  readonly first_seen_at: number
  readonly seen_at: number
  readonly documents_seen_at: number | null
  readonly gone_at: number | null
  readonly gone_why: GoneReason | null
  readonly running: number
  readonly failed: number
}

interface AccountRow {
  readonly listed_at: number | null
  readonly used_words: number | null
  readonly used_bytes: number | null
  readonly total_words: number | null
  readonly total_bytes: number | null
  readonly capacity_at: number | null
}

const counted = (state: string): string =>
  `(SELECT count(*) FROM knowledge_documents d WHERE d.account_id = b.account_id AND d.base_id = b.id
     AND d.state = '${state}' AND d.gone_at IS NULL)`

const select = `SELECT b.*, ${counted('running')} AS running, ${counted('failed')} AS failed FROM knowledge_bases b`

const orders: Readonly<Record<BaseOrder, string>> = {
  service: 'owner.key, b.place',
  name: 'b.name COLLATE NOCASE, b.place',
  words: 'b.words DESC, b.place',
  documents: 'b.documents DESC, b.place',
  first: 'b.first_seen_at DESC, b.place',
}

/** Local mirror of knowledge bases. */
export function baseMirror(connection: Connection): BaseMirror {
  const get = (accountId: string, id: string): KnowledgeBase | undefined => {
    const row = connection.get<Row>(`${select} WHERE b.account_id = ? AND b.id = ?`, accountId, id)
    return row && toBase(row)
  }
  const mirror = createMirror<ListedBase, readonly [accountId: string]>(connection, {
    idOf: ({ id }) => id,
    put([accountId], base, { place, moves, at }) {
      const values: Value[] = [
        base.name,
        base.description,
        base.embeddingId,
        base.contextual ? 1 : 0,
        base.background,
        base.icon,
        base.documents,
        base.tokens,
        base.words,
      ]
      connection.run(
        `INSERT INTO knowledge_bases(account_id, id, name, description, embedding_id, contextual, background, icon, documents, tokens,
           words, place, first_seen_at, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT(account_id, id) DO UPDATE SET name = excluded.name, description = excluded.description,
           embedding_id = excluded.embedding_id, contextual = excluded.contextual, background = excluded.background,
           icon = excluded.icon, documents = excluded.documents, tokens = excluded.tokens, words = excluded.words,
           place = iif(?, excluded.place, place), seen_at = excluded.seen_at, gone_at = NULL, gone_why = NULL`,
        accountId,
        base.id,
        ...values,
        place,
        at,
        at,
        moves ? 1 : 0,
      )
    },
    firstPlace: ([accountId]) =>
      connection.get<{ readonly place: number | null }>(
        'SELECT min(place) AS place FROM knowledge_bases WHERE account_id = ?',
        accountId,
      )?.place ?? null,
    present: ([accountId]) =>
      connection
        .all<{ readonly id: string }>(
          'SELECT id FROM knowledge_bases WHERE account_id = ? AND gone_at IS NULL',
          accountId,
        )
        .map(({ id }) => id),
    markGone: ([accountId], id, at) => mark(connection, accountId, id, at),
    setListedAt([accountId], at) {
      connection.run(
        `INSERT INTO knowledge_accounts(account_id, listed_at) VALUES (?, ?)
         ON CONFLICT(account_id) DO UPDATE SET listed_at = excluded.listed_at`,
        accountId,
        at,
      )
    },
  })

  return {
    fetch: mirror.begin,
    get,
    accountOf(id, preferredId) {
      const row = connection.get<{ readonly account_id: string }>(
        `SELECT account_id FROM knowledge_bases WHERE id = ?
         ORDER BY gone_at IS NOT NULL, account_id = ? DESC, seen_at DESC LIMIT 1`,
        id,
        preferredId,
      )
      return row?.account_id
    },
    accountIds: () =>
      connection
        .all<{ readonly id: string }>(
          'SELECT DISTINCT account_id AS id FROM knowledge_bases WHERE gone_at IS NULL',
        )
        .map(({ id }) => id),
    list({ accountIds, query, order, offset, limit }) {
      const like = likePattern(query)
      // An ID is pasted in full: parts of it would match everywhere.
      const words = like.map(() => `(b.name || char(10) || b.description) LIKE ? ESCAPE '\\'`)
      const fits = words.length === 0 ? [] : [`(b.id = ? OR ${words.join(' AND ')})`]
      const values = words.length === 0 ? [] : [query.trim(), ...like]
      const owner = 'JOIN json_each(?) owner ON owner.value = b.account_id'
      const where = fits.length === 0 ? '' : `WHERE ${fits.join('')}`
      const total = connection.get<{ readonly n: number }>(
        `SELECT count(*) AS n FROM knowledge_bases b ${owner} ${where}`,
        JSON.stringify(accountIds),
        ...values,
      )
      const rows = connection.all<Row>(
        `${select} ${owner} ${where} ORDER BY b.gone_at IS NOT NULL, ${orders[order]} LIMIT ? OFFSET ?`,
        JSON.stringify(accountIds),
        ...values,
        limit,
        offset,
      )
      return { bases: rows.map(toBase), total: total?.n ?? 0 }
    },
    keepAll: (accountId, bases, at, options = { whole: true }) =>
      mirror.save([accountId], bases, at, options),
    keep(accountId, base, at, fetch) {
      mirror.save([accountId], [base], at, { whole: false, fetch })
      const saved = get(accountId, base.id)
      // It was forgotten while it was fetched.
      if (!saved) throw new AppError('NOT_FOUND', 'Knowledge base not found')
      return saved
    },
    markGone(accountId, id, why, at, fetch) {
      mirror.change([accountId], [id], fetch, () => mark(connection, accountId, id, at, why))
    },
    forget(accountId, id) {
      connection.transaction(() => {
        for (const table of ['knowledge_images', 'knowledge_pictures'])
          connection.run(
            `DELETE FROM ${table} WHERE account_id = ? AND document_id IN
               (SELECT id FROM knowledge_documents WHERE account_id = ? AND base_id = ?)`,
            accountId,
            accountId,
            id,
          )
        for (const [table, column] of [
          ['knowledge_documents', 'base_id'],
          ['knowledge_uploads', 'base_id'],
          ['knowledge_events', 'base_id'],
          ['knowledge_bases', 'id'],
        ] as const)
          connection.run(
            `DELETE FROM ${table} WHERE account_id = ? AND ${column} = ?`,
            accountId,
            id,
          )
      })
    },
    listedAt: (accountId) => accountRow(connection, accountId)?.listed_at ?? null,
    capacity(accountId) {
      const row = accountRow(connection, accountId)
      if (!row || row.capacity_at === null) return null
      return {
        used: { words: row.used_words ?? 0, bytes: row.used_bytes ?? 0 },
        total: { words: row.total_words ?? 0, bytes: row.total_bytes ?? 0 },
        seenAt: row.capacity_at,
      }
    },
    keepCapacity(accountId, { used, total }, at) {
      connection.run(
        `INSERT INTO knowledge_accounts(account_id, used_words, used_bytes, total_words, total_bytes, capacity_at)
           VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT(account_id) DO UPDATE SET used_words = excluded.used_words, used_bytes = excluded.used_bytes,
           total_words = excluded.total_words, total_bytes = excluded.total_bytes, capacity_at = excluded.capacity_at`,
        accountId,
        used.words,
        used.bytes,
        total.words,
        total.bytes,
        at,
      )
    },
  }
}

const accountRow = (connection: Connection, accountId: string): AccountRow | undefined =>
  connection.get<AccountRow>('SELECT * FROM knowledge_accounts WHERE account_id = ?', accountId)

function mark(
  connection: Connection,
  accountId: string,
  id: string,
  at: number,
  why: GoneReason = 'unlisted',
): void {
  connection.run(
    'UPDATE knowledge_bases SET gone_at = ?, gone_why = ? WHERE account_id = ? AND id = ? AND gone_at IS NULL',
    at,
    why,
    accountId,
    id,
  )
}

const toBase = (row: Row): KnowledgeBase => ({
  accountId: row.account_id,
  id: row.id,
  name: row.name,
  description: row.description,
  embeddingId: row.embedding_id,
  contextual: row.contextual === 1,
  background: row.background,
  icon: row.icon,
  documents: row.documents,
  tokens: row.tokens,
  words: row.words,
  firstSeenAt: row.first_seen_at,
  seenAt: row.seen_at,
  documentsSeenAt: row.documents_seen_at,
  gone: row.gone_at === null ? null : { why: row.gone_why ?? 'unlisted', at: row.gone_at },
  running: row.running,
  failed: row.failed,
})
