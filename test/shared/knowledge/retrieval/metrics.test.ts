import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compareQuestion,
  joinComparison,
} from '../../../../src/shared/knowledge/retrieval/compare-runs.ts'
import type { ComparedQuestion } from '../../../../src/shared/knowledge/retrieval/compare-runs.ts'
import {
  gradesOf,
  joinMetrics,
  measureQuestion,
} from '../../../../src/shared/knowledge/retrieval/metrics.ts'
import { countMoves, movesBetween } from '../../../../src/shared/knowledge/retrieval/moves.ts'

const seed = 20260707
const known = (name: string) => ({ sliceId: name, textKey: `words of ${name}` })
const names = fc.uniqueArray(fc.integer({ min: 0, max: 25 }), { maxLength: 20 })
const question = fc.record({
  found: names,
  grades: fc.dictionary(
    fc.integer({ min: 0, max: 25 }).map(String),
    fc.integer({ min: 0, max: 3 }),
  ),
  k: fc.integer({ min: 1, max: 25 }),
})

/** Computes the metrics again with loops over ranks, as in textbooks. */
function byHand(found: readonly number[], grades: Readonly<Record<string, number>>, k: number) {
  const relevant = Object.values(grades).filter((grade) => grade >= 1).length
  let [hits, unjudged, dcg, firstAt] = [0, 0, 0, 0]
  for (let rank = 1; rank <= found.length; rank++) {
    const grade = grades[String(found[rank - 1])]
    if (grade !== undefined && grade >= 1 && firstAt === 0) firstAt = rank
    if (rank > k) continue
    if (grade === undefined) unjudged += 1
    else {
      if (grade >= 1) hits += 1
      dcg += (Math.pow(2, grade) - 1) / (Math.log(rank + 1) / Math.LN2)
    }
  }
  const ideal = Object.values(grades).toSorted((a, b) => b - a)
  let best = 0
  for (let rank = 1; rank <= Math.min(k, ideal.length); rank++)
    best += (Math.pow(2, ideal[rank - 1] ?? 0) - 1) / (Math.log(rank + 1) / Math.LN2)
  const measured = relevant > 0
  return {
    hit: measured ? Number(hits > 0) : null,
    recall: measured ? hits / relevant : null,
    precision: measured ? hits / k : null,
    mrr: measured ? (firstAt === 0 ? 0 : 1 / firstAt) : null,
    ndcg: measured ? dcg / best : null,
    unjudged,
    counted: Math.min(k, found.length),
  }
}

const ratingsOf = (grades: Readonly<Record<string, number>>) =>
  Object.entries(grades).map(([name, grade]) => ({ ...known(name), grade }))
const hitsOf = (found: readonly number[]) => found.map((name) => known(String(name)))

test('computes the same question metrics as an independent implementation', () => {
  fc.assert(
    fc.property(question, ({ found, grades, k }) => {
      const measured = measureQuestion(hitsOf(found), ratingsOf(grades), k)
      const expected = byHand(found, grades, k)
      for (const [name, value] of Object.entries(expected)) {
        const own = measured[name as keyof typeof measured]
        if (value === null) expect(own).toBeNull()
        else expect(own).toBeCloseTo(value, 10)
      }
    }),
    { seed, numRuns: 2000 },
  )
})

test('keeps all shares within 0 to 1 for any results and ratings', () => {
  const passage = fc.record({
    sliceId: fc.constantFrom('', 'a', 'b', 'c'),
    textKey: fc.constantFrom('', 'x', 'y', 'z'),
  })
  fc.assert(
    fc.property(
      fc.array(passage, { maxLength: 12 }),
      fc.array(
        fc
          .record({ passage, grade: fc.integer({ min: 0, max: 3 }) })
          .map(({ passage: one, grade }) => ({ ...one, grade })),
        { maxLength: 12 },
      ),
      fc.integer({ min: 1, max: 12 }),
      (hits, judgements, k) => {
        const { hit, recall, precision, mrr, ndcg } = measureQuestion(hits, judgements, k)
        for (const share of [hit, recall, precision, mrr, ndcg])
          if (share !== null) {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share).toBeLessThanOrEqual(1 + 1e-12)
          }
      },
    ),
    { seed, numRuns: 2000 },
  )
})

