import type { Failure } from '../../../../shared/contract/reply.ts'
import type { TranscriptionOptions } from '../../../../shared/contract/transcriptions.ts'
import type { Job, JobKind, JobState } from '../../../../shared/model/job.ts'
import { AppError } from '../../../errors.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import type { JobPatch, JobRecord, JobStore } from '../../../library-database/types.ts'

/** A row of `jobs` joined with its item. */
interface JobRow {
  readonly id: string
  readonly kind: JobKind
  readonly item_id: string
  readonly title: string
  readonly state: JobState
  readonly progress: number | null
  readonly stream_id: string | null
  readonly attempts: number
  readonly account_id: string
  readonly options: string
  readonly transcript_id: string | null
  readonly error: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly next_try_at: number | null
}

const select = `SELECT j.*, i.id AS item_id, i.title AS title FROM jobs j JOIN items i ON i.seq = j.item_seq`

const columns = {
  state: 'state',
  progress: 'progress',
  streamId: 'stream_id',
  attempts: 'attempts',
  error: 'error',
  nextTryAt: 'next_try_at',
  transcriptId: 'transcript_id',
  accountId: 'account_id',
} as const satisfies Record<keyof JobPatch, string>

/** Store of persistent jobs (rule 8). A job has the title of its item. */
export function jobStore(connection: Connection): JobStore {
  const get = (id: string): JobRecord | undefined => {
    const row = connection.get<JobRow>(`${select} WHERE j.id = ?`, id)
    return row && toRecord(row)
  }
  const requireValue = (id: string): JobRecord => {
    const job = get(id)
    if (!job) throw new AppError('NOT_FOUND', 'Job not found')
    return job
  }

  return {
    get,
    create(job) {
      const { changes } = connection.run(
        `INSERT INTO jobs(id, kind, item_seq, state, progress, stream_id, attempts, account_id, options, transcript_id,
           error, created_at, updated_at, next_try_at)
         SELECT ?, ?, seq, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM items WHERE id = ?`,
        job.id,
        job.kind,
        job.state,
        job.progress,
        job.streamId,
        job.attempts,
        job.accountId,
        JSON.stringify(job.options),
        job.transcriptId,
        toText(job.error),
        job.createdAt,
        job.updatedAt,
        job.nextTryAt,
        job.itemId,
      )
      if (changes === 0) throw new AppError('NOT_FOUND', 'The item of this job does not exist')
    },
    update(id, patch, at) {
      const changed = (Object.keys(columns) as (keyof JobPatch)[]).filter(
        (field) => patch[field] !== undefined,
      )
      const sets = changed.map((field) => `${columns[field]} = ?`)
      // A resumed job is no longer a finished one that the user dismissed.
      if (patch.state && !isOver(patch.state)) sets.push('dismissed = 0')
      const values = changed.map((field): Value =>
        field === 'error' ? toText(patch.error ?? null) : (patch[field] ?? null),
      )
      return connection.transaction(() => {
        connection.run(
          `UPDATE jobs SET ${[...sets, 'updated_at = ?'].join(', ')} WHERE id = ?`,
          ...values,
          at,
          id,
        )
        return requireValue(id)
      })
    },
    byState(states) {
      if (states.length === 0) return []
      return connection
        .all<JobRow>(
          `${select} WHERE j.state IN (SELECT value FROM json_each(?)) AND j.dismissed = 0
           ORDER BY j.created_at DESC, j.rowid DESC`,
          JSON.stringify(states),
        )
        .map(toRecord)
    },
    byItem(itemId) {
      return connection
        .all<JobRow>(`${select} WHERE i.id = ? ORDER BY j.created_at DESC, j.rowid DESC`, itemId)
        .map(toRecord)
    },
    dismiss(id) {
      connection.transaction(() => {
        if (!isOver(requireValue(id).state))
          throw new AppError('REFUSED', 'The job is not finished yet')
        connection.run('UPDATE jobs SET dismissed = 1 WHERE id = ?', id)
      })
    },
  }
}

/** Returns the newest job of an item that was not dismissed, in the form for the page. */
export function latestJob(connection: Connection, itemSeq: number): Job | null {
  const row = connection.get<JobRow>(
    `${select} WHERE j.item_seq = ? AND j.dismissed = 0 ORDER BY j.created_at DESC, j.rowid DESC LIMIT 1`,
    itemSeq,
  )
  if (!row) return null
  const { options: _options, transcriptId: _transcriptId, ...job } = toRecord(row)
  return job
}

const isOver = (state: JobState): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'

const toText = (error: Failure | null): string | null => (error ? JSON.stringify(error) : null)

function toRecord(row: JobRow): JobRecord {
  return {
    id: row.id,
    kind: row.kind,
    itemId: row.item_id,
    title: row.title,
    state: row.state,
    progress: row.progress,
    streamId: row.stream_id,
    attempts: row.attempts,
    accountId: row.account_id,
    error: row.error === null ? null : (JSON.parse(row.error) as Failure),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    nextTryAt: row.next_try_at,
    options: JSON.parse(row.options) as TranscriptionOptions,
    transcriptId: row.transcript_id,
  }
}
