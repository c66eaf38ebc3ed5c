import type { State } from '../state.ts'

export type TaskKind = 'chat' | 'video' | 'image'

/** A task: created by a request, and completed once its time has passed and a client requests its result. */
export interface Task {
  readonly id: string
  readonly kind: TaskKind
  /** As spelled by the client. */
  readonly model: string
  readonly requestId: string
  /** Parameters of the task type, as JSON. */
  readonly order: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** Until this time (Unix milliseconds) the task is processing. */
  readonly readyAt: number
  /** Fields of the result as JSON; null until there is one. */
  readonly result: string | null
}

/** Opens the table `tasks`: a restart neither loses nor restarts a task. */
export function taskStore(state: State) {
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
    /** Removes the tasks created before a time (Unix milliseconds). */
    forgetBefore: (moment: number) =>
      void state.prepare('DELETE FROM tasks WHERE created_at < ?').run(moment),
    add: ({ id, kind, model, requestId, order, createdAt, readyAt }: Omit<Task, 'result'>) =>
      void state
        .prepare('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
        .run(id, kind, model, requestId, order, createdAt, readyAt),
    /** Saves the first result of a task and returns the saved one. */
    finish(id: string, result: string): string {
      state.prepare('UPDATE tasks SET result = ? WHERE id = ? AND result IS NULL').run(result, id)
      return get(id)?.result ?? result
    },
  }
}
