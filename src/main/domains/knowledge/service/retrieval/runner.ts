import type {
  RetrievalRow,
  RetrievalRun,
  RetrievalSettings,
} from '../../../../../shared/model/retrieval.ts'
import type { RetrieveRequest } from '../../../../provider-client/knowledge-limits.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { isRepairable, neverSent, planRetry } from '../../../../work-queue/retry-policy.ts'
import { isStoreProblem, persist } from '../../../../platform/database/persist.ts'
import { readHits } from './read-hits.ts'

/** Dependencies of running questions. */
export interface RunnerDeps {
  readonly store: Pick<Store, 'retrievalRuns' | 'writable'>
  readonly api: { readonly knowledge: Pick<Api['knowledge'], 'retrieve'> }
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  readonly log: Log
  after(ms: number, work: () => void): () => void
  /** Called after each change was stored. */
  onRun(run: RetrievalRun, row: RetrievalRow | null): void
  onWaiting(count: number): void
}

/** Runs the questions of runs, one at a time in each run, so that durations are comparable. States are rows. */
export interface Runner {
  /** Checks for questions to run. */
  kick(runId: string): void
  /** Stops the current request; its row is run again later unless the run was stopped. */
  drop(runId: string): Promise<void>
  /** Called when an account becomes usable again. */
  wake(accountId: string): void
  /** Resumes what an earlier run of the app left. */
  resume(): void
  busy(): boolean
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** Action after a question: the next one, or a pause. */
type After = 'go-on' | 'pause'

interface Active {
  readonly controller: AbortController
  readonly done: Promise<void>
}

export function createRunner(deps: RunnerDeps): Runner {
  const { clock, log } = deps
  const store = deps.store.retrievalRuns
  const active = new Map<string, Active>()
  const timers = new Map<string, () => void>()
  const again = new Set<string>()
  /** Consecutive failures that never left this computer, by run. */
  const offline = new Map<string, number>()
  const closing = new AbortController()

  const write = <T>(work: () => T): Promise<T> =>
    persist(work, closing.signal, (error) =>
      log.warn('failed to save an answer, will retry', { code: error.code }),
    )
  const notify = (run: RetrievalRun | undefined, at: number | null): void => {
    if (!run) return
    const row = at === null ? undefined : store.rows(run.id, at, 1)[0]
    deps.onRun(run, row ?? null)
    deps.onWaiting(store.open().reduce((sum, { waiting }) => sum + waiting, 0))
  }

  const kick = (runId: string): void => {
    if (closing.signal.aborted) return
    timers.get(runId)?.()
    timers.delete(runId)
    if (active.has(runId)) return void again.add(runId)
    const controller = new AbortController()
    // Registered before the first step runs, so that a run is never processed twice.
    const done = Promise.resolve()
      .then(() => drive(runId, controller.signal))
      .catch((error: unknown) => {
        if (!isStoreProblem(error)) log.error('failed to run a test set', { error })
      })
      .finally(() => {
        active.delete(runId)
        if (again.delete(runId)) kick(runId)
      })
    active.set(runId, { controller, done })
  }

  const drive = async (runId: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && !closing.signal.aborted) {
      const run = store.get(runId)
      const row = store.next(runId, clock())
      if (!run || !row) break
      if ((await ask(run, row, signal)) === 'pause') break
    }
    const next = store.nextTryAt(runId)
    if (next === null || signal.aborted || closing.signal.aborted) return
    timers.set(
      runId,
      deps.after(Math.max(0, next - clock()), () => kick(runId)),
    )
  }

