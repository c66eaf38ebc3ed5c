import type { Failure } from '../../shared/contract/reply.ts'
import type { Clock } from '../deps.ts'
import { isDue } from '../platform/database/due.ts'
import { Retries } from './retries.ts'
import { retryDelayMs } from './retry-policy.ts'
import type { Executed, WorkQueue } from './work-queue.ts'

/** One execution of a job. */
export interface Attempt {
  readonly signal: AbortSignal
  /** Called for each response: see `Work.execute`. */
  responded(): void
  /** Called when the job got past what it failed at before: its failed attempts no longer count. */
  advanced(): void
}

/**
 * Jobs of few rows and many requests each, whose results are stored as they arrive. Retries are counted in memory: a restart
 * tries every open job at once, and the user sees its state in the row.
 */
export interface JobRows<Id> {
  /** One word for the log. */
  readonly about: string
  /** Whether a failure that may pass never ends a job, however often it repeats. */
  readonly isEndless: boolean
  /** All jobs that have not ended, in their order: running (in flight or due) or waiting after a failure. */
  open(): readonly {
    readonly id: Id
    readonly accountId: string
    readonly state: string
    /** Set for a job that gives way to other work: Unix ms before which it must not start. It is read again then. */
    readonly notBefore?: number
  }[]
  /** Executes a job, or a step of it after which it is still open. See `Work.execute`. */
  execute(id: Id, attempt: Attempt): Promise<Executed>
  /** Stores a state of an open job. */
  change(id: Id, state: 'running' | 'waiting' | 'failed', error: Failure | null): void
  /** Called with the number of waiting jobs when it may have changed. */
  onWaiting?(count: number): void
}

/** Maximum number in flight for an account: the client limits their requests, and a short job is not delayed by a long one. */
const atOnce = 4

/** Nothing is executed before the first `kick` or `begin`. */
export function addJobs<Id extends string | number>(
  { workQueue, clock }: { readonly workQueue: WorkQueue; readonly clock: Clock },
  jobs: JobRows<Id>,
) {
  /** Counted since a step was executed or the job advanced. */
  const retries = new Retries<Id>()
  /** Consecutive failures because their engine is not available: nothing was sent, so they are no attempts. */
  const engineFailures = new Map<Id, number>()
  /** Otherwise it has ended, by its result or by the user. */
  const isOpen = (id: Id): boolean => jobs.open().some((job) => job.id === id)
  const wait = (id: Id, failure: Failure, attempts: number, at: number): void => {
    retries.set(id, { attempts, at })
    if (failure.code !== 'ENGINE_UNAVAILABLE') engineFailures.delete(id)
    if (isOpen(id)) jobs.change(id, 'waiting', failure)
  }

  const work = workQueue.add<ReturnType<typeof jobs.open>[number]>({
    about: jobs.about,
    // They may use different models.
    isOneOperation: false,
    // The same text has the same vector.
    isDeterministic: true,
    id: ({ id }) => String(id),
    group: ({ id }) => String(id),
    takesTurns: true,
    priority: () => 0,
    accounts: () => [...new Set(jobs.open().map(({ accountId }) => accountId))],
    size: () => atOnce,
    next: ({ accountId, at, except, exceptGroups }) =>
      jobs
        .open()
        .find(
          (job) =>
            job.accountId === accountId &&
            !except.includes(String(job.id)) &&
            !exceptGroups.includes(String(job.id)) &&
            isDue(job.notBefore ?? 0, at) &&
            retries.isDue(job.id, at),
        ),
    nextTime(after) {
      const held = jobs.open().map(({ notBefore = 0 }) => notBefore)
      const times = [retries.next(after) ?? Infinity, ...held.filter((at) => at > after)]
      const next = Math.min(...times)
      return next === Infinity ? null : next
    },
    async execute({ id, state }, signal, responded) {
      if (state !== 'running') jobs.change(id, 'running', null)
      const executed = await jobs.execute(id, {
        signal,
        responded,
        advanced: () => void retries.delete(id),
      })
      retries.delete(id)
      engineFailures.delete(id)
      return executed
    },
    attempts: ({ id }) => retries.attempts(id) + 1,
    wait: ({ id }, failure, { why, at }) =>
      wait(id, failure, retries.attempts(id) + (why === 'again' ? 1 : 0), at ?? clock()),
    fail({ id }, failure) {
      const attempts = retries.attempts(id)
      if (failure.code === 'ENGINE_UNAVAILABLE') {
        const failures = (engineFailures.get(id) ?? 0) + 1
        engineFailures.set(id, failures)
        wait(id, failure, attempts, clock() + retryDelayMs(failures))
      } else if (jobs.isEndless && failure.retriable)
        wait(id, failure, attempts + 1, clock() + retryDelayMs(attempts + 1))
      else if (isOpen(id)) jobs.change(id, 'failed', failure)
    },
    stopped: () => undefined,
    onSearched() {
      const inFlight = work.inFlight().map(({ id }) => id)
      for (const { id, accountId, state } of jobs.open()) {
        const { closed, reason } = work.status(accountId)
        // Other work may have found out about its account.
        if (state === 'running' && closed && reason && !inFlight.includes(id))
          jobs.change(id, 'waiting', reason)
      }
      jobs.onWaiting?.(jobs.open().filter(({ state }) => state === 'waiting').length)
    },
  })

  return {
    kick: () => work.kick(),
    busy: () => work.busy(),
    shutdown: () => work.shutdown(),
    /** Called when the user started or resumed a job: it is tried at once. */
    begin(id: Id, accountId: string): void {
      retries.delete(id)
      work.resume(String(id))
      work.wake(accountId)
      work.kick()
    },
    /**
     * Called when an account can be reached again or accepts requests: what waits for it, or for its engine, is tried at once.
     * What the provider may have received keeps its attempts and its delay: it may be paid for.
     */
    wake(accountId: string): void {
      for (const { id, ...job } of jobs.open())
        if (job.accountId === accountId && engineFailures.has(id))
          retries.set(id, { attempts: retries.attempts(id), at: clock() })
      work.wake(accountId)
    },
    /** Aborts what is in flight of jobs that give way. They stay open: they start again when they may. */
    giveWay: (): Promise<void> => work.stop(({ notBefore }) => notBefore !== undefined),
    /** Stops a job before its next state is stored: see `WorkHandle.change`. */
    stop: (id: Id, save: () => void): Promise<void> =>
      work.change(String(id), () => {
        save()
        retries.delete(id)
      }),
    /** Stops all jobs, until they are begun again, before all data is erased. */
    async stopAll(): Promise<void> {
      for (const { id } of jobs.open()) work.pause(String(id))
      await work.stop(() => true)
    },
  }
}
