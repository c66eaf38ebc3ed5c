import { z } from 'zod'
import type { Media } from '../model/library.ts'
import type { DocumentImage } from '../model/knowledge.ts'
import type { RawBody } from '../model/raw-body.ts'
import type {
  Judgement,
  RetrievalRow,
  RetrievalRowWhole,
  RetrievalRun,
  TestQuestion,
  TestSet,
  TestSetBrief,
} from '../model/retrieval.ts'
import type { Comparison } from '../knowledge/retrieval/compare-runs.ts'
import { measures } from '../knowledge/retrieval/metrics.ts'
import { maxQuestionLength } from '../knowledge/retrieval/questions.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
const ids = z.array(id).min(1).max(1000)
const title = z.string().trim().min(1).max(300)
const name = z.string().trim().max(300)
const question = z.string().trim().min(1).max(maxQuestionLength)
const note = z.string().trim().max(2000)
const named = z.strictObject({ id: z.string().min(1).max(256), name: z.string().max(500) })
const grade = z.literal([0, 1, 2, 3])

/** Retrieval settings (service-notes 7); the limits of the account are checked when a question is sent. */
const settings = z.strictObject({
  bases: z.array(named).min(1).max(100).readonly(),
  documents: z.array(named).max(1000).readonly(),
  topK: z.number().int().min(1).max(1000),
  topN: z.number().int().min(1).max(1000),
  recallMethod: z.enum(['embedding', 'keyword', 'mixed']),
  recallRatio: z.number().int().min(0).max(100),
  rerank: z.enum(['off', 'on', 'both']),
  rerankModel: z.enum(['rerank', 'rerank-pro']),
  threshold: z.number().min(-1000).max(1000).nullable(),
})
const passage = z.strictObject({
  sliceId: z.string().max(256),
  textKey: z.string().max(64),
  text: z.string().max(100_000),
  documentId: z.string().max(256),
  documentName: z.string().max(1000),
})
const rated = passage.extend({ grade })
const leg = z.strictObject({ runId: id, rerank: z.boolean().nullable().default(null) })
const comparison = z.strictObject({
  a: leg,
  b: leg,
  /** Number of top results that count. */
  k: z.number().int().min(1).max(100).default(5),
  measure: z.enum(measures).default('ndcg'),
})
const hit = passage.extend({
  score: z.number().nullable(),
  recallScore: z.number().nullable(),
  rerankScore: z.number().nullable(),
  knowledgeId: z.string().max(256),
  url: z.string().max(8000),
  context: z.string().max(100_000),
})

/** Run with its rows, without their results. */
export interface RunWithRows {
  readonly run: RetrievalRun
  readonly rows: readonly RetrievalRow[]
}

/** Routes of the retrieval Playground: queries to knowledge bases, test sets, and comparison of runs. */
export const retrieval = {
  /** Newest first. */
  sets: route<{ readonly sets: readonly TestSetBrief[] }>()(z.strictObject({})),
  set: route<TestSet>()(z.strictObject({ id })),
  createSet: route<TestSet>()(z.strictObject({ title, settings, accountId: id.optional() })),
  /** Sets the settings and the account of the next run of the set. */
  configure: route<TestSet>()(
    z.strictObject({ id, settings: settings.optional(), accountId: id.optional() }),
  ),
  /** Adds questions with ratings of passages; existing questions only get the ratings. */
  addQuestions: route<{ readonly questions: readonly TestQuestion[]; readonly known: number }>()(
    z.strictObject({
      setId: id,
      questions: z
        .array(
          z.strictObject({
            text: question,
            note: note.default(''),
            judgements: z.array(rated).max(500).default([]),
          }),
        )
        .min(1)
        .max(200),
    }),
  ),
  editQuestion: route<TestQuestion>()(
    z.strictObject({ id, text: question.optional(), note: note.optional() }),
  ),
  /** Removes questions from their set; `restoreQuestions` undoes it. */
  dropQuestions: route<Record<string, never>>()(z.strictObject({ ids })),
  restoreQuestions: route<Record<string, never>>()(z.strictObject({ ids })),
  judgements: route<{ readonly judgements: readonly Judgement[] }>()(
    z.strictObject({ questionId: id }),
  ),
  /** Rates how well a passage answers a question; null removes the rating. */
  rate: route<{ readonly judgements: readonly Judgement[] }>()(
    z.strictObject({ questionId: id, passage, grade: grade.nullable() }),
  ),
  /**
   * Saves a Playground question in a set, with the ratings of its results; without `setId`, in a new one named `title`.
   */
  saveQuestion: route<{ readonly set: TestSet; readonly question: TestQuestion }>()(
    z.strictObject({ runId: id, setId: id.optional(), title: title.optional() }),
  ),
  /** Asks one question in the Playground immediately; the rows follow as events. */
  ask: route<RetrievalRun>()(z.strictObject({ question, settings, accountId: id.optional() })),
  /** Runs a whole set with a row per question; continues after a restart. */
  start: route<RetrievalRun>()(
    z.strictObject({ setId: id, settings, accountId: id.optional(), title: name.default('') }),
  ),
  /** Newest first; `setId` null means Playground runs. */
  runs: route<{ readonly runs: readonly RetrievalRun[]; readonly next: string | null }>()(
    z.strictObject({
      setId: id.nullable(),
      /** Words of the title or the question. */
      query: z.string().max(500).default(''),
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(100),
    }),
  ),
  run: route<RunWithRows>()(z.strictObject({ id })),
  row: route<RetrievalRowWhole>()(z.strictObject({ runId: id, at: z.number().int().min(0) })),
  raw: route<{ readonly reply: RawBody | null }>()(
    z.strictObject({ runId: id, at: z.number().int().min(0) }),
  ),
  /** Returns known images of the documents that a row found, by document ID; more are reported by an event. */
  images: route<{ readonly images: Readonly<Record<string, readonly DocumentImage[]>> }>()(
    z.strictObject({ runId: id, at: z.number().int().min(0) }),
  ),
  stop: route<RetrievalRun>()(z.strictObject({ id })),
  /** Retries failed and stopped rows. */
  retry: route<RetrievalRun>()(z.strictObject({ id })),
  rename: route<RetrievalRun>()(z.strictObject({ id, title })),
  /** Removes runs from their lists; `restoreRuns` undoes it. */
  removeRuns: route<Record<string, never>>()(z.strictObject({ ids })),
  restoreRuns: route<Record<string, never>>()(z.strictObject({ ids })),
  compare: route<Comparison>()(comparison),
  /** Exports a set, a run or a comparison as a file of the library. */
  export: route<{ readonly media: Media }>()(
    z.discriminatedUnion('what', [
      z.strictObject({ what: z.literal('set'), id, format: z.enum(['csv', 'json']) }),
      z.strictObject({ what: z.literal('run'), id, format: z.enum(['csv', 'json']) }),
      comparison.extend({ what: z.literal('comparison'), format: z.enum(['csv', 'json']) }),
    ]),
  ),
  /** Imports an exported run in parts: the first part, without `runId`, creates it. */
  importRun: route<RetrievalRun>()(
    z.strictObject({
      setId: id,
      runId: id.optional(),
      title: name,
      settings,
      accountName: z.string().max(300).default(''),
      createdAt: z.number().int().min(0),
      rows: z
        .array(
          z.strictObject({
            question,
            rerank: z.boolean(),
            tookMs: z.number().min(0).nullable(),
            tokens: z.number().int().min(0).nullable(),
            hits: z.array(hit).max(200),
          }),
        )
        .max(50),
    }),
  ),
}
