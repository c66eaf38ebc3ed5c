import { expect, test } from 'vitest'
import { findMatches, splitByRanges, queryTerms } from '../../src/renderer/src/features/search/text-parts.ts'
import { addHotwords } from '../../src/renderer/src/features/recordings/hotwords.ts'
import { readyLength } from '../../src/renderer/src/features/recordings/transcript-sentences.ts'

const matched = (text: string, query: string): string[] =>
  findMatches(text, query).map(([start, end]) => text.slice(start, end))

test('words are found by their beginning, whatever their case, accents and width', () => {
  expect(matched('Ask not what your Country can do', 'country')).toEqual(['Country'])
  expect(matched('Ask not what your country can do', 'coun')).toEqual(['coun'])
  expect(matched('a recounting', 'count')).toEqual([])
  expect(matched('Café au lait', 'cafe')).toEqual(['Café'])
  expect(matched('ＡＢＣ street', 'abc')).toEqual(['ＡＢＣ'])
})

test('Chinese words of one, two and more characters are found anywhere', () => {
  const text = '今天我们讨论搜索。用户输入两个字就应该找到那句话。'
  expect(matched(text, '字')).toEqual(['字'])
  expect(matched(text, '搜索')).toEqual(['搜索'])
  expect(matched(text, '找到那句话')).toEqual(['找到那句话'])
  expect(matched(text, '搜索 用户')).toEqual(['搜索', '用户'])
})

test('quoted phrases stay whole, and matches that overlap become one', () => {
  expect(queryTerms('"ask not" what')).toEqual(['ask not', 'what'])
  expect(matched('ask not what, ask what', '"ask not"')).toEqual(['ask not'])
  expect(matched('banana', 'banana ban')).toEqual(['banana'])
})

test('a text is cut at ranges without losing a character, even bad ones', () => {
  const parts = splitByRanges('And so my fellow', [
    [4, 6],
    [5, 9],
    [14, 99],
  ])
  expect(parts.map(({ text }) => text).join('')).toBe('And so my fellow')
  expect(parts.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['so', ' my', 'ow'])
})

test('folding does not shift offsets behind characters that grow or shrink', () => {
  const text = 'ﬁrst İstanbul ½ 𝒞ountry then country'
  expect(matched(text, 'country')).toEqual(['𝒞ountry', 'country'])
})

test('a growing text is read out by whole sentences', () => {
  expect(readyLength('Good morning. Yest', false)).toBe('Good morning.'.length)
  expect(readyLength('It is 3.14 and', false)).toBe(0)
  expect(readyLength('今天讨论搜索。然后', false)).toBe('今天讨论搜索。'.length)
  expect(readyLength('no full stop', true)).toBe('no full stop'.length)
})

test('hotwords are cut where people cut lists, and none is taken twice', () => {
  expect(addHotwords(['Okafor'], 'Mara, Okafor；搜索、导出\n Jonas ')).toEqual([
    'Okafor',
    'Mara',
    '搜索',
    '导出',
    'Jonas',
  ])
  expect(addHotwords([], ' , ')).toEqual([])
})
