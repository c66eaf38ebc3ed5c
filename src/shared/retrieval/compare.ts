import type { HitIdentity } from '../model/retrieval.ts'
import { joinMetrics, measureQuestion } from './metrics.ts'
import type { RatedPassage, Measure, QuestionMetrics, RunMetrics, Shares } from './metrics.ts'
import { countMoves, movesBetween } from './moves.ts'
import type { MoveCounts } from './moves.ts'

/** What one side of a comparison found for a question. */
export interface ComparedAnswer {
  /** Its place in its run. */
  readonly at: number
  readonly hits: readonly HitIdentity[]
  readonly tookMs: number | null
}

/** A question that is compared; a side that has no answer to it is null. */
export interface ComparedQuestion {
  readonly id: string
  readonly question: string
  readonly judgements: readonly RatedPassage[]
  readonly a: ComparedAnswer | null
  readonly b: ComparedAnswer | null
}

/** A question with its measures on both sides. */
export interface ComparisonRow extends MoveCounts {
  readonly id: string
  readonly question: string
  readonly a: QuestionMetrics | null
  readonly b: QuestionMetrics | null
  /** Places in the runs. */
  readonly atA: number | null
  readonly atB: number | null
  readonly tookMsA: number | null
  readonly tookMsB: number | null
}

/** Two runs beside each other. The means are over the questions that both answered: others would compare what is not the same. */
export interface Comparison {
  readonly k: number
  readonly a: RunMetrics
  readonly b: RunMetrics
  readonly rows: readonly ComparisonRow[]
  /** Questions that only one side answered. */
  readonly onlyA: number
  readonly onlyB: number
}

/** Measures one question on both sides. */
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

/** Joins measured questions; they are sorted by `measure`, see {@link inOrderOfChange}. */
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

/** What a measure changed by from A to B; null where one side cannot be measured. */
export function changeOf(
  row: { readonly a: Shares | null; readonly b: Shares | null },
  measure: Measure,
): number | null {
  const [before, after] = [row.a?.[measure] ?? null, row.b?.[measure] ?? null]
  return before === null || after === null ? null : after - before
}

/**
 * What got worse first, by how much; then what got better, by how much; then questions whose hits moved without changing the measure;
 * then the others, as they came.
 */
export function inOrderOfChange(
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
