import { setImmediate } from 'node:timers/promises'
import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import type { RetrievalRun } from '../../../../../shared/model/retrieval.ts'
import {
  compareQuestion,
  joinComparison,
} from '../../../../../shared/knowledge/retrieval/compare-runs.ts'
import type {
  ComparedAnswer,
  Comparison,
  ComparisonRow,
} from '../../../../../shared/knowledge/retrieval/compare-runs.ts'
import type { RatedPassage } from '../../../../../shared/knowledge/retrieval/metrics.ts'
import { AppError } from '../../../../errors.ts'
import type { RankedRow } from '../../store/retrieval-types.ts'
import type { Store } from '../../../../library-database/store.ts'

/** Rows read and measured before yielding to the main thread: some milliseconds of work. */
const rowsAtOnce = 100

interface Side {
  readonly question: string
  answer: ComparedAnswer | null
}

/**
 * Compares two runs question by question, by the current ratings of their results. Questions are matched by ID, else by text. If
 * a run used both modes and none is chosen, the reranked answers count. Throws NOT_FOUND.
 */
export async function compareRuns(
  store: Pick<Store, 'retrievalRuns' | 'testSets'>,
  { a, b, k, measure }: Pick<ParsedOf<'retrieval.compare'>, 'a' | 'b' | 'k' | 'measure'>,
): Promise<Comparison> {
  const judgements = new Map<string, readonly RatedPassage[]>()
  const read = async (
    leg: ParsedOf<'retrieval.compare'>['a'],
  ): Promise<ReadonlyMap<string, Side>> => {
    const run = store.retrievalRuns.get(leg.runId)
    if (!run) throw new AppError('NOT_FOUND', 'Run not found')
    const sides = new Map<string, Side>()
    for (let from = 0; from < run.total; from += rowsAtOnce) {
      for (const [id, rated] of store.testSets.judgementsOfRun(run.id, from, rowsAtOnce))
        judgements.set(id, rated)
      for (const row of store.retrievalRuns.ranked(run.id, from, rowsAtOnce))
        if (counts(run, leg.rerank, row)) sides.set(nameOf(row), sideOf(row))
      await setImmediate()
    }
    return sides
  }
  const before = await read(a)
  const after = await read(b)
  const names = new Set([...before.keys(), ...after.keys()])
  const rows: ComparisonRow[] = []
  for (const name of names) {
    const [one, other] = [before.get(name), after.get(name)]
    rows.push(
      compareQuestion(
        {
          id: name,
          question: other?.question ?? one?.question ?? '',
          judgements: judgements.get(name) ?? [],
          a: one?.answer ?? null,
          b: other?.answer ?? null,
        },
        k,
      ),
    )
    if (rows.length % rowsAtOnce === 0) await setImmediate()
  }
  return joinComparison(rows, k, measure)
}

const nameOf = ({ questionId, question }: RankedRow): string => questionId ?? question

const sideOf = ({ question, hits, tookMs: durationMs, at }: RankedRow): Side => ({
  question,
  answer: hits && { hits, tookMs: durationMs, at },
})

const counts = (run: RetrievalRun, rerank: boolean | null, row: RankedRow): boolean =>
  rerank === null ? run.settings.rerank !== 'both' || row.rerank : row.rerank === rerank
