import { z } from 'zod'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type { WrittenFile } from '../../../../shared/model/work.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Work that writes a file on this computer; no longer a row when the user has its result. */
export interface FileJobRecord {
  readonly id: string
  /** Route of the export. */
  readonly kind: string
  readonly request: Readonly<Record<string, unknown>>
  readonly state: 'queued' | 'running' | 'ready' | 'failed'
  /** Number of times that it was started. */
  readonly starts: number
  /** Result that the user has not saved yet. */
  readonly file: WrittenFile | null
  readonly error: Failure | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** File jobs that the next start continues or lists. */
export interface FileJobStore {
  /** Oldest first; without rows that no version of Lectern writes. */
  list(): readonly FileJobRecord[]
  put(job: FileJobRecord): void
  remove(id: string): void
}

/** A row, whose values others may have written. */
const row = z.object({
  id: z.string().min(1).max(64),
  kind: z.string().max(64),
  request: z.string().max(10_000_000),
  state: z.enum(['queued', 'running', 'ready', 'failed']),
  starts: z.number(),
  media_id: z.string().nullable(),
  name: z.string().max(1024).nullable(),
  error: z.string().nullable(),
  created_at: z.number(),
})
const request = z.record(z.string(), z.unknown())

/** Maximum number of rows that are read. */
const maxRows = 1000

export const fileJobStore = (connection: Connection): FileJobStore => ({
  list: () =>
    connection
      .all(`SELECT * FROM file_jobs ORDER BY created_at, rowid LIMIT ${maxRows}`)
      .flatMap((value): FileJobRecord[] => {
        const read = row.safeParse(value)
        const asked = request.safeParse(parsed(read.data?.request ?? null))
        if (!read.success || !asked.success) return []
        const {
          id,
          kind,
          state,
          starts,
          media_id: mediaId,
          name,
          created_at: createdAt,
        } = read.data
        const file = mediaId !== null && name !== null ? { mediaId, name } : null
        const error = parsed<Failure>(read.data.error)
        return [{ id, kind, request: asked.data, state, starts, file, error, createdAt }]
      }),
  put({ id, kind, request: asked, state, starts, file, error, createdAt }) {
    connection.run(
      `INSERT INTO file_jobs (id, kind, request, state, starts, created_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT(id) DO NOTHING`,
      id,
      kind,
      JSON.stringify(asked),
      state,
      starts,
      createdAt,
    )
    connection.run(
      'UPDATE file_jobs SET state = ?, starts = ?, media_id = ?, name = ?, error = ? WHERE id = ?',
      state,
      starts,
      file?.mediaId ?? null,
      file?.name ?? null,
      error && JSON.stringify(error),
      id,
    )
  },
  remove: (id) => void connection.run('DELETE FROM file_jobs WHERE id = ?', id),
})
