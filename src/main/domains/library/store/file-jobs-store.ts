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

interface Row {
  readonly id: string
  readonly kind: string
  readonly request: string
  readonly state: string
  readonly starts: number
  readonly media_id: string | null
  readonly name: string | null
  readonly error: string | null
  readonly created_at: number
}

const states: readonly string[] = ['queued', 'running', 'ready', 'failed']
const isState = (state: string): state is FileJobRecord['state'] => states.includes(state)
const isRequest = (value: unknown): value is FileJobRecord['request'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Maximum number of rows that are read. */
const maxRows = 1000

export const fileJobStore = (connection: Connection): FileJobStore => ({
  list: () =>
    connection
      .all<Row>(`SELECT * FROM file_jobs ORDER BY created_at, rowid LIMIT ${maxRows}`)
      .flatMap(({ id, kind, state, starts, media_id: mediaId, name, ...row }): FileJobRecord[] => {
        // Others may have written the library.
        const request = parsed<unknown>(row.request)
        if (!isState(state) || !isRequest(request)) return []
        const file = mediaId !== null && name !== null ? { mediaId, name } : null
        const error = parsed<Failure>(row.error)
        return [{ id, kind, request, state, starts, file, error, createdAt: row.created_at }]
      }),
  put({ id, kind, request, state, starts, file, error, createdAt }) {
    connection.run(
      `INSERT INTO file_jobs (id, kind, request, state, starts, created_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT(id) DO NOTHING`,
      id,
      kind,
      JSON.stringify(request),
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
