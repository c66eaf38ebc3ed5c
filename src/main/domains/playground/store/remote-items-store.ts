import type { Failure } from '../../../../shared/contract/reply.ts'
import {
  versionOwnerOf,
  type RemoteItemKind,
  type RemoteItemState,
} from '../../../../shared/model/remote-item.ts'
import { assignments } from '../../../platform/database/assignments.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { removeSavedFiles } from './saved-files-store.ts'
import { fits } from '../../../platform/database/like.ts'
import type {
  RemoteItemPatch,
  RemoteItemRecord,
  RemoteItemStore,
  RemoteItemVersionRecord,
} from './remote-items-types.ts'

interface Row {
  readonly id: string
  readonly kind: RemoteItemKind
  readonly account_id: string
  readonly account_name: string
  readonly remote_id: string
  readonly asked: string
  readonly title: string
  readonly named: number
  readonly model: string | null
  readonly status: string | null
  readonly state: RemoteItemState
  readonly attempts: number
  readonly failures: number
  readonly interval_ms: number
  readonly next_poll_at: number | null
  readonly error: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly versions: number
  readonly created_at: number
  readonly updated_at: number
  readonly fetched_at: number | null
}

const columns = {
  asked: 'asked',
  title: 'title',
  named: 'named',
  model: 'model',
  status: 'status',
  state: 'state',
  attempts: 'attempts',
  failures: 'failures',
  intervalMs: 'interval_ms',
  nextPollAt: 'next_poll_at',
  error: 'error',
  engine: 'engine',
  notice: 'notice',
  fetchedAt: 'fetched_at',
  words: 'words',
} as const satisfies Record<keyof RemoteItemPatch, string>

/** All columns of a row except the searchable text, which can be long. */
const shown = `id, kind, account_id, account_name, remote_id, asked, title, named, model, status, state, attempts, failures,
  interval_ms, next_poll_at, error, engine, notice, versions, created_at, updated_at, fetched_at`
const alive = 'removed_at IS NULL'

