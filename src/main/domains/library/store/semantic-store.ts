import type { Failure } from '../../../../shared/contract/reply.ts'
import {
  type SemanticChoice,
  type SemanticState,
  meaningKinds,
  type MeaningKind,
} from '../../../../shared/model/semantic.ts'
import { assignments } from '../../../platform/database/assignments.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { replaceChunks, type SavedChunks } from './semantic-chunks.ts'
import { scopeRangeSql, scopeSql, scopeValues } from './semantic-scope.ts'
import type { SendSemanticRequest } from './semantic-search-worker.ts'
import type { MeaningScope } from './semantic-types.ts'
import { spaceId, type VectorSpace } from '../../knowledge/store/index.ts'

/** A semantic index of the Library, with its content. */
export interface IndexRecord extends SemanticChoice {
  readonly id: number
  readonly accountName: string
  readonly space: VectorSpace
  readonly state: SemanticState
  readonly error: Failure | null
  readonly engine: string | null
  readonly notice: string | null
  readonly done: number
  readonly waiting: number
  readonly failed: number
  readonly chunks: number
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly usedAt: number
}

/** Changeable fields of an index. */
export type IndexPatch = Partial<
  Pick<
    IndexRecord,
    | 'state'
    | 'error'
    | 'engine'
    | 'notice'
    | 'kinds'
    | 'since'
    | 'accountId'
    | 'accountName'
    | 'usedAt'
  >
>

/** Semantic search of the Library: embedded items, and the requests a worker answers about them. */
export interface SemanticStore {
  /** Most recently used first. */
  indexes(): readonly IndexRecord[]
  /** Running and waiting ones, oldest first. */
  open(): readonly Pick<IndexRecord, 'id' | 'accountId' | 'model' | 'dimensions' | 'state'>[]
  get(id: number): IndexRecord | undefined
  bySpace(space: VectorSpace): IndexRecord | undefined
  create(index: {
    readonly choice: SemanticChoice
    readonly space: VectorSpace
    readonly accountName: string
    readonly at: number
  }): IndexRecord
  /** Returns the changed index; undefined when it no longer exists. */
  update(id: number, patch: IndexPatch): IndexRecord | undefined
  /** Its chunks are deleted in steps. */
  remove(id: number): void
  /**
   * Marks all items of the scope that are new, changed or (with `again`) failed as waiting; returns how many are waiting now.
   */
  enqueue(id: number, scope: MeaningScope, again: boolean): number
  /** Marks new and changed items of the scope as waiting, some in each step. */
  enqueueSteps(id: number, scope: MeaningScope): Generator<undefined, void>
  /** Waiting items, newest first. */
  waiting(id: number, limit: number): readonly number[]
  /** Returns waiting items to their previous state. */
  unqueue(id: number): void
  /** Marks an item as failed because the provider rejected its text. */
  fail(id: number, itemSeq: number, stamp: number, error: Failure): void
  /**
   * Replaces the item's chunks, a few in each step; at the end the item is done. Their vectors are in the cache.
   */
  keep(id: number, itemSeq: number, chunks: SavedChunks): Generator<undefined, void>
  /** Sends a request off the main thread. */
  readonly ask: SendSemanticRequest
}

/** Number of items that a step of `enqueueSteps` reads. */
const itemsAtOnce = 1000

const columns = {
  state: 'state',
  error: 'error',
  engine: 'engine',
  notice: 'notice',
  kinds: 'kinds',
  since: 'since',
  accountId: 'account_id',
  accountName: 'account_name',
  usedAt: 'used_at',
} as const satisfies Record<keyof IndexPatch, string>

const selectIndexes = `
  SELECT x.*, v.space, v.model AS wire_model, v.dimensions,
    (SELECT count(*) FROM semantic_items s WHERE s.index_id = x.id AND s.state = 'done') AS done,
    (SELECT count(*) FROM semantic_items s WHERE s.index_id = x.id AND s.state = 'waiting') AS waiting,
    (SELECT count(*) FROM semantic_items s WHERE s.index_id = x.id AND s.state = 'failed') AS failed,
    (SELECT coalesce(sum(chunks), 0) FROM semantic_items s WHERE s.index_id = x.id) AS chunks
  FROM semantic_indexes x JOIN vector_spaces v ON v.id = x.space_id`

