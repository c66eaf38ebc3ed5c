import type { State } from '../state.ts'

/** A cloned voice: its name and the location of its sample. */
export interface ClonedVoice {
  readonly id: string
  /** Unique among the cloned voices. */
  readonly name: string
  /** Name of the sample in the media store: WAV, 24 kHz, mono, 16 bit. */
  readonly sample: string
  /** ID of the preview in the files API. */
  readonly fileId: string
  /** Unix milliseconds. */
  readonly createdAt: number
}

const columns = 'id, name, sample, file_id AS fileId, created_at AS createdAt'

/** Opens the table `voices` of cloned voices. */
export function voiceStore(state: State) {
  state.exec(`CREATE TABLE IF NOT EXISTS voices (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, sample TEXT NOT NULL, file_id TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT`)
  return {
    /** Returns false when the name is in use; then nothing is added. */
    add: ({ id, name, sample, fileId, createdAt }: ClonedVoice) =>
      state
        .prepare('INSERT OR IGNORE INTO voices VALUES (?, ?, ?, ?, ?)')
        .run(id, name, sample, fileId, createdAt).changes === 1,
    get: (id: string) =>
      state.prepare<[string], ClonedVoice>(`SELECT ${columns} FROM voices WHERE id = ?`).get(id),
    nameTaken: (name: string) =>
      state.prepare('SELECT 1 FROM voices WHERE name = ?').get(name) !== undefined,
    /** Newest first. */
    list: () =>
      state
        .prepare<[], ClonedVoice>(
          `SELECT ${columns} FROM voices ORDER BY created_at DESC, rowid DESC`,
        )
        .all(),
    remove: (id: string) => void state.prepare('DELETE FROM voices WHERE id = ?').run(id),
  }
}
