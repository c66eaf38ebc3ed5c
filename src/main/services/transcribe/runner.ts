import type { Job } from '../../../shared/model/job.ts'
import type { StreamHub } from '../../bridge/streams.ts'
import type { Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { JobRecord } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { createDraft, runAttempt, type AttemptDeps } from './attempt.ts'
import { planRetry } from './retry-plan.ts'
import type { Asker } from './transcribe.ts'

/** What the runner needs beside an attempt's own needs. */
export interface RunnerDeps extends AttemptDeps {
  readonly accounts: Accounts
  readonly hub: StreamHub
  readonly log: Log
  onJob(job: Job): void
  onLibrary(itemIds: readonly string[]): void
  /** How many jobs wait for the network now. */
  onWaiting(count: number): void
}

/** Drives the jobs: a few at a time per account, each through its attempts to an end that is stored. */
export interface Runner {
  /** Runs a queued job as soon as its account has a free lane. */
  enqueue(jobId: string, asker?: Asker): void
  isActive(jobId: string): boolean
  /** Stops a job for good; what came is kept. Resolves when it is stopped. */
  cancel(jobId: string): Promise<void>
  /** Queues what the database says is unfinished. */
  resume(): void
  /** Tries the waiting jobs of an account now. */
  wake(accountId: string): void
  shutdown(): Promise<void>
}

interface Active {
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Builds the runner. States are rows; this object only holds what is running in this process. */
export function createRunner(deps: RunnerDeps): Runner {
  const { store, clock, ids } = deps
  const active = new Map<string, Active>()
  const queue: { readonly jobId: string; readonly asker: Asker | undefined }[] = []
  const timers = new Map<string, NodeJS.Timeout>()
  let closing = false

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

  /** Starts every queued job whose account has a free lane, in order. */
  const pump = (): void => {
    for (let index = 0; index < queue.length && !closing;) {
      const entry = queue[index]
      const job = entry && store.jobs.get(entry.jobId)
      if (!entry || !job || job.state !== 'queued') {
        queue.splice(index, 1)
      } else if (busy(job.accountId) < lanes(job.accountId)) {
        queue.splice(index, 1)
        begin(job, entry.asker)
      } else {
        index += 1
      }
    }
  }

  const begin = (job: JobRecord, asker: Asker | undefined): void => {
    const controller = new AbortController()
    // Registered before the first step runs, so that a job can never be started twice.
    const done = Promise.resolve()
      .then(() => attempt(job, asker, controller.signal))
      .catch((error: unknown) => deps.log.error('transcription runner', { error }))
      .finally(() => {
        active.delete(job.id)
        pump()
      })
    active.set(job.id, { controller, done })
  }

  const attempt = async (
    job: JobRecord,
    asker: Asker | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    const accountName = store.accounts.get(job.accountId)?.name ?? ''
    const draft = createDraft(deps, job, accountName)
    const writer = deps.hub.open(asker?.streamId ?? ids(), {
      connectionIds: asker ? [asker.connectionId] : [],
      beforePush: (text) => draft.save(text),
    })
    const running = update(job.id, {
      state: 'running',
      attempts: job.attempts + 1,
      streamId: writer.streamId,
      error: null,
      nextTryAt: null,
    })
    try {
      const target = await deps.accounts.target(job.accountId)
      const text = await runAttempt(deps, running, target, draft, writer, signal)
      writer.end(text)
    } catch (error) {
      settle(running, error, signal)
      writer.fail(store.jobs.get(job.id)?.error ?? toFailure(error, clock()))
    }
    const after = store.jobs.get(job.id)
    if (after) changed(after)
    deps.onLibrary([job.itemId])
  }

  /** Writes down how an attempt failed and what follows. */
  const settle = (job: JobRecord, error: unknown, signal: AbortSignal): void => {
    if (!store.jobs.get(job.id)) return
    if (signal.aborted) {
      // Stop is final; a shutdown leaves the job to the next start.
      const reason = new AppError('CANCELLED', 'Stopped')
      update(job.id, {
        state: closing ? 'queued' : 'cancelled',
        error: closing ? null : toFailure(reason, clock()),
      })
      return
    }
    const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
    if (!(error instanceof AppError)) deps.log.error('transcription failed', { error })
    const next = planRetry(known, job.attempts)
    const nextTryAt = next.state === 'waiting' ? clock() + next.delayMs : null
    update(job.id, { state: next.state, error: toFailure(known, clock()), nextTryAt })
    if (next.state === 'waiting') later(job.id, next.delayMs)
  }

  const later = (jobId: string, delayMs: number): void => {
    clearTimeout(timers.get(jobId))
    const timer = setTimeout(() => again(jobId), delayMs)
    timer.unref()
    timers.set(jobId, timer)
  }
  const again = (jobId: string): void => {
    clearTimeout(timers.get(jobId))
    timers.delete(jobId)
    if (closing || store.jobs.get(jobId)?.state !== 'waiting') return
    update(jobId, { state: 'queued', nextTryAt: null })
    enqueue(jobId)
  }
  const enqueue = (jobId: string, asker?: Asker): void => {
    if (active.has(jobId) || queue.some((entry) => entry.jobId === jobId)) return
    queue.push({ jobId, asker })
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
      await running?.done
      const job = store.jobs.get(jobId)
      if (job && (job.state === 'queued' || job.state === 'waiting')) {
        update(jobId, { state: 'cancelled', nextTryAt: null })
      }
      pump()
    },
    resume() {
      for (const job of store.jobs.byState(['running', 'queued', 'waiting']).toReversed()) {
        // Running rows were cut off by the end of the process: what they had is stored, the call is made again.
        if (job.state !== 'queued') update(job.id, { state: 'queued', nextTryAt: null })
        enqueue(job.id)
      }
    },
    wake(accountId) {
      for (const job of store.jobs.byState(['waiting'])) {
        if (job.accountId === accountId) again(job.id)
      }
    },
    async shutdown() {
      closing = true
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      queue.length = 0
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
    },
  }
}
