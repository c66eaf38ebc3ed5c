import type { Failure } from '../bridge/reply.ts'
import type { SourcePlace } from '../chat/places.ts'

/** How passages are recalled (service-notes 7). */
export type RecallMethod = 'embedding' | 'keyword' | 'mixed'

/** Something of the service that a look is limited to, with the name it had. */
export interface NamedId {
  readonly id: string
  readonly name: string
}

/** With which settings questions are looked up (service-notes 7); what is null is left to the service. */
export interface RetrievalSettings {
  readonly bases: readonly NamedId[]
  /** Documents of these bases; none means all. */
  readonly documents: readonly NamedId[]
  /** Hits of the answer, 1 to 20. */
  readonly topK: number
  /** Candidates, 1 to 100. */
  readonly topN: number
  readonly recallMethod: RecallMethod
  /** Share of the vectors in a mixed recall, 0 to 100. */
  readonly recallRatio: number
  /** Which of both ways is asked; `both` asks each question twice. */
  readonly rerank: 'off' | 'on' | 'both'
  readonly rerankModel: 'rerank' | 'rerank-pro'
  /** Least score of a hit. */
  readonly threshold: number | null
}

/** How well a hit answers its question: not at all, a little, well, exactly. */
export type Grade = 0 | 1 | 2 | 3

/** What a hit is known by again: its id at the service, and a hash of its words, which outlives embedding it again. */
export interface HitIdentity {
  /** '' when the service told none. */
  readonly sliceId: string
  /** Of the words without white space. */
  readonly textKey: string
}

/** A passage that was found. */
export interface RetrievalHit extends HitIdentity {
  /** From 1, as it was told. */
  readonly rank: number
  readonly text: string
  /** As told: the recall's score, and the rerank's one in its place where the service tells only that. */
  readonly score: number | null
  /** Null where it was not told. */
  readonly recallScore: number | null
  readonly rerankScore: number | null
  /** '' where it was not told. */
  readonly documentId: string
  readonly documentName: string
  readonly knowledgeId: string
  readonly url: string
  /** What the service added to the words before it embedded them. */
  readonly context: string
  readonly place: SourcePlace
}

/** What somebody said of a passage for a question. */
export interface Judgement extends HitIdentity {
  readonly grade: Grade
  readonly text: string
  readonly documentId: string
  readonly documentName: string
}

/** A question of a test set, or one that was asked on the bench. */
export interface TestQuestion {
  readonly id: string
  /** Null on the bench. */
  readonly setId: string | null
  readonly text: string
  readonly note: string
  /** Passages that were judged, and those of them that answer it. */
  readonly judged: number
  readonly relevant: number
}

/** A test set, as lists show it: an item of the Library. */
export interface TestSetBrief {
  readonly id: string
  readonly title: string
  readonly questions: number
  /** Questions with a passage that answers them. */
  readonly answerable: number
  readonly runs: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A test set, whole. */
export interface TestSet extends TestSetBrief {
  readonly accountId: string
  readonly settings: RetrievalSettings
  readonly entries: readonly TestQuestion[]
}

/** `running` goes on by itself, also after a restart; `stopped`: by somebody; `done`: nothing is left to ask, rows may have failed. */
export type RetrievalRunState = 'running' | 'stopped' | 'done'

/** One look of questions into knowledge bases. Times are Unix milliseconds. */
export interface RetrievalRun {
  readonly id: string
  /** Null for a question of the bench. */
  readonly setId: string | null
  readonly title: string
  /** Of the bench; of a set the first one. */
  readonly question: string
  readonly accountId: string
  readonly accountName: string
  readonly settings: RetrievalSettings
  readonly state: RetrievalRunState
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Rows that wait for the network, a key or another try. */
  readonly waiting: number
  readonly createdAt: number
  readonly endedAt: number | null
}

/** `waiting` goes on by itself; `failed` is for somebody to try again. */
export type RetrievalRowState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped'

/** One question of a run, asked one way. */
export interface RetrievalRow {
  /** Its place in the run, from 0. */
  readonly at: number
  /** Null when the question is gone. */
  readonly questionId: string | null
  readonly question: string
  readonly rerank: boolean
  readonly state: RetrievalRowState
  readonly attempts: number
  readonly error: Failure | null
  /** Milliseconds from asking to the whole answer. */
  readonly tookMs: number | null
  /** Null where the service told none. */
  readonly tokens: number | null
  readonly requestId: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly endedAt: number | null
  /** Null until it is done. */
  readonly hits: number | null
}

/** A row with what it found. */
export interface RetrievalRowWhole extends RetrievalRow {
  readonly found: readonly RetrievalHit[]
}

/** Something of a run that is compared: all its rows, or those of one way. */
export interface RetrievalLeg {
  readonly runId: string
  /** Null: all rows there are. */
  readonly rerank: boolean | null
}
