import type {
  EmbeddingState,
  GoneReason,
  KnowledgeDocument,
} from '../../../../shared/model/knowledge.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { hasComeSql } from '../../../platform/database/due.ts'
import { type Fetch, createMirror } from '../../../mirror/mirror.ts'
import { likePattern } from './knowledge-like-patterns.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Fields of a document as listed by a provider. */
export type ListedDocument = Pick<
  KnowledgeDocument,
  | 'id'
  | 'name'
  | 'url'
  | 'knowledgeType'
  | 'separators'
  | 'sentenceSize'
  | 'tokens'
  | 'words'
  | 'state'
  | 'failure'
>

/** A document whose embedding is running, and how often it was polled. */
export interface DuePoll {
  readonly accountId: string
  readonly baseId: string
  readonly id: string
  readonly polls: number
  readonly firstSeenAt: number
}

/** Documents of knowledge bases as listed. */
export interface DocumentMirror {
  /** Like {@link BaseMirror.fetch}. */
  fetch(): Fetch
  /** In the provider's order, removed ones last. */
  list(query: {
    readonly accountId: string
    readonly baseId: string
    readonly query: string
    /** Null means all. */
    readonly state: EmbeddingState | null
    readonly offset: number
    readonly limit: number
  }): { readonly documents: readonly KnowledgeDocument[]; readonly total: number }
  /** Returns how many listed documents of a knowledge base are running and failed. */
  counts(
    accountId: string,
    baseId: string,
  ): { readonly running: number; readonly failed: number; readonly all: number }
  get(accountId: string, baseId: string, id: string): KnowledgeDocument | undefined
  /** Returns the listed documents of a knowledge base in this state. */
  inState(accountId: string, baseId: string, state: EmbeddingState): readonly KnowledgeDocument[]
  /**
   * Saves a list in its order. If it is `whole`, entries not in it are marked as no longer listed, and the list time of the
   * knowledge base is updated.
   */
  keepAll(
    accountId: string,
    baseId: string,
    documents: readonly ListedDocument[],
    at: number,
    options: { readonly whole: boolean; readonly fetch?: Fetch },
  ): void
  markGone(
    accountId: string,
    baseId: string,
    ids: readonly string[],
    why: GoneReason,
    at: number,
    fetch?: Fetch,
  ): void
  /** Returns running documents that are due for polling, longest overdue first. */
  due(at: number, limit: number): readonly DuePoll[]
  /** Returns when the next is due; null when none is running. */
  nextDue(): number | null
  plan(poll: DuePoll, nextPollAt: number): void
  /** Makes running documents of an account (null: all accounts) due at this time if they were due later. */
  wake(accountId: string | null, at: number): void
}

interface Row {
  readonly account_id: string
  readonly base_id: string
  readonly id: string
  readonly name: string
  readonly url: string | null
  readonly knowledge_type: number | null
  readonly separators: string
  readonly sentence_size: number | null
  readonly tokens: number | null
  readonly words: number | null
  readonly state: EmbeddingState
  readonly failure: string | null
  readonly first_seen_at: number
  readonly seen_at: number
  readonly polls: number
  readonly gone_at: number | null
  readonly gone_why: GoneReason | null
}

/** Delay of the first status check of a running document, in milliseconds. */
const firstPollMs = 1000

const ofBase = 'account_id = ? AND base_id = ?'

type DocumentScope = readonly [accountId: string, baseId: string]

