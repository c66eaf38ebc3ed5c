import { expect, test } from 'vitest'
import { compareRankings } from '../../../../src/shared/knowledge/rerank/compare-rankings.ts'
import { barLengths, movesOf, sortedMoves } from '../../../../src/shared/knowledge/rerank/order.ts'
import { randomFrom } from '../../../fixtures/random.ts'

test('computes moves by index, and puts unranked texts last in their old order', () => {
  const moves = movesOf(4, [
    { index: 2, score: 0.9 },
    { index: 0, score: 0.4 },
  ])
  expect(moves).toEqual([
    { index: 0, rank: 1, score: 0.4, up: -1 },
    { index: 1, rank: null, score: null, up: null },
    { index: 2, rank: 0, score: 0.9, up: 2 },
    { index: 3, rank: null, score: null, up: null },
  ])
  const order = (how: Parameters<typeof sortedMoves>[1]) =>
    sortedMoves(moves, how).map(({ index }) => index)
  expect(order('new')).toEqual([2, 0, 1, 3])
  expect(order('old')).toEqual([0, 1, 2, 3])
  expect(order('score')).toEqual([2, 0, 1, 3])
  expect(order('change')).toEqual([2, 0, 1, 3])
})

test('moves nothing for an unknown index', () => {
  expect(movesOf(1, [{ index: 7, score: 1 }])).toEqual([
    { index: 0, rank: null, score: null, up: null },
  ])
})

test('uses scores from 0 to 1 as bar lengths, and scales raw scores', () => {
  const plain = barLengths([0.2, 0.8])
  expect([plain(0), plain(0.8), plain(1)]).toEqual([0, 0.8, 1])
  const raw = barLengths([-4, 6])
  expect([raw(-4), raw(1), raw(6)]).toEqual([0, 0.5, 1])
  expect(barLengths([])(0)).toBe(0)
})

const list = (texts: string) => [...texts].map((text, at) => ({ text, score: 1 - at / 10 }))

test('compares two orders: identical, reversed, and one swapped pair', () => {
  expect(compareRankings(list('abcd'), list('abcd'))).toMatchObject({
    tau: 1,
    discordant: 0,
    overlap: [
      { k: 1, share: 1 },
      { k: 3, share: 1 },
    ],
  })
  expect(compareRankings(list('abcd'), list('dcba'))).toMatchObject({ tau: -1, concordant: 0 })
  // One of six pairs: (6 - 2) / 6.
  expect(compareRankings(list('abcd'), list('bacd')).tau).toBeCloseTo(2 / 3, 12)
})

test('counts texts of only one ranking for the overlap, not tau; a single text has no tau', () => {
  const found = compareRankings(list('abc'), list('axy'))
  expect(found).toMatchObject({ common: 1, tau: null, overlap: [{ k: 1 }, { k: 3 }] })
  expect(found.overlap[1]?.share).toBeCloseTo(1 / 3, 12)
  expect(found.rows.find(({ text }) => text === 'x')).toMatchObject({
    first: null,
    second: 1,
    up: null,
  })
})

test('compares a repeated text by occurrence', () => {
  const found = compareRankings(list('aba'), list('aab'))
  expect(found.common).toBe(3)
  expect(found.rows.map(({ text, first, second }) => [text, first, second])).toEqual([
    ['a', 0, 0],
    ['b', 1, 2],
    ['a', 2, 1],
  ])
})

test('computes the same tau as counting every pair, for many orders', () => {
  const random = randomFrom(7)
  for (let round = 0; round < 50; round++) {
    const count = 2 + Math.floor(random() * 60)
    const texts = Array.from({ length: count }, (_, at) => `text ${at}`)
    const shuffled = texts
      .map((text) => ({ text, by: random() }))
      .toSorted((a, b) => a.by - b.by)
      .map(({ text }) => text)
    const place = new Map(shuffled.map((text, at) => [text, at]))
    let same = 0
    let other = 0
    for (let a = 0; a < count; a++)
      for (let b = a + 1; b < count; b++)
        if ((place.get(texts[a] ?? '') ?? 0) < (place.get(texts[b] ?? '') ?? 0)) same += 1
        else other += 1
    const found = compareRankings(
      texts.map((text) => ({ text, score: 0 })),
      shuffled.map((text) => ({ text, score: 0 })),
    )
    expect(found).toMatchObject({ concordant: same, discordant: other })
    expect(found.tau).toBeCloseTo((same - other) / (same + other), 12)
  }
})
