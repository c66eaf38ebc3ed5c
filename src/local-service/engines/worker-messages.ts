/** What any engine's job may end with, beside the troubles of its own kind. */
export type EngineProblem<Own extends string = never> =
  | Own
  | 'engine-unavailable'
  | 'cancelled'
  | 'failed'
  | 'busy'

/** What an engine's worker is asked: a job, or to give one up between two of its steps. */
export type EngineRequest<Request> =
  | { readonly type: 'job'; readonly id: number; readonly request: Request }
  | { readonly type: 'cancel'; readonly id: number }

/** What it answers: any number of `progress`, then `done` or `failed`. Each is a sign of life. */
export type EngineEvent<Progress, Outcome, Own extends string = never> =
  | { readonly type: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly type: 'done'; readonly id: number; readonly outcome: Outcome }
  | {
      readonly type: 'failed'
      readonly id: number
      readonly trouble: EngineProblem<Own>
      readonly reason: string
    }
