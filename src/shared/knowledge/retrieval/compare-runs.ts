import type { HitIdentity } from '../../model/retrieval.ts'
import {
  joinMetrics,
  measureQuestion,
  type RatedPassage,
  type Measure,
  type QuestionMetrics,
  type RunMetrics,
  type Shares,
} from './metrics.ts'
import { countMoves, movesBetween, type MoveCounts } from './moves.ts'

/** Results of one side of a comparison for a question. */
export interface ComparedAnswer {
  /** Its index in its run. */
  readonly at: number
  readonly hits: readonly HitIdentity[]
  readonly tookMs: number | null
}

/** A question to compare; a side without an answer to it is null. */
export interface ComparedQuestion {
  readonly id: string
  readonly question: string
  readonly judgements: readonly RatedPassage[]
  readonly a: ComparedAnswer | null
  readonly b: ComparedAnswer | null
}

/** A question with its metrics on both sides. */
export interface ComparisonRow extends MoveCounts {
  readonly id: string
  readonly question: string
  readonly a: QuestionMetrics | null
  readonly b: QuestionMetrics | null
  /** Indexes in the runs. */
  readonly atA: number | null
  readonly atB: number | null
  readonly tookMsA: number | null
  readonly tookMsB: number | null
}

/** Comparison of two runs. The means cover only the questions that both answered, so that they are comparable. */
export interface Comparison {
  readonly k: number
  readonly a: RunMetrics
  readonly b: RunMetrics
  readonly rows: readonly ComparisonRow[]
  /** Number of questions that only one side answered. */
  readonly onlyA: number
  readonly onlyB: number
}

/** Computes the metrics of one question on both sides. */
export function compareQuestion(question: ComparedQuestion, k: number): ComparisonRow {
  const { id, judgements, a, b } = question
  const moves = a && b ? countMoves(movesBetween(a.hits, b.hits)) : nothingMoved
  return {
    id,
    question: question.question,
    ...moves,
    a: a && measureQuestion(a.hits, judgements, k),
    b: b && measureQuestion(b.hits, judgements, k),
    atA: a?.at ?? null,
    atB: b?.at ?? null,
    tookMsA: a?.tookMs ?? null,
    tookMsB: b?.tookMs ?? null,
  }
}

const nothingMoved: MoveCounts = { entered: 0, left: 0, moved: 0 }

/** Combines measured questions; they are sorted by `measure`, see {@link inOrderOfChange}. */
export function joinComparison(
  rows: readonly ComparisonRow[],
  k: number,
  measure: Measure,
): Comparison {
  const both = rows.filter(({ a, b }) => a !== null && b !== null)
  const side = (name: 'a' | 'b'): RunMetrics =>
    joinMetrics(
      both.flatMap((row) => {
        const metrics = row[name]
        return metrics ? [{ metrics, tookMs: name === 'a' ? row.tookMsA : row.tookMsB }] : []
      }),
    )
  return {
    k,
    a: side('a'),
    b: side('b'),
    rows: inOrderOfChange(rows, measure),
    onlyA: rows.filter(({ a, b }) => a !== null && b === null).length,
    onlyB: rows.filter(({ a, b }) => a === null && b !== null).length,
  }
}

/** Returns the change of a metric from A to B; null if one side cannot be measured. */
export function changeOf(
  row: { readonly a: Shares | null; readonly b: Shares | null },
  measure: Measure,
): number | null {
  const [before, after] = [row.a?.[measure] ?? null, row.b?.[measure] ?? null]
  return before === null || after === null ? null : after - before
}

/**
 * Sorts the largest losses first, then gains by size, then questions whose results moved without changing the metric, then
 * the others in original order.
 */
function inOrderOfChange(
  rows: readonly ComparisonRow[],
  measure: Measure,
): readonly ComparisonRow[] {
  const keyed = rows.map((row) => {
    const change = changeOf(row, measure) ?? 0
    const stir = row.entered + row.left + row.moved
    const group = change < 0 ? 0 : change > 0 ? 1 : stir > 0 ? 2 : 3
    return { row, group, size: group < 2 ? Math.abs(change) : stir }
  })
  return keyed.toSorted((x, y) => x.group - y.group || y.size - x.size).map(({ row }) => row)
}