/** Creates the store of semantic indexes. */
export function semanticStore(
  connection: Connection,
  { ask, settle }: { readonly ask: SendSemanticRequest; settle(): void },
): SemanticStore {
  const get = (id: number): IndexRecord | undefined => {
    const row = connection.get<IndexRow>(`${selectIndexes} WHERE x.id = ?`, id)
    return row && readIndex(row)
  }

  return {
    ask,
    get,
    indexes: () =>
      connection
        .all<IndexRow>(`${selectIndexes} ORDER BY x.used_at DESC, x.id DESC`)
        .map(readIndex),
    open: () =>
      connection.all(
        `SELECT x.id, x.account_id AS accountId, x.model, v.dimensions, x.state
         FROM semantic_indexes x JOIN vector_spaces v ON v.id = x.space_id
         WHERE x.state IN ('running', 'waiting') ORDER BY x.id`,
      ),
    bySpace({ space, model, dimensions }) {
      const row = connection.get<IndexRow>(
        `${selectIndexes} WHERE v.space = ? AND v.model = ? AND v.dimensions = ?`,
        space,
        model,
        dimensions,
      )
      return row && readIndex(row)
    },
    create: ({ choice, space, accountName, at }) =>
      connection.transaction(() => {
        const { lastId } = connection.run(
          `INSERT INTO semantic_indexes(space_id, account_id, account_name, model, kinds, since, state, created_at, used_at)
           VALUES (?, ?, ?, ?, ?, ?, 'idle', ?, ?)`,
          spaceId(connection, space),
          choice.accountId,
          accountName,
          choice.model,
          JSON.stringify(choice.kinds),
          choice.since,
          at,
          at,
        )
        const made = get(lastId)
        if (!made) throw new Error('The index was not created')
        return made
      }),
    update(id, patch) {
      const { sets, values } = assignments(columns, patch)
      if (sets.length > 0)
        connection.run(`UPDATE semantic_indexes SET ${sets.join()} WHERE id = ?`, ...values, id)
      return get(id)
    },
    remove(id) {
      connection.run('DELETE FROM semantic_indexes WHERE id = ?', id)
      settle()
    },
    enqueue: (id, scope, again) =>
      connection.transaction(() => {
        connection.run(
          `INSERT INTO semantic_items(index_id, item_seq, state)
           SELECT ?, seq, 'waiting' FROM (${scopeSql})
           WHERE state IS NULL OR (state <> 'waiting' AND stamp <> known) OR (? AND state = 'failed')
           ON CONFLICT(index_id, item_seq) DO UPDATE SET state = 'waiting', error = NULL`,
          id,
          ...scopeValues(id, scope),
          again ? 1 : 0,
        )
        return get(id)?.waiting ?? 0
      }),
    *enqueueSteps(id, scope) {
      const last = connection.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM items')
      for (let from = 0; from < (last?.seq ?? 0); from += itemsAtOnce) {
        connection.run(
          `INSERT INTO semantic_items(index_id, item_seq, state)
           SELECT ?, seq, 'waiting' FROM (${scopeRangeSql})
           WHERE state IS NULL OR (state <> 'waiting' AND stamp <> known)
           ON CONFLICT(index_id, item_seq) DO UPDATE SET state = 'waiting', error = NULL`,
          id,
          ...scopeValues(id, scope),
          from,
          from + itemsAtOnce,
        )
        yield
      }
    },
    waiting: (id, limit) =>
      connection
        .all<{ item_seq: number }>(
          `SELECT item_seq FROM semantic_items WHERE index_id = ? AND state = 'waiting'
           ORDER BY item_seq DESC LIMIT ?`,
          id,
          limit,
        )
        .map((row) => row.item_seq),
    unqueue(id) {
      connection.transaction(() => {
        connection.run(
          `UPDATE semantic_items SET state = 'done' WHERE index_id = ? AND state = 'waiting' AND stamp > 0`,
          id,
        )
        connection.run(`DELETE FROM semantic_items WHERE index_id = ? AND state = 'waiting'`, id)
      })
    },
    fail(id, itemSeq, stamp, error) {
      connection.run(
        `UPDATE semantic_items SET state = 'failed', stamp = ?, error = ? WHERE index_id = ? AND item_seq = ?`,
        stamp,
        JSON.stringify(error),
        id,
        itemSeq,
      )
    },
    keep: (id, itemSeq, chunks) => replaceChunks(connection, id, itemSeq, chunks),
  }
}

/** A row of `semantic_indexes` with its space and counts. */
interface IndexRow {
  readonly id: number
  readonly account_id: string
  readonly account_name: string
  readonly model: SemanticChoice['model']
  readonly kinds: string
  readonly since: number | null
  readonly state: SemanticState
  readonly error: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly created_at: number
  readonly used_at: number
  readonly space: string
  readonly wire_model: string
  readonly dimensions: number
  readonly done: number
  readonly waiting: number
  readonly failed: number
  readonly chunks: number
}

/** Converts a row to an index record. */
const readIndex = (row: IndexRow): IndexRecord => ({
  id: row.id,
  accountId: row.account_id,
  accountName: row.account_name,
  model: row.model,
  dimensions: row.dimensions,
  kinds: parsed<readonly MeaningKind[]>(row.kinds) ?? meaningKinds,
  since: row.since,
  space: { space: row.space, model: row.wire_model, dimensions: row.dimensions },
  state: row.state,
  error: parsed<Failure>(row.error),
  engine: row.engine,
  notice: row.notice,
  done: row.done,
  waiting: row.waiting,
  failed: row.failed,
  chunks: row.chunks,
  createdAt: row.created_at,
  usedAt: row.used_at,
})
