import { setImmediate as turn } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import type { EngineEvent, EngineRequest, EngineProblem } from './worker-messages.ts'

/** Ends a job of a worker with a trouble of the engine's own kind; anything else that is thrown is `failed`. */
export class JobProblem<Own extends string = never> extends Error {
  readonly trouble: EngineProblem<Own>

  constructor(trouble: EngineProblem<Own>, reason: string) {
    super(reason)
    this.name = 'JobTrouble'
    this.trouble = trouble
  }
}

/** What a job may do while it runs. */
export interface JobScope<Progress> {
  progress(value: Progress): void
  /** Whether the caller went away; true only after messages were let in, as {@link JobScope.step} does. */
  cancelled(): boolean
  /** To be awaited between two steps: lets messages in and throws when the caller went away. */
  step(): Promise<void>
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Serves an engine's jobs inside its worker, one after the other. `transferOf` names buffers of an outcome to hand over. */
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
        if (cancelled.has(id)) throw new JobProblem('cancelled', 'The caller went away')
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
