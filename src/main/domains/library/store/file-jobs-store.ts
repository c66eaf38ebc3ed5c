import type { Failure } from '../../../../shared/contract/reply.ts'
import type { WrittenFile } from '../../../../shared/model/work.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Work that writes a file on this computer; no longer a row when the user has its result. */
export interface FileJobRecord {
  readonly id: string
  /** Route of the export. */
  readonly kind: string
  readonly request: unknown
  readonly state: 'queued' | 'running' | 'ready' | 'failed'
  /** Result that the user has not saved yet. */
  readonly file: WrittenFile | null
  readonly error: Failure | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** File jobs that the next start continues or lists. */
export interface FileJobStore {
  /** Oldest first. */
  list(): readonly FileJobRecord[]
  put(job: FileJobRecord): void
  remove(id: string): void
}

interface Row {
  readonly id: string
  readonly kind: string
  readonly request: string
  readonly state: FileJobRecord['state']
  readonly file: string | null
  readonly error: string | null
  readonly created_at: number
}

export const fileJobStore = (connection: Connection): FileJobStore => ({
  list: () =>
    connection
      .all<Row>('SELECT * FROM file_jobs ORDER BY created_at, rowid')
      .flatMap(({ id, kind, state, created_at: createdAt, ...row }) => {
        const request = parsed<unknown>(row.request)
        if (request === null) return []
        const [file, error] = [parsed<WrittenFile>(row.file), parsed<Failure>(row.error)]
        return [{ id, kind, request, state, file, error, createdAt }]
      }),
  put({ id, kind, request, state, file, error, createdAt }) {
    connection.run(
      `INSERT INTO file_jobs (id, kind, request, state, file, error, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(id) DO UPDATE SET state = excluded.state, file = excluded.file, error = excluded.error`,
      id,
      kind,
      JSON.stringify(request),
      state,
      file && JSON.stringify(file),
      error && JSON.stringify(error),
      createdAt,
    )
  },
  remove: (id) => void connection.run('DELETE FROM file_jobs WHERE id = ?', id),
})
