import { expect, test } from 'vitest'
import { findMatches, splitByRanges, queryTerms } from '../../../src/renderer/src/kit/text-parts.ts'
import { addHotwords } from '../../../src/renderer/src/domains/audio/meetings/hotwords.ts'

const matched = (text: string, query: string): string[] =>
  findMatches(text, query).map(([start, end]) => text.slice(start, end))

test('finds words by prefix, ignoring case, accents and width', () => {
  expect(matched('Ask not what your Country can do', 'country')).toEqual(['Country'])
  expect(matched('Ask not what your country can do', 'coun')).toEqual(['coun'])
  expect(matched('a recounting', 'count')).toEqual([])
  expect(matched('Café au lait', 'cafe')).toEqual(['Café'])
  expect(matched('ＡＢＣ street', 'abc')).toEqual(['ＡＢＣ'])
})

test('finds Chinese words of one, two and more characters anywhere', () => {
  const text = '今天我们讨论搜索。用户输入两个字就应该找到那句话。'
  expect(matched(text, '字')).toEqual(['字'])
  expect(matched(text, '搜索')).toEqual(['搜索'])
  expect(matched(text, '找到那句话')).toEqual(['找到那句话'])
  expect(matched(text, '搜索 用户')).toEqual(['搜索', '用户'])
})

test('keeps quoted phrases together and merges overlapping matches', () => {
  expect(queryTerms('"ask not" what')).toEqual(['ask not', 'what'])
  expect(matched('ask not what, ask what', '"ask not"')).toEqual(['ask not'])
  expect(matched('banana', 'banana ban')).toEqual(['banana'])
})

test('splits a text at ranges without losing a character, even for invalid ones', () => {
  const parts = splitByRanges('And so my fellow', [
    [4, 6],
    [5, 9],
    [14, 99],
  ])
  expect(parts.map(({ text }) => text).join('')).toBe('And so my fellow')
  expect(parts.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['so', ' my', 'ow'])
})

test('keeps offsets correct after characters that grow or shrink when folded', () => {
  const text = 'ﬁrst İstanbul ½ 𝒞ountry then country'
  expect(matched(text, 'country')).toEqual(['𝒞ountry', 'country'])
})

test('splits vocabulary at common list separators, without duplicates', () => {
  expect(addHotwords(['Okafor'], 'Mara, Okafor；搜索、导出\n Jonas ')).toEqual([
    'Okafor',
    'Mara',
    '搜索',
    '导出',
    'Jonas',
  ])
  expect(addHotwords([], ' , ')).toEqual([])
})
