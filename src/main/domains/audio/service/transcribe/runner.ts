import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Job, JobState } from '../../../../../shared/model/job.ts'
import { TranscriptionCut } from '../../../../provider-client/transcription-cut.ts'
import type { StreamHub, StreamWriter } from '../../../../platform/bridge/streams.ts'
import type { Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { JobPatch, JobRecord } from '../../../../library-database/types.ts'
import type { Accounts } from '../../../settings/index.ts'
import {
  callService,
  createDraft,
  keepReply,
  type AttemptDeps,
  type TranscriptDraft,
} from './attempt.ts'
import { isStoreProblem, persist } from '../../../../platform/database/persist.ts'
import { neverSent, planRetry } from '../../../../work-queue/retry-policy.ts'

export interface RunnerDeps extends AttemptDeps {
  readonly accounts: Accounts
  readonly hub: StreamHub
  readonly log: Log
  onJob(job: Job): void
  onLibrary(itemIds: readonly string[]): void
  /** Called with the number of jobs that wait for the network. */
  onWaiting(count: number): void
}

/** Runs the jobs, a few at a time per account, and stores the final result of each. */
export interface Runner {
  /** Runs a queued job as soon as its account has free capacity. */
  enqueue(jobId: string, client?: StreamClient): void
  isActive(jobId: string): boolean
  /** Stops a job permanently; received text is saved. Resolves when it is stopped. */
  cancel(jobId: string): Promise<void>
  /** Queues the unfinished jobs of the database. */
  resume(): void
  /** Retries the waiting jobs of an account now. */
  wake(accountId: string): void
  shutdown(): Promise<void>
}

/** Result of an attempt, for its stream. */
type End = { readonly text: string } | { readonly failure: Failure }

/** Effects of a failed attempt. */
interface After {
  readonly patch: JobPatch
  readonly delayMs: number | null
  /** Whether the job continues at the next start without an error. */
  readonly silent: boolean
}

const unfinished: ReadonlySet<JobState> = new Set(['queued', 'running', 'waiting'])
/** Maximum time in milliseconds that a stop waits for the running attempt. */
const stopMs = 2_000
/** Number of attempts after which a job that was running during a crash is not restarted automatically. */
const deadlyAttempts = 10

interface Active {
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Creates the runner. States are stored in rows; this object only tracks what runs in this process. */
export function createRunner(deps: RunnerDeps): Runner {
  const { store, clock, ids } = deps
  const active = new Map<string, Active>()
  const queue: { readonly jobId: string; readonly client: StreamClient | undefined }[] = []
  const timers = new Map<string, NodeJS.Timeout>()
  /**
   * Consecutive failures that never left this computer, by job: they lengthen the delay but do not count as attempts.
   */
  const offline = new Map<string, number>()
  const closing = new AbortController()

  const changed = (job: JobRecord): void => {
    deps.onJob(job)
    deps.onWaiting(store.jobs.byState(['waiting']).length)
  }
  const update = (id: string, patch: Parameters<typeof store.jobs.update>[1]): JobRecord => {
    const job = store.jobs.update(id, patch, clock())
    changed(job)
    return job
  }

  const lanes = (accountId: string): number =>
    store.accounts.get(accountId)?.profile.concurrency ?? 1
  const busy = (accountId: string): number =>
    [...active.keys()].filter((id) => store.jobs.get(id)?.accountId === accountId).length

  /** Starts every queued job whose account has free capacity, in order. */
  const pump = (): void => {
    for (let index = 0; index < queue.length && !closing.signal.aborted;) {
      const entry = queue[index]
      const job = entry && store.jobs.get(entry.jobId)
      if (!entry || !job || job.state !== 'queued') {
        queue.splice(index, 1)
      } else if (busy(job.accountId) < lanes(job.accountId)) {
        queue.splice(index, 1)
        begin(job, entry.client)
      } else {
        index += 1
      }
    }
  }

  const begin = (job: JobRecord, client: StreamClient | undefined): void => {
    const controller = new AbortController()
    // Registered before the first step runs, so that a job is never started twice.
    const done = Promise.resolve()
      .then(() => attempt(job, client, controller.signal))
      .catch((error: unknown) => deps.log.error('failed to run a transcription', { error }))
      .finally(() => {
        active.delete(job.id)
        pump()
      })
    active.set(job.id, { controller, done })
  }

  const attempt = async (
    job: JobRecord,
    client: StreamClient | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    const draft = createDraft(deps, job, store.accounts.get(job.accountId)?.name ?? '')
    const writer = deps.hub.open(client?.streamId ?? ids(), {
      connectionIds: client ? [client.connectionId] : [],
      beforePush: (text) => draft.save(text),
    })
    const end = await runToEnd(job, draft, writer, signal).catch((error: unknown): End => {
      if (store.jobs.get(job.id)) deps.log.error('failed to finish a transcription', { error })
      return { failure: toFailure(error, clock()) }
    })
    // The stream ends regardless of the rows, with exactly one terminal event (architecture rule 2).
    if ('text' in end) writer.end(end.text)
    else writer.fail(end.failure)
    const after = store.jobs.get(job.id)
    if (after) changed(after)
    deps.onLibrary([job.itemId])
  }

  const runToEnd = async (
    job: JobRecord,
    draft: TranscriptDraft,
    writer: StreamWriter,
    signal: AbortSignal,
  ): Promise<End> => {
    const attempts = job.attempts + 1
    const { streamId } = writer
    const start = { state: 'running', attempts, streamId, error: null, nextTryAt: null } as const
    const running = await write(job, () => update(job.id, start))
    try {
      const target = await deps.accounts.target(job.accountId)
      const onDelta = (delta: string): void => writer.delta(delta)
      const result = await callService(deps, running, target, onDelta, signal)
      const done = { state: 'done', progress: 1, error: null, nextTryAt: null } as const
      await write(running, () =>
        store.transaction(() => {
          keepReply(deps, job.itemId, result.raw)
          draft.finish(result)
          store.jobs.update(job.id, done, clock())
        }),
      )
      offline.delete(job.id)
      return { text: result.text }
    } catch (error) {
      if (isStoreProblem(error) || !store.jobs.get(job.id)) throw error
      return { failure: await settle(running, draft, error, signal) }
    }
  }

  /** Stores the received text, how the attempt failed and what follows. */
  const settle = async (
    job: JobRecord,
    draft: TranscriptDraft,
    error: unknown,
    signal: AbortSignal,
  ): Promise<Failure> => {
    if (!(error instanceof AppError)) deps.log.error('transcription failed', { error })
    const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
    const failed = signal.aborted ? new AppError('CANCELLED', 'Stopped') : known
    const failure = toFailure(failed, clock())
    const next = nextOf(job, known, signal)
    await write(job, () =>
      store.transaction(() => {
        if (error instanceof TranscriptionCut) {
          keepReply(deps, job.itemId, error.raw)
          draft.save(error.text)
        }
        draft.settle()
        store.jobs.update(job.id, { ...next.patch, error: next.silent ? null : failure }, clock())
      }),
    )
    if (next.delayMs !== null) later(job.id, next.delayMs)
    return failure
  }

  const nextOf = (job: JobRecord, error: AppError, signal: AbortSignal): After => {
    // A stop is final; a shutdown leaves the job to the next start.
    if (signal.aborted) {
      const state = closing.signal.aborted ? 'queued' : 'cancelled'
      return { patch: { state }, delayMs: null, silent: closing.signal.aborted }
    }
    const unsent = neverSent(error)
    const inARow = unsent ? (offline.get(job.id) ?? 0) + 1 : 0
    offline.set(job.id, inARow)
    const next = planRetry(error, job.attempts, inARow)
    if (next.state === 'failed') return { patch: { state: 'failed' }, delayMs: null, silent: false }
    const nextTryAt = clock() + next.delayMs
    const attempts = unsent ? job.attempts - 1 : job.attempts
    const patch = { state: 'waiting', nextTryAt, attempts } as const
    return { patch, delayMs: next.delayMs, silent: false }
  }

  /** Retries a write while the store has problems, and informs the renderer why the job does not progress. */
  const write = <T>(job: JobRecord, work: () => T): Promise<T> =>
    persist(work, closing.signal, (error) => {
      deps.log.warn('failed to save a job, will retry', { code: error.code })
      deps.onJob({ ...job, error: toFailure(error, clock()) })
    })

  const later = (jobId: string, delayMs: number): void => {
    clearTimeout(timers.get(jobId))
    const timer = setTimeout(() => again(jobId), delayMs)
    timer.unref()
    timers.set(jobId, timer)
  }
  const again = (jobId: string): void => {
    clearTimeout(timers.get(jobId))
    timers.delete(jobId)
    if (closing.signal.aborted || store.jobs.get(jobId)?.state !== 'waiting') return
    update(jobId, { state: 'queued', nextTryAt: null })
    enqueue(jobId)
  }
  const giveUp = (jobId: string): void => {
    const error = new AppError('INTERNAL', 'Lectern quit each time it transcribed this recording')
    update(jobId, { state: 'failed', error: toFailure(error, clock()) })
  }
  const enqueue = (jobId: string, client?: StreamClient): void => {
    if (active.has(jobId) || queue.some((entry) => entry.jobId === jobId)) return
    queue.push({ jobId, client })
    pump()
  }

  return {
    enqueue,
    isActive: (jobId) => active.has(jobId) || queue.some((entry) => entry.jobId === jobId),
    async cancel(jobId) {
      clearTimeout(timers.get(jobId))
      timers.delete(jobId)
      const running = active.get(jobId)
      running?.controller.abort()
      // A store that rejects writes must not block a stop: it is recorded when the store accepts writes again.
      await Promise.race([running?.done, new Promise((resolve) => setTimeout(resolve, stopMs))])
      const job = store.jobs.get(jobId)
      if (job && !active.has(jobId) && unfinished.has(job.state)) {
        update(jobId, { state: 'cancelled', nextTryAt: null })
      }
      pump()
    },
    resume() {
      for (const job of store.jobs.byState(['running', 'queued', 'waiting']).toReversed()) {
        const patience =
          job.state === 'waiting' && !wakeable(job) ? (job.nextTryAt ?? 0) - clock() : 0
        if (patience > 0) later(job.id, patience)
        else if (job.state === 'running' && job.attempts >= deadlyAttempts) giveUp(job.id)
        else {
          // Running rows were interrupted by the end of the process: their text is stored, and the request is repeated.
          if (job.state !== 'queued') update(job.id, { state: 'queued', nextTryAt: null })
          enqueue(job.id)
        }
      }
    },
    wake(accountId) {
      for (const job of store.jobs.byState(['waiting'])) {
        if (job.accountId === accountId && wakeable(job)) again(job.id)
      }
    },
    async shutdown() {
      closing.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      queue.length = 0
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
    },
  }
}

/**
 * Returns whether the wait ends as soon as the provider is reachable; other delays are not shortened, especially those
 * requested by the provider.
 */
const wakeable = (job: JobRecord): boolean =>
  job.error === null || neverSent({ code: job.error.code, params: job.error.params })

/** Client that started a job, with the stream it follows. */
export interface StreamClient {
  readonly connectionId: string
  readonly streamId: string
}