/** Local mirror of documents. */
export function documentMirror(connection: Connection): DocumentMirror {
  const mark = (
    [accountId, baseId]: DocumentScope,
    id: string,
    why: GoneReason,
    at: number,
  ): void => {
    connection.run(
      `UPDATE knowledge_documents SET gone_at = ?, gone_why = ?, next_poll_at = NULL WHERE ${ofBase} AND id = ?`,
      at,
      why,
      accountId,
      baseId,
      id,
    )
  }
  const mirror = createMirror<ListedDocument, DocumentScope>(connection, {
    idOf: ({ id }) => id,
    // A running document is polled soon; one that was already running keeps its schedule.
    put([accountId, baseId], document, { place, moves, at }) {
      const due = document.state === 'running' ? at + firstPollMs : null
      const values: Value[] = [
        document.name,
        document.url,
        document.knowledgeType,
        JSON.stringify(document.separators),
        document.sentenceSize,
        document.tokens,
        document.words,
        document.state,
        document.failure && JSON.stringify(document.failure),
      ]
      connection.run(
        `INSERT INTO knowledge_documents(account_id, base_id, id, name, url, knowledge_type, separators, sentence_size, tokens, words,
         state, failure, place, first_seen_at, seen_at, next_poll_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT(account_id, base_id, id) DO UPDATE SET name = excluded.name, url = excluded.url,
         knowledge_type = excluded.knowledge_type, separators = excluded.separators, sentence_size = excluded.sentence_size,
         tokens = excluded.tokens, words = excluded.words, failure = excluded.failure, place = iif(?, excluded.place, place),
         seen_at = excluded.seen_at, gone_at = NULL, gone_why = NULL,
         polls = iif(excluded.state = 'running' AND state = 'running', polls, 0),
         next_poll_at = iif(excluded.state <> 'running', NULL,
           iif(state = 'running', coalesce(next_poll_at, excluded.next_poll_at), excluded.next_poll_at)),
         state = excluded.state`,
        accountId,
        baseId,
        document.id,
        ...values,
        place,
        at,
        at,
        due,
        moves ? 1 : 0,
      )
    },
    firstPlace: (scope) =>
      connection.get<{ readonly place: number | null }>(
        `SELECT min(place) AS place FROM knowledge_documents WHERE ${ofBase}`,
        ...scope,
      )?.place ?? null,
    present: (scope) =>
      connection
        .all<{ readonly id: string }>(
          `SELECT id FROM knowledge_documents WHERE ${ofBase} AND gone_at IS NULL`,
          ...scope,
        )
        .map(({ id }) => id),
    markGone: (scope, id, at) => mark(scope, id, 'unlisted', at),
    setListedAt(scope, at) {
      connection.run(
        'UPDATE knowledge_bases SET documents_seen_at = ? WHERE account_id = ? AND id = ?',
        at,
        ...scope,
      )
    },
  })
  const all = (sql: string, ...values: Value[]): readonly KnowledgeDocument[] =>
    connection.all<Row>(sql, ...values).map(toDocument)

  return {
    fetch: mirror.begin,
    list({ accountId, baseId, query, state, offset, limit }) {
      const like = likePattern(query)
      const where = [
        ofBase,
        ...like.map(() => `name LIKE ? ESCAPE '\\'`),
        ...(state === null ? [] : ['state = ? AND gone_at IS NULL']),
      ].join(' AND ')
      const values = [accountId, baseId, ...like, ...(state === null ? [] : [state])]
      const total = connection.get<{ readonly n: number }>(
        `SELECT count(*) AS n FROM knowledge_documents WHERE ${where}`,
        ...values,
      )
      const documents = all(
        `SELECT * FROM knowledge_documents WHERE ${where} ORDER BY gone_at IS NOT NULL, place, first_seen_at DESC LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return { documents, total: total?.n ?? 0 }
    },
    counts(accountId, baseId) {
      const row = connection.get<{
        readonly running: number
        readonly failed: number
        readonly n: number
      }>(
        `SELECT coalesce(sum(state = 'running'), 0) AS running, coalesce(sum(state = 'failed'), 0) AS failed, count(*) AS n
         FROM knowledge_documents WHERE ${ofBase} AND gone_at IS NULL`,
        accountId,
        baseId,
      )
      return { running: row?.running ?? 0, failed: row?.failed ?? 0, all: row?.n ?? 0 }
    },
    get: (accountId, baseId, id) =>
      all(`SELECT * FROM knowledge_documents WHERE ${ofBase} AND id = ?`, accountId, baseId, id)[0],
    inState: (accountId, baseId, state) =>
      all(
        `SELECT * FROM knowledge_documents WHERE ${ofBase} AND state = ? AND gone_at IS NULL ORDER BY place`,
        accountId,
        baseId,
        state,
      ),
    keepAll(accountId, baseId, documents, at, options) {
      mirror.save([accountId, baseId], documents, at, options)
    },
    markGone(accountId, baseId, ids, why, at, fetch) {
      const scope = [accountId, baseId] as const
      connection.transaction(() =>
        mirror.change(scope, ids, fetch, (id) => mark(scope, id, why, at)),
      )
    },
    due: (at, limit) =>
      connection
        .all<Row>(
          `SELECT d.* FROM knowledge_documents d LEFT JOIN knowledge_bases b ON b.account_id = d.account_id AND b.id = d.base_id
           WHERE ${hasComeSql('d.next_poll_at')} AND b.gone_at IS NULL ORDER BY d.next_poll_at LIMIT ?`,
          at,
          at,
          limit,
        )
        .map((row) => ({
          accountId: row.account_id,
          baseId: row.base_id,
          id: row.id,
          polls: row.polls,
          firstSeenAt: row.first_seen_at,
        })),
    nextDue: () =>
      connection.get<{ readonly at: number | null }>(
        `SELECT min(d.next_poll_at) AS at FROM knowledge_documents d
           LEFT JOIN knowledge_bases b ON b.account_id = d.account_id AND b.id = d.base_id
         WHERE d.next_poll_at IS NOT NULL AND b.gone_at IS NULL`,
      )?.at ?? null,
    plan({ accountId, baseId, id, polls }: DuePoll, nextPollAt) {
      connection.run(
        `UPDATE knowledge_documents SET polls = ?, next_poll_at = ? WHERE ${ofBase} AND id = ? AND state = 'running'`,
        polls + 1,
        nextPollAt,
        accountId,
        baseId,
        id,
      )
    },
    wake(accountId, at) {
      connection.run(
        `UPDATE knowledge_documents SET next_poll_at = ? WHERE next_poll_at > ? AND (? IS NULL OR account_id = ?)`,
        at,
        at,
        accountId,
        accountId,
      )
    },
  }
}

const toDocument = (row: Row): KnowledgeDocument => ({
  accountId: row.account_id,
  baseId: row.base_id,
  id: row.id,
  name: row.name,
  url: row.url,
  knowledgeType: row.knowledge_type,
  separators: parsed<readonly string[]>(row.separators) ?? [],
  sentenceSize: row.sentence_size,
  tokens: row.tokens,
  words: row.words,
  state: row.state,
  failure: parsed<NonNullable<KnowledgeDocument['failure']>>(row.failure),
  firstSeenAt: row.first_seen_at,
  seenAt: row.seen_at,
  gone: row.gone_at === null ? null : { why: row.gone_why ?? 'unlisted', at: row.gone_at },
})
