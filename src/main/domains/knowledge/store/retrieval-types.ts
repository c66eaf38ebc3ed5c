import type { Failure } from '../../../../shared/contract/reply.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import type {
  Grade,
  HitIdentity,
  Judgement,
  RetrievalHit,
  RetrievalRow,
  RetrievalRowState,
  RetrievalRowWhole,
  RetrievalRun,
  RetrievalSettings,
  TestQuestion,
  TestSet,
  TestSetBrief,
} from '../../../../shared/model/retrieval.ts'

/** A new test set. */
interface NewTestSet {
  readonly id: string
  readonly title: string
  readonly accountId: string
  readonly settings: RetrievalSettings
  /** Unix milliseconds. */
  readonly at: number
}

/** Test sets: Library items with their questions and ratings of slices. Test sets in Trash are in no list. */
export interface TestSetStore {
  create(set: NewTestSet): TestSet
  /** Newest first. */
  list(): readonly TestSetBrief[]
  /** Includes test sets in Trash. */
  get(id: string): TestSet | undefined
  configure(
    id: string,
    patch: { readonly settings?: RetrievalSettings; readonly accountId?: string },
    at: number,
  ): TestSet
  /** Appends questions. Throws NOT_FOUND without the test set. */
  add(
    setId: string,
    question: { readonly id: string; readonly text: string; readonly note: string },
    at: number,
  ): TestQuestion
  /** Returns the question with this text in a test set; `setId` null: the one asked in the Playground. */
  byText(setId: string | null, text: string): TestQuestion | undefined
  /** Adds a Playground question. */
  addStandalone(question: { readonly id: string; readonly text: string }): TestQuestion
  question(id: string): TestQuestion | undefined
  edit(id: string, patch: { readonly text?: string; readonly note?: string }): TestQuestion
  /** Removes questions from their test sets; null restores them. */
  drop(ids: readonly string[], at: number | null): void
  judgements(questionId: string): readonly Judgement[]
  /** Returns the ratings of all questions of a run by ID, without those of removed questions. */
  judgementsOfRun(
    runId: string,
    from: number,
    limit: number,
  ): ReadonlyMap<string, readonly (HitIdentity & { readonly grade: Grade })[]>
  /** Saves the rating of a slice; one with the same ID or the same text is the same slice. Null deletes it. */
  rate(
    questionId: string,
    passage: Omit<Judgement, 'grade'>,
    grade: Grade | null,
  ): readonly Judgement[]
}

/** A new run. */
export interface NewRetrievalRun {
  readonly id: string
  readonly setId: string | null
  readonly title: string
  readonly question: string
  readonly accountId: string
  readonly accountName: string
  readonly settings: RetrievalSettings
  readonly at: number
  readonly rows: readonly {
    readonly questionId: string
    readonly question: string
    readonly rerank: boolean
  }[]
}

/** Content of a response as stored with its row. */
export interface FoundAnswer {
  readonly hits: readonly RetrievalHit[]
  readonly tookMs: number | null
  readonly tokens: number | null
  readonly requestId: string | null
  readonly engine: string | null
  readonly notice: string | null
  /** Null for imported rows. */
  readonly raw: RawBody | null
}

/** A row used to compare runs. */
export interface RankedRow {
  readonly at: number
  readonly questionId: string | null
  readonly question: string
  readonly rerank: boolean
  readonly tookMs: number | null
  /** Null until it is done. */
  readonly hits: readonly HitIdentity[] | null
}

/** New state of a row without a response. */
interface RowPatch {
  readonly state: RetrievalRowState
  readonly error?: Failure | null
  readonly nextTryAt?: number | null
  /** Number of counted attempts; unchanged when absent. */
  readonly attempts?: number
}

/** Retrieval runs, as rows that survive a crash. */
export interface RetrievalRunStore {
  create(run: NewRetrievalRun): RetrievalRun
  /** Also undefined for a removed one. */
  get(id: string): RetrievalRun | undefined
  /** Newest first; those whose title or questions contain all words of `query`. */
  list(query: {
    readonly setId: string | null
    readonly query?: string
    readonly before?: string | undefined
    readonly limit: number
  }): { readonly runs: readonly RetrievalRun[]; readonly next: string | null }
  /** Runs that continue automatically, oldest first; without removed ones and those of test sets in Trash. */
  open(): readonly RetrievalRun[]
  /** The same, including those of test sets in Trash. */
  unfinished(): readonly RetrievalRun[]
  rows(id: string, from?: number, limit?: number): readonly RetrievalRow[]
  row(id: string, at: number): RetrievalRowWhole | undefined
  raw(id: string, at: number): RawBody | null
  /** Rows in order, for comparison. */
  ranked(id: string, from: number, limit: number): readonly RankedRow[]
  /** Returns the first row that can be requested now; undefined when there is none. */
  next(id: string, now: number): RetrievalRow | undefined
  /** Returns when the next delayed row is due (Unix ms); null when none is delayed. */
  nextTryAt(id: string): number | null
  /** Requeues rows whose process ended. */
  requeue(): void
  /** Makes the waiting rows of an account due now. */
  wake(accountId: string): readonly string[]
  patch(id: string, at: number, patch: RowPatch, now: number): RetrievalRun | undefined
  keep(id: string, at: number, answer: FoundAnswer, now: number): RetrievalRun | undefined
  /** Stops rows without a response; completed ones are kept. */
  stop(id: string, now: number): RetrievalRun
  /** Requeues failed and stopped rows. */
  retry(id: string, now: number): RetrievalRun
  rename(id: string, title: string): RetrievalRun
  /** Removes runs from their lists (Unix ms); null restores them. */
  remove(ids: readonly string[], at: number | null): void
  /** Deletes runs removed before this time (Unix ms). */
  purge(before: number): void
  /** Appends rows completed elsewhere. */
  append(
    id: string,
    rows: readonly (NewRetrievalRun['rows'][number] & { readonly answer: FoundAnswer })[],
    now: number,
  ): RetrievalRun
}
