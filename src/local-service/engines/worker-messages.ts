/** Failure codes of all engines, plus the engine's own. */
export type EngineProblem<Own extends string = never> =
  | Own
  | 'engine-unavailable'
  | 'cancelled'
  | 'failed'
  | 'busy'

/** Message to an engine worker: a job, or a request to cancel it between two of its steps. */
export type EngineRequest<Request> =
  | { readonly type: 'job'; readonly id: number; readonly request: Request }
  | { readonly type: 'cancel'; readonly id: number }

/**
 * Message from an engine worker: any number of `progress`, then `done` or `failed`. Each shows that it is alive.
 */
export type EngineEvent<Progress, Outcome, Own extends string = never> =
  | { readonly type: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly type: 'done'; readonly id: number; readonly outcome: Outcome }
  | {
      readonly type: 'failed'
      readonly id: number
      readonly trouble: EngineProblem<Own>
      readonly reason: string
    }

/** Failure of an engine's job, in its worker and for the caller. */
export class EngineFailure<Own extends string = never> extends Error {
  readonly trouble: EngineProblem<Own>

  constructor(trouble: EngineProblem<Own>, message: string) {
    super(message)
    this.name = new.target.name
    this.trouble = trouble
  }
}

/** Start data of an engine's worker (`workerData`). */
export interface EngineWorkerData {
  /** Folder that contains one folder per model. */
  readonly modelsDir: string
}
