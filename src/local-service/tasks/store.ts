import type { State } from '../state.ts'

/** What a task makes. */
export type TaskKind = 'chat' | 'video' | 'image'

/** A task: asked, and done once its time has come and somebody asked for its result. */
export interface Task {
  readonly id: string
  readonly kind: TaskKind
  /** As the caller spelled it. */
  readonly model: string
  readonly requestId: string
  /** What the kind needs, as JSON. */
  readonly order: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** Before this moment (Unix milliseconds) it is processing. */
  readonly readyAt: number
  /** The fields of its result as JSON; null until it was made. */
  readonly result: string | null
}

/** The tasks, kept between starts: a restart neither loses one nor begins it anew. */
export interface TaskStore {
  add(task: Omit<Task, 'result'>): void
  get(id: string): Task | undefined
  /** Keeps the first result of a task, and gives the one that is kept. */
  finish(id: string, result: string): string
  /** Removes those from before a moment (Unix milliseconds). */
  forgetBefore(moment: number): void
}

/** Opens the table `tasks`. */
export function taskStore(state: State): TaskStore {
  state.exec(`CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, model TEXT NOT NULL, request_id TEXT NOT NULL, "order" TEXT NOT NULL,
    created_at INTEGER NOT NULL, ready_at INTEGER NOT NULL, result TEXT
  ) STRICT`)
  const get = (id: string): Task | undefined =>
    state
      .prepare<[string], Task>(
        `SELECT id, kind, model, request_id AS requestId, "order", created_at AS createdAt, ready_at AS readyAt, result
         FROM tasks WHERE id = ?`,
      )
      .get(id)
  return {
    get,
    forgetBefore: (moment) =>
      void state.prepare('DELETE FROM tasks WHERE created_at < ?').run(moment),
    add: ({ id, kind, model, requestId, order, createdAt, readyAt }) =>
      void state
        .prepare('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
        .run(id, kind, model, requestId, order, createdAt, readyAt),
    finish(id, result) {
      state.prepare('UPDATE tasks SET result = ? WHERE id = ? AND result IS NULL').run(result, id)
      return get(id)?.result ?? result
    },
  }
}
