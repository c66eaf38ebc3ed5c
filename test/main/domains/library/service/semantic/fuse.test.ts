import { expect, test } from 'vitest'
import { fuseRanks } from '../../../../../../src/main/domains/library/service/semantic/fuse.ts'

test('a key in both lists adds both ranks: 1 / (60 + rank) each', () => {
  const fused = fuseRanks(['a', 'b', 'c'], ['c', 'd'])
  expect(fused.map(({ key }) => key)).toEqual(['c', 'a', 'b', 'd'])
  expect(fused[0]).toEqual({ key: 'c', meaning: 3, words: 1, score: 1 / 63 + 1 / 61 })
  expect(fused[1]).toEqual({ key: 'a', meaning: 1, words: null, score: 1 / 61 })
  expect(fused[3]).toEqual({ key: 'd', meaning: null, words: 2, score: 1 / 62 })
})

test('puts the semantic result first at equal scores; accepts empty lists', () => {
  expect(fuseRanks(['a'], ['b']).map(({ key }) => key)).toEqual(['a', 'b'])
  expect(fuseRanks([], ['b', 'a']).map(({ key }) => key)).toEqual(['b', 'a'])
  expect(fuseRanks([], [])).toEqual([])
})
