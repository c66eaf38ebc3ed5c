import type { HitIdentity } from '../model/retrieval.ts'
import { isSamePassage, matchIdentities } from './identity.ts'

/** How well a list of hits answers a question. What cannot be told without a passage that answers it is null. */
export interface QuestionMetrics {
  /** 1 when one of the first k answers it, else 0. */
  readonly hit: number | null
  /** Share of the passages that answer it which are among the first k. */
  readonly recall: number | null
  /** Share of k places that hold a passage which answers it. */
  readonly precision: number | null
  /** One over the rank of the first hit that answers it, in the whole list; 0 without one. */
  readonly mrr: number | null
  /** Gains (2^grade - 1) over log2(rank + 1) of the first k, over those of the best order there could be. */
  readonly ndcg: number | null
  /** Hits among the first k that nobody judged: they count as no answer. */
  readonly unjudged: number
  /** Hits among the first k. */
  readonly counted: number
}

/** Names of the measures that are shares. */
export const measures = ['hit', 'recall', 'precision', 'mrr', 'ndcg'] as const
/** One of {@link measures}. */
export type Measure = (typeof measures)[number]

/** What the measures come to. */
export type Shares = Readonly<Record<Measure, number | null>>

/** What was said of a passage. */
export interface RatedPassage extends HitIdentity {
  readonly grade: number
}

/**
 * The grade of each hit: null for those that nobody judged. A passage that is in a list twice answers once: the second one is worth
 * nothing, and judged.
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

/** Measures the hits of one question by what was said of passages; `k` is the number of places that count, from 1. */
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

/** Measures of many questions together. */
export interface RunMetrics {
  /** Means over the questions that can be measured; null when there is none. */
  readonly hit: number | null
  readonly recall: number | null
  readonly precision: number | null
  readonly mrr: number | null
  readonly ndcg: number | null
  /** Mean milliseconds of an answer. */
  readonly latency: number | null
  /** Questions that were measured, of how many that were answered. */
  readonly measured: number
  readonly answered: number
  /** Hits among the first k that nobody judged, of how many. */
  readonly unjudged: number
  readonly counted: number
}

/** Joins the measures of questions. */
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
