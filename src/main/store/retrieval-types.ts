import type { Failure } from '../../shared/bridge/reply.ts'
import type { RawBody } from '../../shared/model/raw-body.ts'
import type {
  Grade,
  HitIdentity,
  Judgement,
  RetrievalHit,
  RetrievalRow,
  RetrievalRowState,
  RetrievalRowWhole,
  RetrievalRun,
  RetrievalRunState,
  RetrievalSettings,
  TestQuestion,
  TestSet,
  TestSetBrief,
} from '../../shared/model/retrieval.ts'

/** A test set as it begins. */
export interface NewTestSet {
  readonly id: string
  readonly title: string
  readonly accountId: string
  readonly settings: RetrievalSettings
  /** Unix milliseconds. */
  readonly at: number
}

/** Test sets: items of the Library with their questions, and what was said of passages. Sets in the bin are in no list. */
export interface TestSetStore {
  create(set: NewTestSet): TestSet
  /** Newest first. */
  list(): readonly TestSetBrief[]
  /** Also of the bin. */
  get(id: string): TestSet | undefined
  configure(
    id: string,
    patch: { readonly settings?: RetrievalSettings; readonly accountId?: string },
    at: number,
  ): TestSet
  /** Adds at the end. Throws NOT_FOUND without the set. */
  add(
    setId: string,
    question: { readonly id: string; readonly text: string; readonly note: string },
    at: number,
  ): TestQuestion
  /** The question of these words that is in a set; `setId` null: the one that was asked on the bench. */
  byText(setId: string | null, text: string): TestQuestion | undefined
  /** A question of the bench. */
  addStandalone(question: { readonly id: string; readonly text: string }): TestQuestion
  question(id: string): TestQuestion | undefined
  edit(id: string, patch: { readonly text?: string; readonly note?: string }): TestQuestion
  /** Takes questions out of their sets; null puts them back. */
  drop(ids: readonly string[], at: number | null): void
  judgements(questionId: string): readonly Judgement[]
  /** Of all questions of a run, by their ids; those of questions that are gone are left out. */
  judgementsOfRun(
    runId: string,
    from: number,
    limit: number,
  ): ReadonlyMap<string, readonly (HitIdentity & { readonly grade: Grade })[]>
  /** Keeps the grade of a passage; one that is known by its id, or by its words, is the same. Null forgets it. */
  rate(
    questionId: string,
    passage: Omit<Judgement, 'grade'>,
    grade: Grade | null,
  ): readonly Judgement[]
}

/** A run as it begins. */
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

/** What an answer tells, as it is kept with its row. */
export interface FoundAnswer {
  readonly hits: readonly RetrievalHit[]
  readonly tookMs: number | null
  readonly tokens: number | null
  readonly requestId: string | null
  readonly engine: string | null
  readonly notice: string | null
  /** Null for what was imported. */
  readonly raw: RawBody | null
}

/** A row as runs are compared by. */
export interface RankedRow {
  readonly at: number
  readonly questionId: string | null
  readonly question: string
  readonly rerank: boolean
  readonly tookMs: number | null
  /** Null until it is done. */
  readonly hits: readonly HitIdentity[] | null
}

/** What becomes of a row that brought no answer. */
export interface RowPatch {
  readonly state: RetrievalRowState
  readonly error?: Failure | null
  readonly nextTryAt?: number | null
  /** Tries that count; the number stays when absent. */
  readonly attempts?: number
}

/** Runs of questions, as rows that outlive a crash. */
export interface RetrievalRunStore {
  create(run: NewRetrievalRun): RetrievalRun
  /** Undefined for one that was removed, too. */
  get(id: string): RetrievalRun | undefined
  /** Newest first; those whose title or question holds all words of `query`. */
  list(query: {
    readonly setId: string | null
    readonly query?: string
    readonly before?: string | undefined
    readonly limit: number
  }): { readonly runs: readonly RetrievalRun[]; readonly next: string | null }
  /** Those that go on by themselves, oldest first; none of sets in the bin, none that was removed. */
  open(): readonly RetrievalRun[]
  /** The same with those of sets in the bin. */
  unfinished(): readonly RetrievalRun[]
  rows(id: string, from?: number, limit?: number): readonly RetrievalRow[]
  row(id: string, at: number): RetrievalRowWhole | undefined
  raw(id: string, at: number): RawBody | null
  /** Rows in their order, for comparing. */
  ranked(id: string, from: number, limit: number): readonly RankedRow[]
  /** The first row that can be asked now; undefined when none can. */
  next(id: string, now: number): RetrievalRow | undefined
  /** When the next waiting row may be tried (Unix ms); null when none waits for a time. */
  nextTryAt(id: string): number | null
  /** Rows whose process ended are asked again. */
  requeue(): void
  /** Waiting rows of an account are tried now. */
  wake(accountId: string): readonly string[]
  patch(id: string, at: number, patch: RowPatch, now: number): RetrievalRun | undefined
  keep(id: string, at: number, answer: FoundAnswer, now: number): RetrievalRun | undefined
  /** Stops what was not answered; what was is kept. */
  stop(id: string, now: number): RetrievalRun
  /** Asks again what failed or was stopped. */
  retry(id: string, now: number): RetrievalRun
  setState(id: string, state: RetrievalRunState, now: number): RetrievalRun | undefined
  rename(id: string, title: string): RetrievalRun
  /** Takes runs out of their lists (Unix ms); null puts them back. */
  remove(ids: readonly string[], at: number | null): void
  /** Deletes those that were removed before this moment (Unix ms). */
  purge(before: number): void
  /** Adds rows that were answered elsewhere. */
  append(
    id: string,
    rows: readonly (NewRetrievalRun['rows'][number] & { readonly answer: FoundAnswer })[],
    now: number,
  ): RetrievalRun
}