test('matches a re-embedded chunk by its text, and counts it once', () => {
  const before = { sliceId: 'old', textKey: 'k' }
  const after = { sliceId: 'new', textKey: 'k' }
  expect(gradesOf([after], [{ ...before, grade: 2 }])).toEqual([2])
  expect(gradesOf([before, after], [{ ...before, grade: 2 }])).toEqual([2, 0])
  expect(gradesOf([{ sliceId: '', textKey: '' }], [{ ...before, grade: 2 }])).toEqual([null])
})

test('averages over measurable questions and reports their number', () => {
  const of = (found: readonly number[], grades: Readonly<Record<string, number>>) => ({
    metrics: measureQuestion(hitsOf(found), ratingsOf(grades), 3),
    tookMs: found.length * 10,
  })
  const joined = joinMetrics([of([1, 2], { 1: 1 }), of([2, 1], { 1: 1 }), of([5, 6, 7], {})])
  expect(joined).toMatchObject({ mrr: 0.75, hit: 1, measured: 2, answered: 3 })
  expect([joined.unjudged, joined.counted]).toEqual([5, 7])
  expect(joined.latency).toBeCloseTo(70 / 3, 10)
  expect(joinMetrics([])).toMatchObject({ hit: null, latency: null, measured: 0 })
})

test('reports each result of both lists once with its ranks', () => {
  fc.assert(
    fc.property(names, names, (before, after) => {
      const moves = movesBetween(hitsOf(before), hitsOf(after))
      const pairs = moves.map(({ from, to }) => [
        from === null ? null : before[from - 1],
        to === null ? null : after[to - 1],
      ])
      for (const [a, b] of pairs)
        if (typeof a === 'number' && typeof b === 'number') expect(a).toBe(b)
      expect(new Set(pairs.map(([a, b]) => a ?? b))).toEqual(new Set([...before, ...after]))
      expect(moves).toHaveLength(new Set([...before, ...after]).size)
      const stayed = after.filter((name) => before.includes(name))
      expect(countMoves(moves)).toEqual({
        entered: after.length - stayed.length,
        left: before.length - stayed.length,
        moved: stayed.filter((name) => before.indexOf(name) !== after.indexOf(name)).length,
      })
      for (const { from, to, by } of moves)
        expect(by).toBe(from === null || to === null ? null : from - to)
    }),
    { seed, numRuns: 500 },
  )
})

test('compares two runs: differences, losses first, only questions both answered', () => {
  const side = (found: readonly number[] | null, at: number) =>
    found && { at, hits: hitsOf(found), tookMs: 5 }
  const row = (
    id: string,
    a: readonly number[] | null,
    b: readonly number[] | null,
    grades: Readonly<Record<string, number>>,
  ): ComparedQuestion => ({
    id,
    question: id,
    judgements: ratingsOf(grades),
    a: side(a, 0),
    b: side(b, 1),
  })
  const questions = [
    row('same', [1, 2], [1, 2], { 1: 1 }),
    row('better', [2, 1], [1, 2], { 1: 1 }),
    row('stirred', [1, 2, 3], [1, 3, 2], { 1: 1 }),
    row('lost', [1, 2], [2, 3], { 1: 1 }),
    row('worse', [1, 2], [2, 1], { 1: 1 }),
    row('alone', [1], null, { 1: 1 }),
  ]
  const k = 2
  const compared = joinComparison(
    questions.map((one) => compareQuestion(one, k)),
    k,
    'mrr',
  )
  expect(compared.rows.map(({ id }) => id)).toEqual([
    'lost',
    'worse',
    'better',
    'stirred',
    'same',
    'alone',
  ])
  expect([compared.onlyA, compared.onlyB]).toEqual([1, 0])
  expect(compared.a.answered).toBe(5)
  expect(compared.a.mrr).toBeCloseTo((1 + 0.5 + 1 + 1 + 1) / 5, 10)
  expect(compared.b.mrr).toBeCloseTo((1 + 1 + 1 + 0 + 0.5) / 5, 10)
  expect(compared.rows[0]).toMatchObject({ entered: 1, left: 1, moved: 1 })
})
