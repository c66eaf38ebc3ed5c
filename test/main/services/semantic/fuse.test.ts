import { expect, test } from 'vitest'
import { fuseRanks } from '../../../../src/main/services/semantic/fuse.ts'

test('a key of both lists counts both places: 1 / (60 + place) each', () => {
  const fused = fuseRanks(['a', 'b', 'c'], ['c', 'd'])
  expect(fused.map(({ key }) => key)).toEqual(['c', 'a', 'b', 'd'])
  expect(fused[0]).toEqual({ key: 'c', meaning: 3, words: 1, score: 1 / 63 + 1 / 61 })
  expect(fused[1]).toEqual({ key: 'a', meaning: 1, words: null, score: 1 / 61 })
  expect(fused[3]).toEqual({ key: 'd', meaning: null, words: 2, score: 1 / 62 })
})

test('of equal scores the one by meaning goes first; empty lists are none', () => {
  expect(fuseRanks(['a'], ['b']).map(({ key }) => key)).toEqual(['a', 'b'])
  expect(fuseRanks([], ['b', 'a']).map(({ key }) => key)).toEqual(['b', 'a'])
  expect(fuseRanks([], [])).toEqual([])
})
