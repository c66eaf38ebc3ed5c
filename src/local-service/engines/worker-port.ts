import { setImmediate as turn } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { EngineFailure, type EngineEvent, type EngineRequest } from './worker-messages.ts'

/** Fails a worker job with one of the engine's own failure codes; any other error is reported as `failed`. */
export class JobProblem<Own extends string = never> extends EngineFailure<Own> {}

/** Functions available to a running job. */
export interface JobScope<Progress> {
  progress(value: Progress): void
  /**
   * Whether the caller canceled; updated only after the event loop processed messages, as in {@link JobScope.step}.
   */
  cancelled(): boolean
  /** Awaited between two steps: lets messages be processed and throws if the caller canceled. */
  step(): Promise<void>
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/**
 * Returns what loads a model with the first job that needs it, and again after a failure: the model may have been installed in
 * the meantime. Throws `engine-unavailable` with the given reason, or with that of the failure.
 */
export function modelLoader<Model>(
  load: () => Promise<Model>,
  reason?: string,
): () => Promise<Model> {
  let model: Promise<Model> | undefined
  return async () => {
    model ??= load()
    try {
      return await model
    } catch (error) {
      model = undefined
      throw new JobProblem('engine-unavailable', reason ?? reasonOf(error))
    }
  }
}

/**
 * Runs an engine's jobs inside its worker, one after the other. `transferOf` returns the buffers of a result to
 * transfer.
 */
export function serveJobs<Request, Progress, Outcome, Own extends string = never>(
  port: MessagePort,
  work: (request: Request, scope: JobScope<Progress>) => Promise<Outcome>,
  transferOf: (outcome: Outcome) => readonly ArrayBuffer[] = () => [],
): void {
  const cancelled = new Set<number>()
  const post = (
    event: EngineEvent<Progress, Outcome, Own>,
    transfer: readonly ArrayBuffer[] = [],
  ): void => port.postMessage(event, [...transfer])

  const answer = async (id: number, request: Request): Promise<void> => {
    const scope: JobScope<Progress> = {
      progress: (progress) => post({ type: 'progress', id, progress }),
      cancelled: () => cancelled.has(id),
      async step() {
        await turn()
        if (cancelled.has(id)) throw new JobProblem('cancelled', 'The client disconnected')
      },
    }
    try {
      const outcome = await work(request, scope)
      post({ type: 'done', id, outcome }, transferOf(outcome))
    } catch (error) {
      const trouble = error instanceof JobProblem ? (error as JobProblem<Own>).trouble : 'failed'
      post({ type: 'failed', id, trouble, reason: reasonOf(error) })
    } finally {
      cancelled.delete(id)
    }
  }

  let queue = Promise.resolve()
  port.on('message', (message: EngineRequest<Request>) => {
    if (message.type === 'cancel') cancelled.add(message.id)
    else queue = queue.then(() => answer(message.id, message.request))
  })
}
