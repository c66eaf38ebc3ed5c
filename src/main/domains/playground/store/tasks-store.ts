import type { Failure } from '../../../../shared/contract/reply.ts'
import type { TaskKind, TaskStatus, TaskState } from '../../../../shared/model/task.ts'
import { assignments } from '../../../platform/database/assignments.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { removeSavedFiles } from './saved-files-store.ts'
import { fits } from '../../../platform/database/like.ts'
import type { TaskPatch, TaskRecord, TaskStore } from '../../../library-database/types.ts'

interface Row {
  readonly id: string
  readonly account_id: string
  readonly account_name: string
  readonly task_id: string
  readonly kind: TaskKind | null
  readonly model: string | null
  readonly state: TaskState
  readonly attempts: number
  readonly failures: number
  readonly interval_ms: number
  readonly next_poll_at: number | null
  readonly error: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly reply_id: string | null
  readonly title: string
  readonly named: number
  readonly created_at: number
  readonly updated_at: number
}

const columns = {
  kind: 'kind',
  model: 'model',
  state: 'state',
  attempts: 'attempts',
  failures: 'failures',
  intervalMs: 'interval_ms',
  nextPollAt: 'next_poll_at',
  error: 'error',
  engine: 'engine',
  notice: 'notice',
  replyId: 'reply_id',
  title: 'title',
  named: 'named',
  words: 'words',
} as const satisfies Record<keyof TaskPatch, string>

const statesOf: Readonly<Record<TaskStatus, readonly TaskState[]>> = {
  running: ['processing', 'waiting'],
  done: ['succeeded'],
  failed: ['failed'],
  needsYou: ['refused'],
}

/** Creates the store of tracked tasks (service-notes 9), as rows that survive a crash (rule 8). */
export function taskStore(connection: Connection): TaskStore {
  const get = (id: string): TaskRecord | undefined => {
    const row = connection.get<Row>('SELECT * FROM tasks WHERE id = ? AND removed_at IS NULL', id)
    return row && toRecord(row)
  }

  /** Deletes a task with its reply and the rows of its files. */
  const remove = (id: string): readonly string[] => {
    const row = connection.get<Row>('SELECT * FROM tasks WHERE id = ?', id)
    connection.run('DELETE FROM tasks WHERE id = ?', id)
    connection.run('DELETE FROM replies WHERE id = ?', row?.reply_id ?? null)
    return removeSavedFiles(connection, id)
  }

  return {
    get,
    find(accountId, taskId) {
      const sql = 'SELECT * FROM tasks WHERE account_id = ? AND task_id = ? AND removed_at IS NULL'
      const row = connection.get<Row>(sql, accountId, taskId)
      return row && toRecord(row)
    },
    create(task) {
      connection.run(
        `INSERT INTO tasks(id, account_id, account_name, task_id, kind, model, state, attempts, failures, interval_ms,
           next_poll_at, error, engine, notice, reply_id, title, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        task.id,
        task.accountId,
        task.accountName,
        task.taskId,
        task.kind,
        task.model,
        task.state,
        task.attempts,
        task.failures,
        task.intervalMs,
        task.nextPollAt,
        task.error && JSON.stringify(task.error),
        task.engine,
        task.notice,
        task.replyId,
        task.title === task.taskId ? '' : task.title,
        task.createdAt,
        task.updatedAt,
      )
    },
    update(id, patch, at) {
      const { sets, values } = assignments(columns, patch)
      connection.run(
        `UPDATE tasks SET ${[...sets, 'updated_at = ?'].join()} WHERE id = ?`,
        ...values,
        at,
        id,
      )
      return get(id)
    },
    list({ query, status, before, limit }) {
      const found = fits(query, ['title', 'task_id', 'model', 'kind', 'account_name', 'words'])
      const states = status === undefined ? [] : statesOf[status]
      const stateClause =
        status === undefined ? '' : `AND state IN (${states.map(() => '?').join()})`
      const after =
        before === null
          ? ''
          : 'AND (created_at, rowid) < (SELECT created_at, rowid FROM tasks WHERE id = ?)'
      const rows = connection.all<Row>(
        `SELECT * FROM tasks WHERE removed_at IS NULL AND ${found.sql} ${stateClause} ${after}
         ORDER BY created_at DESC, rowid DESC LIMIT ?`,
        ...found.values,
        ...states,
        ...(before === null ? [] : [before]),
        limit + 1,
      )
      const page = rows.slice(0, limit).map(toRecord)
      return { tasks: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
    },
    unfinished: () =>
      connection
        .all<Row>(
          `SELECT * FROM tasks WHERE state IN ('processing', 'waiting') AND removed_at IS NULL ORDER BY created_at, rowid`,
        )
        .map(toRecord),
    forget: (id, at) => void connection.run('UPDATE tasks SET removed_at = ? WHERE id = ?', at, id),
    restore(which) {
      const one =
        typeof which === 'string'
          ? connection.get<Row>('SELECT * FROM tasks WHERE id = ?', which)
          : connection.get<Row>(
              'SELECT * FROM tasks WHERE account_id = ? AND task_id = ?',
              which.accountId,
              which.taskId,
            )
      if (!one) return undefined
      connection.run('UPDATE tasks SET removed_at = NULL WHERE id = ?', one.id)
      return toRecord(one)
    },
    remove,
    purge(before) {
      return connection.transaction(() =>
        connection
          .all<{ readonly id: string }>('SELECT id FROM tasks WHERE removed_at < ?', before)
          .flatMap(({ id }) => remove(id)),
      )
    },
  }
}

function toRecord(row: Row): TaskRecord {
  return {
    id: row.id,
    taskId: row.task_id,
    title: row.title || row.task_id,
    named: row.named === 1,
    accountId: row.account_id,
    accountName: row.account_name,
    kind: row.kind,
    model: row.model,
    state: row.state,
    attempts: row.attempts,
    failures: row.failures,
    intervalMs: row.interval_ms,
    nextPollAt: row.next_poll_at,
    error: row.error === null ? null : (JSON.parse(row.error) as Failure),
    engine: row.engine,
    notice: row.notice,
    replyId: row.reply_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
