import type {
  RetrievalRow,
  RetrievalRun,
  RetrievalSettings,
} from '../../../../../shared/model/retrieval.ts'
import type { RetrieveRequest } from '../../../../provider-client/knowledge-limits.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Context } from '../../../../context.ts'
import type { Clock, Log } from '../../../../deps.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { isRepairable } from '../../../../work-queue/retry-policy.ts'
import type { Executed, WorkQueue } from '../../../../work-queue/work-queue.ts'
import { persist } from '../../../../platform/database/persist.ts'
import { readHits } from './read-hits.ts'

/** Dependencies of running questions. */
export interface RunnerDeps extends Pick<Context, 'emit' | 'setWaiting'> {
  readonly store: Pick<Store, 'retrievalRuns' | 'accounts' | 'writable'>
  readonly api: { readonly knowledge: Pick<Api['knowledge'], 'retrieve'> }
  readonly accounts: Pick<Accounts, 'target'>
  readonly workQueue: WorkQueue
  readonly clock: Clock
  readonly log: Log
}

/** Runs the questions of runs, one at a time in each run, so that durations are comparable. States are rows. */
interface Runner {
  kick(): void
  /** Called when the user requested a run: its account is tried at once, even if it rejected requests before. */
  begin(accountId: string): void
  /** Called when an account becomes usable again, or the user retries a run. */
  wake(accountId: string): void
  /** Stops the current request of runs that were stopped or removed. */
  drop(runIds: readonly string[]): Promise<void>
  /** The same for runs that are about to be removed: nothing of them is requested until they continue. */
  pause(runIds: readonly string[]): Promise<void>
  unpause(runIds: readonly string[]): void
  /** Resumes what an earlier run of the app left. */
  resume(): void
  busy(): boolean
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

interface Question {
  readonly run: RetrievalRun
  readonly row: RetrievalRow
}

export function createRunner(deps: RunnerDeps): Runner {
  const { clock, log } = deps
  const store = deps.store.retrievalRuns

  /** Runs of sets that are being moved to Trash. */
  const paused = new Set<string>()
  const reportWaiting = (): void => {
    const runs = store.open().filter(({ id }) => !paused.has(id))
    deps.setWaiting(
      'retrieval',
      runs.reduce((sum, { waiting }) => sum + waiting, 0),
    )
  }
  const notify = (run: RetrievalRun | undefined, at: number | null): void => {
    if (!run) return
    const row = at === null ? undefined : store.rows(run.id, at, 1)[0]
    deps.emit({ type: 'retrieval.changed', run, row: row ?? null })
    reportWaiting()
  }
  const change = ({ run, row }: Question, patch: Parameters<typeof store.patch>[2]): void =>
    notify(store.patch(run.id, row.at, patch, clock()), row.at)
  /** Whether it was not stopped in the meantime. */
  const isRunning = ({ run, row }: Question): boolean =>
    store.row(run.id, row.at)?.state === 'running'

  const execute = async (question: Question, signal: AbortSignal): Promise<Executed> => {
    const { run, row } = question
    change(question, { state: 'running' })
    const target = await deps.accounts.target(run.accountId)
    const request = requestOf(row.question, run.settings, row.rerank)
    const began = performance.now()
    const answer = await deps.api.knowledge.retrieve(target, request, { signal })
    const tookMs = Math.round((performance.now() - began) * 10) / 10
    const { raw, requestId, engine, notice, usage } = answer
    const hits = readHits(raw, row.rerank)
    const found = { hits, tookMs, tokens: usage.totalTokens, requestId, engine, notice, raw }
    // Not requested again because the store rejects it now.
    const saved = await persist(
      () => store.keep(run.id, row.at, found, clock()),
      signal,
      ({ code }) => log.warn('failed to save an answer, will retry', { code }),
    )
    notify(saved, row.at)
    return 'done'
  }

  const work = deps.workQueue.add<Question>({
    about: 'question',
    // A missing knowledge base must not block the others.
    isOneOperation: false,
    id: ({ run, row }) => `${run.id} ${row.at}`,
    group: ({ run }) => run.id,
    takesTurns: true,
    priority: () => 0,
    accounts: () =>
      deps.store.writable ? [...new Set(store.open().map(({ accountId }) => accountId))] : [],
    size: (accountId) => deps.store.accounts.get(accountId)?.profile.concurrency ?? 1,
    next({ accountId, at, exceptGroups }) {
      const except = new Set([...exceptGroups, ...work.inFlight().map(({ run }) => run.id)])
      for (const run of store.open()) {
        if (run.accountId !== accountId || except.has(run.id)) continue
        const row = store.next(run.id, at)
        if (row) return { run, row }
      }
      return undefined
    },
    nextTime(after) {
      const times = store.open().flatMap(({ id }) => store.nextTryAt(id) ?? [])
      return times.filter((at) => at > after).toSorted((a, b) => a - b)[0] ?? null
    },
    execute,
    attempts: ({ row }) => row.attempts + 1,
    wait(question, error, { why, at }) {
      const attempts = question.row.attempts + (why === 'again' ? 1 : 0)
      if (isRunning(question))
        change(question, { state: 'waiting', error, attempts, nextTryAt: at ?? clock() })
    },
    fail(question, error) {
      // The account must be fixed first: it waits without a time.
      const state = isRepairable(error.code) ? 'waiting' : 'failed'
      if (isRunning(question))
        change(question, { state, error, attempts: question.row.attempts + 1 })
    },
    stopped(question) {
      const { run, row } = question
      // Not a failure: it is requested again when the run continues.
      if (isRunning(question)) store.patch(run.id, row.at, { state: 'queued' }, clock())
    },
    onSearched() {
      for (const run of store.open()) {
        const { closed, reason, inFlight } = work.status(run.accountId)
        if (!closed || !reason || inFlight > 0) continue
        const row = store.next(run.id, clock())
        const shown = run.waiting > 0 ? (row?.error?.code ?? reason.code) : null
        // Shown as the reason why the run does not continue.
        if (row && shown !== reason.code)
          change({ run, row }, { state: 'waiting', error: reason, nextTryAt: clock() })
      }
      reportWaiting()
    },
  })

  const drop = async (runIds: readonly string[]): Promise<void> => {
    await work.stop(({ run }) => runIds.includes(run.id))
    // Counts what still waits.
    work.kick()
  }
  const pause = async (runIds: readonly string[]): Promise<void> => {
    // A stopped one would be next again.
    for (const id of runIds) {
      paused.add(id)
      work.pause(id)
    }
    await drop(runIds)
  }

  return {
    kick: () => work.kick(),
    begin(accountId) {
      work.wake(accountId)
      work.kick()
    },
    wake(accountId) {
      if (!deps.store.writable) return
      for (const id of store.wake(accountId)) notify(store.get(id), null)
      work.wake(accountId)
    },
    drop,
    pause,
    unpause(runIds) {
      for (const id of runIds) {
        paused.delete(id)
        work.resume(id)
      }
    },
    resume() {
      store.requeue()
      work.kick()
    },
    busy: () => work.busy(),
    stopAll: () => pause(store.open().map(({ id }) => id)),
    shutdown: () => work.shutdown(),
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