  const ask = async (run: RetrievalRun, row: RetrievalRow, signal: AbortSignal): Promise<After> => {
    const { id } = run
    const { at, question, rerank, attempts } = row
    const stop = AbortSignal.any([signal, closing.signal])
    notify(await write(() => store.patch(id, at, { state: 'running' }, clock())), at)
    try {
      const target = await deps.accounts.target(run.accountId)
      const request = requestOf(question, run.settings, rerank)
      const began = performance.now()
      const answer = await deps.api.knowledge.retrieve(target, request, { signal: stop })
      const durationMs = Math.round((performance.now() - began) * 10) / 10
      const { raw, requestId, engine, notice, usage } = answer
      const found = {
        hits: readHits(raw, rerank),
        tookMs: durationMs,
        tokens: usage.totalTokens,
        requestId,
        engine,
        notice,
        raw,
      }
      offline.delete(id)
      notify(await write(() => store.keep(id, at, found, clock())), at)
      return 'go-on'
    } catch (thrown) {
      if (isStoreProblem(thrown)) throw thrown
      if (stop.aborted) {
        // Not a failure: it is requested again when the run resumes. Stopping a run has already updated its rows.
        if (!closing.signal.aborted && store.get(id)?.state === 'running')
          store.patch(id, at, { state: 'queued' }, clock())
        return 'pause'
      }
      return failed(run, { at, attempts }, thrown)
    }
  }

  const failed = async (
    { id }: RetrievalRun,
    { at, attempts }: Pick<RetrievalRow, 'at' | 'attempts'>,
    thrown: unknown,
  ): Promise<After> => {
    if (!(thrown instanceof AppError)) log.error('failed to run a question', { error: thrown })
    const error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Internal error')
    const failure = toFailure(error, clock())
    if (isRepairable(error.code)) {
      const patch = { state: 'waiting', error: failure, nextTryAt: null } as const
      notify(await write(() => store.patch(id, at, patch, clock())), at)
      return 'pause'
    }
    const unsent = neverSent(error)
    if (unsent) offline.set(id, (offline.get(id) ?? 0) + 1)
    const tries = unsent ? attempts : attempts + 1
    const next = planRetry(error, tries, offline.get(id) ?? 0)
    const patch =
      next.state === 'failed'
        ? { state: next.state, error: failure, attempts: tries }
        : {
            state: next.state,
            error: failure,
            attempts: tries,
            nextTryAt: clock() + next.delayMs,
          }
    notify(await write(() => store.patch(id, at, patch, clock())), at)
    // The other questions would meet the same error.
    return unsent ? 'pause' : 'go-on'
  }

  const drop = async (runId: string): Promise<void> => {
    timers.get(runId)?.()
    timers.delete(runId)
    again.delete(runId)
    const running = active.get(runId)
    running?.controller.abort()
    await running?.done
  }

  return {
    kick,
    drop,
    wake(accountId) {
      if (!deps.store.writable) return
      for (const id of store.wake(accountId)) notify(store.get(id), null)
      for (const run of store.open()) if (run.accountId === accountId) kick(run.id)
    },
    resume() {
      store.requeue()
      for (const run of store.open()) kick(run.id)
    },
    busy: () => active.size > 0,
    async stopAll() {
      await Promise.all([...active.keys(), ...timers.keys()].map(drop))
    },
    async shutdown() {
      closing.abort()
      for (const cancel of timers.values()) cancel()
      timers.clear()
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
    },
  }
}

/** The request for one question in one mode (service-notes 7). */
function requestOf(query: string, settings: RetrievalSettings, rerank: boolean): RetrieveRequest {
  const { bases, documents, topK, topN, recallMethod, recallRatio } = settings
  return {
    query,
    knowledgeIds: bases.map(({ id }) => id),
    ...(documents.length > 0 && { documentIds: documents.map(({ id }) => id) }),
    topK,
    topN,
    recallMethod,
    // Sets the ratio of mixed retrieval; other methods have no use for it.
    ...(recallMethod === 'mixed' && { recallRatio }),
    rerank,
    ...(rerank && { rerankModel: settings.rerankModel }),
    ...(settings.threshold !== null && { fractionalThreshold: settings.threshold }),
  }
}
