import type { HitIdentity } from '../../model/retrieval.ts'
import { isSamePassage, matchIdentities } from './identity.ts'

/** Quality of a result list for a question. Metrics that require a relevant slice are null without one. */
export interface QuestionMetrics {
  /** 1 when one of the first k results is relevant, otherwise 0. */
  readonly hit: number | null
  /** Share of the relevant slices that are among the first k. */
  readonly recall: number | null
  /** Share of the first k ranks with a relevant slice. */
  readonly precision: number | null
  /** Reciprocal rank of the first relevant result in the whole list; 0 without one. */
  readonly mrr: number | null
  /** Gains (2^grade - 1) over log2(rank + 1) of the first k, divided by those of the ideal order. */
  readonly ndcg: number | null
  /** Number of unrated results among the first k: they count as not relevant. */
  readonly unjudged: number
  /** Number of results among the first k. */
  readonly counted: number
}

/** Names of the metrics that are shares. */
export const measures = ['hit', 'recall', 'precision', 'mrr', 'ndcg'] as const
/** One of {@link measures}. */
export type Measure = (typeof measures)[number]

/** Values of the metrics. */
export type Shares = Readonly<Record<Measure, number | null>>

export interface RatedPassage extends HitIdentity {
  readonly grade: number
}

/**
 * Returns the grade of each result: null for unrated ones. A slice that is in a list twice counts once: the second one has no
 * value but is rated.
 */
export function gradesOf(
  hits: readonly HitIdentity[],
  judgements: readonly RatedPassage[],
): readonly (number | null)[] {
  const matches = matchIdentities(hits, judgements)
  return hits.map((hit, at) => {
    const judgement = judgements[matches[at] ?? -1]
    if (judgement) return judgement.grade
    return judgements.some((one) => isSamePassage(one, hit)) ? 0 : null
  })
}

/**
 * Computes the metrics of one question from the ratings of slices; `k` is the number of ranks that count, from 1.
 */
export function measureQuestion(
  hits: readonly HitIdentity[],
  judgements: readonly RatedPassage[],
  k: number,
): QuestionMetrics {
  const grades = gradesOf(hits, judgements)
  const first = grades.slice(0, k)
  const unjudged = first.filter((grade) => grade === null).length
  const counted = first.length
  const wanted = judgements.filter(({ grade }) => grade > 0)
  if (wanted.length === 0)
    return { hit: null, recall: null, precision: null, mrr: null, ndcg: null, unjudged, counted }
  const found = first.filter((grade) => grade !== null && grade > 0).length
  const rank = grades.findIndex((grade) => grade !== null && grade > 0) + 1
  const best = wanted.map(({ grade }) => grade).toSorted((a, b) => b - a)
  return {
    hit: found > 0 ? 1 : 0,
    recall: found / wanted.length,
    precision: found / k,
    mrr: rank === 0 ? 0 : 1 / rank,
    ndcg: gainOf(first) / gainOf(best.slice(0, k)),
    unjudged,
    counted,
  }
}

const gainOf = (grades: readonly (number | null)[]): number =>
  grades.reduce<number>((sum, grade, at) => sum + (2 ** (grade ?? 0) - 1) / Math.log2(at + 2), 0)

/** Combined metrics of many questions. */
export interface RunMetrics {
  /** Means over the measurable questions; null when there is none. */
  readonly hit: number | null
  readonly recall: number | null
  readonly precision: number | null
  readonly mrr: number | null
  readonly ndcg: number | null
  /** Mean response time in milliseconds. */
  readonly latency: number | null
  /** Number of measured questions, and of answered ones. */
  readonly measured: number
  readonly answered: number
  /** Number of unrated results among the first k, and in total. */
  readonly unjudged: number
  readonly counted: number
}

/** Combines the metrics of questions. */
export function joinMetrics(
  questions: readonly { readonly metrics: QuestionMetrics; readonly tookMs: number | null }[],
): RunMetrics {
  const mean = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  }
  const of = (measure: Measure): number | null => mean(questions.map((one) => one.metrics[measure]))
  const sum = (name: 'unjudged' | 'counted'): number =>
    questions.reduce((total, { metrics }) => total + metrics[name], 0)
  return {
    hit: of('hit'),
    recall: of('recall'),
    precision: of('precision'),
    mrr: of('mrr'),
    ndcg: of('ndcg'),
    latency: mean(questions.map(({ tookMs: durationMs }) => durationMs)),
    measured: questions.filter(({ metrics }) => metrics.hit !== null).length,
    answered: questions.length,
    unjudged: sum('unjudged'),
    counted: sum('counted'),
  }
}
