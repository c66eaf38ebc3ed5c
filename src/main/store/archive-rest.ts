import type Database from 'better-sqlite3'

/** Work that would be paid for once more where it went on: which rows it is, and how they rest instead. */
interface Rest {
  readonly table: string
  /** The column that tells which rows came, and the table that handed their numbers out. */
  readonly by: readonly [column: string, table: string]
  readonly open: readonly string[]
  readonly set: string
}

const rests: readonly Rest[] = [
  {
    table: 'speech_pieces',
    by: ['seq', 'speech_pieces'],
    open: ['queued', 'speaking', 'checking'],
    set: `state = CASE WHEN take_seq IS NULL THEN 'idle' WHEN state = 'checking' THEN 'done' ELSE 'stale' END,
      next_try_at = NULL, error = NULL`,
  },
  {
    table: 'retrieval_rows',
    by: ['run_seq', 'retrieval_runs'],
    open: ['queued', 'running', 'waiting'],
    set: `state = 'stopped', next_try_at = NULL`,
  },
  {
    table: 'retrieval_runs',
    by: ['seq', 'retrieval_runs'],
    open: ['running'],
    set: `state = 'stopped', waiting = 0, ended_at = created_at`,
  },
  {
    table: 'embedding_runs',
    by: ['seq', 'embedding_runs'],
    open: ['running', 'waiting'],
    set: `state = 'cancelled', ended_at = updated_at, error = NULL`,
  },
  {
    table: 'rankings',
    by: ['seq', 'rankings'],
    open: ['running'],
    set: `state = 'broken', ended_at = updated_at`,
  },
]

const listed = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ')

/** Lets what came with a merge rest: where it came from, it may go on. */
export function restWhatCame(db: Database.Database): void {
  for (const { table, by, open, set } of rests)
    db.exec(`UPDATE main.${table} SET ${set} WHERE state IN (${listed(open)})
      AND ${by[0]} IN (SELECT new FROM temp.map_${by[1]})`)
}

/**
 * Lets everything rest in a library of the past: since then it may have been sent. What can be looked for at the service is looked for
 * before it is sent once more.
 */
export function restWhatWas(db: Database.Database): void {
  for (const { table, open, set } of rests)
    db.exec(`UPDATE main.${table} SET ${set} WHERE state IN (${listed(open)})`)
  db.exec(`
    UPDATE main.voice_clones SET state = 'cloning' WHERE state IN ('waiting', 'uploading');
    UPDATE main.knowledge_uploads SET attempts = max(attempts, 1) WHERE state IN ('queued', 'sending', 'waiting')`)
}
