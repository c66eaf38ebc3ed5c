import type { ParsedOf, ReplyOf } from '../../../../../shared/contract/routes.ts'
import type {
  RetrievalRun,
  RetrievalSettings,
  TestQuestion,
} from '../../../../../shared/model/retrieval.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import { AppError } from '../../../../errors.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { DocumentImages } from '../chunk-images.ts'
import { compareRuns } from './compare.ts'
import { writeExport } from './exports.ts'
import type { RetrievalExportsDeps } from './exports.ts'
import { createRunner } from './runner.ts'
import type { RunnerDeps } from './runner.ts'
import { createTestSets } from './sets.ts'
import type { TestSets, TestSetsDeps } from './sets.ts'

/** Dependencies of the retrieval bench. */
export interface RetrievalDeps extends TestSetsDeps, RetrievalExportsDeps, RunnerDeps {
  readonly store: Store
  readonly accounts: TestSetsDeps['accounts'] & RunnerDeps['accounts']
  readonly images: Pick<DocumentImages, 'of'>
}

/** Retrieval from knowledge bases: single questions, saved test sets, repeated runs and comparisons. */
export interface Retrieval {
  readonly sets: TestSets
  /** Read-only data directly from the store. */
  readonly store: Pick<Store, 'testSets' | 'retrievalRuns'>
  /** Runs one question, with and without reranking according to the settings. */
  ask(request: ParsedOf<'retrieval.ask'>): RetrievalRun
  /** Runs a set. Throws BAD_REQUEST for one without questions. */
  start(request: ParsedOf<'retrieval.start'>): RetrievalRun
  run(id: string): ReplyOf<'retrieval.run'>
  row(runId: string, at: number): ReplyOf<'retrieval.row'>
  /** Images of the documents in a row's results. */
  images(runId: string, at: number): ReplyOf<'retrieval.images'>
  stop(id: string): Promise<RetrievalRun>
  retry(id: string): RetrievalRun
  rename(id: string, title: string): RetrievalRun
  /** Removes runs from their lists, permanently after a day; their pending requests are stopped. */
  removeRuns(ids: readonly string[]): Promise<void>
  /** The undo of {@link Retrieval.removeRuns}: an unfinished run resumes. */
  restoreRuns(ids: readonly string[]): void
  compare(request: ParsedOf<'retrieval.compare'>): Promise<ReplyOf<'retrieval.compare'>>
  export(request: ParsedOf<'retrieval.export'>): Promise<ReplyOf<'retrieval.export'>>

  resume(): void
  accountReady(accountId: string): void
  /** Stops requests for sets that are about to be removed. */
  forget(itemIds: readonly string[]): Promise<void>
  restored(itemIds: readonly string[]): void
  busy(): boolean
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** Retention of removed runs for undo, in milliseconds. */
const undoMs = 24 * 60 * 60 * 1000

export function createRetrieval(deps: RetrievalDeps): Retrieval {
  const { store, clock, ids } = deps
  const runs = store.retrievalRuns
  const runner = createRunner(deps)
  const sets = createTestSets(deps)

  const accountOf = (id: string | undefined): Account => {
    const account = id === undefined ? deps.accounts.active() : store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }
  const report = (run: RetrievalRun): void =>
    deps.emit({ type: 'retrieval.changed', run, row: null })
  const must = (id: string): RetrievalRun => {
    const run = runs.get(id)
    if (!run) throw new AppError('NOT_FOUND', 'Run not found')
    return run
  }
  const begin = (
    run: { readonly setId: string | null; readonly title: string },
    settings: RetrievalSettings,
    account: Account,
    questions: readonly TestQuestion[],
  ): RetrievalRun => {
    const ways = settings.rerank === 'both' ? [false, true] : [settings.rerank === 'on']
    const made = runs.create({
      ...run,
      id: ids(),
      question: questions[0]?.text ?? '',
      accountId: account.id,
      accountName: account.name,
      settings,
      at: clock(),
      rows: questions.flatMap(({ id: questionId, text: question }) =>
        ways.map((rerank) => ({ questionId, question, rerank })),
      ),
    })
    report(made)
    runner.begin(account.id)
    return made
  }
  const runsOf = (itemIds: readonly string[]): readonly string[] => {
    const wanted = new Set(itemIds)
    const mine = runs.unfinished().filter(({ setId }) => setId !== null && wanted.has(setId))
    return mine.map(({ id }) => id)
  }

  return {
    sets,
    store,
    ask({ question, settings, accountId }) {
      const account = accountOf(accountId)
      // The same text on the bench is the same question: its ratings still apply.
      const entry =
        store.testSets.byText(null, question) ??
        store.testSets.addStandalone({ id: ids(), text: question })
      return begin({ setId: null, title: '' }, settings, account, [entry])
    },
    start({ setId, settings, accountId, title }) {
      const { entries, accountId: defaultAccountId } = sets.set(setId)
      if (entries.length === 0)
        throw new AppError('BAD_REQUEST', 'The test set has no questions', {
          params: { what: 'questions' },
        })
      return begin({ setId, title }, settings, accountOf(accountId ?? defaultAccountId), entries)
    },
    run: (id) => ({ run: must(id), rows: runs.rows(id) }),
    row(runId, at) {
      const row = runs.row(runId, at)
      if (!row) throw new AppError('NOT_FOUND', 'The run has no such question')
      return row
    },
    images(runId, at) {
      const { accountId } = must(runId)
      return { images: deps.images.of(accountId, runs.row(runId, at)?.found ?? []) }
    },
    async stop(id) {
      must(id)
      const stopped = runs.stop(id, clock())
      await runner.drop([id])
      report(must(id))
      return runs.get(id) ?? stopped
    },
    retry(id) {
      const run = runs.retry(id, clock())
      report(run)
      runner.unpause([id])
      runner.wake(run.accountId)
      return run
    },
    rename(id, title) {
      const run = runs.rename(id, title)
      report(run)
      return run
    },
    async removeRuns(wanted) {
      // Before they are stopped: a stopped one would be next again.
      runs.remove(wanted, clock())
      await runner.drop(wanted)
      deps.emit({ type: 'retrieval.removed', ids: wanted })
    },
    restoreRuns(wanted) {
      runs.remove(wanted, null)
      for (const run of wanted.flatMap((id) => runs.get(id) ?? [])) report(run)
      runner.kick()
    },
    compare: (request) => compareRuns(store, request),
    export: async (request) => ({ media: await writeExport(deps, request) }),

    resume() {
      runs.purge(clock() - undoMs)
      runner.resume()
    },
    accountReady: (accountId) => runner.wake(accountId),
    forget: (itemIds) => runner.pause(runsOf(itemIds)),
    restored: (itemIds) => runner.unpause(runsOf(itemIds)),
    busy: () => runner.busy(),
    stopAll: () => runner.stopAll(),
    shutdown: () => runner.shutdown(),
  }
}
