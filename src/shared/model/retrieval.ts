import type { Failure } from '../contract/reply.ts'
import type { SourcePlace } from '../chats/places.ts'

/** Retrieval method (service-notes 7). */
export type RecallMethod = 'embedding' | 'keyword' | 'mixed'

/** An object of the provider that a retrieval is limited to, with its name at the time. */
export interface NamedId {
  readonly id: string
  readonly name: string
}

/** Settings of a retrieval (service-notes 7); null values are left to the provider. */
export interface RetrievalSettings {
  readonly bases: readonly NamedId[]
  /** Documents of these knowledge bases; empty means all. */
  readonly documents: readonly NamedId[]
  /** Number of results, 1 to 20. */
  readonly topK: number
  /** Number of candidates, 1 to 100. */
  readonly topN: number
  readonly recallMethod: RecallMethod
  /** Weight of vectors in mixed retrieval, 0 to 100. */
  readonly recallRatio: number
  /** Whether to rerank; `both` sends each question twice. */
  readonly rerank: 'off' | 'on' | 'both'
  readonly rerankModel: 'rerank' | 'rerank-pro'
  /** Minimum score of a result. */
  readonly threshold: number | null
}

/** Relevance of a result to its question: none, low, good, exact. */
export type Grade = 0 | 1 | 2 | 3

/**
 * Identity of a result: its ID at the provider, and a hash of its text, which stays the same when it is embedded again.
 */
export interface HitIdentity {
  /** '' if not reported. */
  readonly sliceId: string
  /** Hash of the text without white space. */
  readonly textKey: string
}

/** A retrieved slice. */
export interface RetrievalHit extends HitIdentity {
  /** From 1, as reported. */
  readonly rank: number
  readonly text: string
  /** As reported: the retrieval score, or the reranking score if the provider reports only that. */
  readonly score: number | null
  /** Null if not reported. */
  readonly recallScore: number | null
  readonly rerankScore: number | null
  /** '' if not reported. */
  readonly documentId: string
  readonly documentName: string
  readonly knowledgeId: string
  readonly url: string
  /** Context that the provider added to the text before embedding it. */
  readonly context: string
  readonly place: SourcePlace
}

/** Relevance rating of a slice for a question. */
export interface Judgement extends HitIdentity {
  readonly grade: Grade
  readonly text: string
  readonly documentId: string
  readonly documentName: string
}

/** A question of a test set, or one asked in the Playground. */
export interface TestQuestion {
  readonly id: string
  /** Null in the Playground. */
  readonly setId: string | null
  readonly text: string
  readonly note: string
  /** Number of rated slices, and of those that answer it. */
  readonly judged: number
  readonly relevant: number
}

/** A test set as shown in lists: an item of the Library. */
export interface TestSetBrief {
  readonly id: string
  readonly title: string
  readonly questions: number
  /** Number of questions with a slice that answers them. */
  readonly answerable: number
  readonly runs: number
  readonly createdAt: number
  readonly updatedAt: number
}

export interface TestSet extends TestSetBrief {
  readonly accountId: string
  readonly settings: RetrievalSettings
  readonly entries: readonly TestQuestion[]
}

/**
 * `running` continues automatically, also after a restart; `stopped` by the user; `done`: no rows are left to request, but
 * some may have failed.
 */
export type RetrievalRunState = 'running' | 'stopped' | 'done'

/** One run of questions against knowledge bases. Times are Unix milliseconds. */
export interface RetrievalRun {
  readonly id: string
  /** Null for a Playground question. */
  readonly setId: string | null
  readonly title: string
  /** Question of the Playground, or the first of the test set. */
  readonly question: string
  readonly accountId: string
  readonly accountName: string
  readonly settings: RetrievalSettings
  readonly state: RetrievalRunState
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Number of rows waiting for the network, a key or another attempt. */
  readonly waiting: number
  readonly createdAt: number
  readonly endedAt: number | null
}

/** `waiting` continues automatically; `failed` needs a retry by the user. */
export type RetrievalRowState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped'

/** One question of a run with one retrieval method. */
export interface RetrievalRow {
  /** Its index in the run, from 0. */
  readonly at: number
  /** Null when the question no longer exists. */
  readonly questionId: string | null
  readonly question: string
  readonly rerank: boolean
  readonly state: RetrievalRowState
  readonly attempts: number
  readonly error: Failure | null
  /** Milliseconds from the request to the complete response. */
  readonly tookMs: number | null
  /** Null if not reported. */
  readonly tokens: number | null
  readonly requestId: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly endedAt: number | null
  /** Null until it is done. */
  readonly hits: number | null
}

export interface RetrievalRowWhole extends RetrievalRow {
  readonly found: readonly RetrievalHit[]
}

/** One side of a comparison: all rows of a run, or those with one retrieval method. */
export interface RetrievalLeg {
  readonly runId: string
  /** Null means all rows. */
  readonly rerank: boolean | null
}