/** Store of items fetched from the provider (service-notes 13 and 10), as rows that survive a crash (rule 8). */
export function remoteItemStore(connection: Connection): RemoteItemStore {
  const one = (where: string, ...values: Value[]): RemoteItemRecord | undefined => {
    const row = connection.get<Row>(
      `SELECT ${shown} FROM lookups WHERE ${where} AND ${alive}`,
      ...values,
    )
    return row && toRecord(row)
  }
  const get = (id: string): RemoteItemRecord | undefined => one('id = ?', id)

  return {
    get,
    find: (kind, accountId, remoteId) =>
      one('kind = ? AND account_id = ? AND remote_id = ?', kind, accountId, remoteId),
    create(item) {
      connection.transaction(() => {
        // A removed item makes room for the new one: its content is fetched again.
        const sql =
          'SELECT id FROM lookups WHERE kind = ? AND account_id = ? AND remote_id = ? AND removed_at IS NOT NULL'
        const { kind, accountId, remoteId } = item
        const old = connection.get<{ readonly id: string }>(sql, kind, accountId, remoteId)
        if (old) purgeOne(connection, old.id)
        connection.run(
          `INSERT INTO lookups(id, kind, account_id, account_name, remote_id, asked, title, state, interval_ms, next_poll_at,
             created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          item.id,
          kind,
          accountId,
          item.accountName,
          remoteId,
          JSON.stringify(item.asked),
          item.title,
          item.state,
          item.intervalMs,
          item.nextPollAt,
          item.createdAt,
          item.updatedAt,
        )
      })
    },
    update(id, patch, at) {
      const { sets, values } = assignments(columns, patch)
      connection.run(
        `UPDATE lookups SET ${[...sets, 'updated_at = ?'].join()} WHERE id = ?`,
        ...values,
        at,
        id,
      )
      return get(id)
    },
    list({ kind, query, before, limit }) {
      const found = fits(query, ['title', 'remote_id', 'model', 'words'])
      const after = before === null ? '' : 'AND seq < (SELECT seq FROM lookups WHERE id = ?)'
      const rows = connection.all<Row>(
        `SELECT ${shown} FROM lookups WHERE kind = ? AND ${alive} AND ${found.sql} ${after} ORDER BY seq DESC LIMIT ?`,
        kind,
        ...found.values,
        ...(before === null ? [] : [before]),
        limit + 1,
      )
      const items = rows.slice(0, limit).map(toRecord)
      return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
    },
    unfinished: () =>
      connection
        .all<Row>(
          `SELECT ${shown} FROM lookups WHERE state IN ('asking', 'watching', 'waiting') AND ${alive} ORDER BY seq`,
        )
        .map(toRecord),
    versions: (id) => versionsOf(connection, id),
    addVersion(id, { replyId, status, at }) {
      connection.run(
        `INSERT INTO lookup_versions(lookup_id, number, reply_id, status, at)
         SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ? FROM lookup_versions WHERE lookup_id = ?`,
        id,
        replyId,
        status,
        at,
        id,
      )
      count(connection, id)
      const sql = 'SELECT max(number) AS number FROM lookup_versions WHERE lookup_id = ?'
      return connection.get<{ readonly number: number }>(sql, id)?.number ?? 1
    },
    replaceNewest(id, { replyId, status, at }) {
      const [newest] = versionsOf(connection, id)
      if (!newest) return
      connection.run('DELETE FROM replies WHERE id = ?', newest.replyId)
      connection.run(
        'UPDATE lookup_versions SET reply_id = ?, status = ?, at = ? WHERE lookup_id = ? AND number = ?',
        replyId,
        status,
        at,
        id,
        newest.number,
      )
    },
    trim(id, max) {
      const versions = versionsOf(connection, id)
      // The first version is worth more than intermediate ones.
      const unused = dropVersions(connection, id, versions.slice(Math.max(1, max - 1), -1))
      count(connection, id)
      return unused
    },
    remove: (id, at) =>
      void connection.run('UPDATE lookups SET removed_at = ? WHERE id = ?', at, id),
    restore(id) {
      connection.run('UPDATE lookups SET removed_at = NULL WHERE id = ?', id)
      return get(id)
    },
    purge(before) {
      return connection.transaction(() =>
        connection
          .all<{ readonly id: string }>('SELECT id FROM lookups WHERE removed_at < ?', before)
          .flatMap(({ id }) => purgeOne(connection, id)),
      )
    },
  }
}

function purgeOne(connection: Connection, id: string): readonly string[] {
  const unused = dropVersions(connection, id, versionsOf(connection, id))
  connection.run('DELETE FROM lookups WHERE id = ?', id)
  return unused
}

/** Returns the versions of an item, newest first. */
const versionsOf = (connection: Connection, id: string): readonly RemoteItemVersionRecord[] =>
  connection.all(
    'SELECT number, status, at, reply_id AS replyId FROM lookup_versions WHERE lookup_id = ? ORDER BY number DESC',
    id,
  )

/** Deletes versions with their responses and file rows. Returns media that are no longer used. */
function dropVersions(
  connection: Connection,
  id: string,
  versions: readonly RemoteItemVersionRecord[],
): readonly string[] {
  return versions.flatMap(({ number, replyId }) => {
    connection.run('DELETE FROM replies WHERE id = ?', replyId)
    connection.run('DELETE FROM lookup_versions WHERE lookup_id = ? AND number = ?', id, number)
    return removeSavedFiles(connection, versionOwnerOf(id, number))
  })
}

const count = (connection: Connection, id: string): void =>
  void connection.run(
    'UPDATE lookups SET versions = (SELECT count(*) FROM lookup_versions WHERE lookup_id = id) WHERE id = ?',
    id,
  )

function toRecord(row: Row): RemoteItemRecord {
  return {
    id: row.id,
    kind: row.kind,
    remoteId: row.remote_id,
    accountId: row.account_id,
    accountName: row.account_name,
    asked: JSON.parse(row.asked) as RemoteItemRecord['asked'],
    title: row.title,
    named: row.named === 1,
    model: row.model,
    status: row.status,
    state: row.state,
    attempts: row.attempts,
    failures: row.failures,
    intervalMs: row.interval_ms,
    nextPollAt: row.next_poll_at,
    error: row.error === null ? null : (JSON.parse(row.error) as Failure),
    engine: row.engine,
    notice: row.notice,
    versions: row.versions,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    fetchedAt: row.fetched_at,
  }
}
