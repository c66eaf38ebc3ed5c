import { expect, test } from 'vitest'
import { literalMatches, matchesAcross, replaceRanges } from '../../../src/shared/text/literal.ts'

const found = (
  text: string,
  query: string,
  options: { matchCase?: boolean; wholeWords?: boolean } = {},
): readonly string[] =>
  literalMatches(text, query, { matchCase: false, wholeWords: false, ...options }).map(
    ([start, end]) => text.slice(start, end),
  )

test('finds what was typed, in any case unless the case counts', () => {
  expect(found('Anna met ANNA and anna.', 'anna')).toEqual(['Anna', 'ANNA', 'anna'])
  expect(found('Anna met ANNA', 'anna', { matchCase: true })).toEqual([])
  expect(found('café CAFE\u0301 ｃａｆｅ', 'cafe')).toEqual(['café', 'CAFE\u0301', 'ｃａｆｅ'])
  expect(found('a.b a+b', 'a.b')).toEqual(['a.b'])
  expect(found('aaaa', 'aa')).toEqual(['aa', 'aa'])
  expect(found('anything', '')).toEqual([])
})

test('finds whole words, in Chinese by the dictionary', () => {
  const whole = { wholeWords: true }
  expect(found('an answer, an', 'an', whole)).toEqual(['an', 'an'])
  expect(found('don’t do it', 'don', whole)).toEqual([])
  expect(found('I met Anna Lee.', 'anna lee', whole)).toEqual(['Anna Lee'])
  expect(found('我们讨论服务器的问题', '服务器', whole)).toEqual(['服务器'])
  expect(found('我们讨论服务器的问题', '务器', whole)).toEqual([])
})

test('leaves a match within one character alone', () => {
  expect(found('oﬃce', 'fi')).toEqual([])
  expect(found('oﬃce', 'ffi')).toEqual(['ﬃ'])
})

test('replaces ranges and keeps the rest', () => {
  const text = 'one two one'
  const ranges = literalMatches(text, 'one', { matchCase: true, wholeWords: true })
  expect(replaceRanges(text, ranges, '$& three')).toBe('$& three two $& three')
  expect(replaceRanges(text, ranges, '')).toBe(' two ')
})

test('counts the matches that run across two texts', () => {
  const across = (texts: readonly string[], query: string, options = {}) =>
    matchesAcross(texts, query, { matchCase: false, wholeWords: false, ...options })
  const lines = ['Near the old', ' Library of the old library. The Old', 'library']
  expect(across(lines, 'old library')).toBe(2)
  expect(across(lines, 'old library', { matchCase: true })).toBe(0)
  expect(across(lines, 'd lib', { wholeWords: true })).toBe(0)
  expect(across(lines, 'library')).toBe(0)
  expect(across(['我们讨论服', '务器'], '服务器')).toBe(1)
  expect(across(['', 'old', '', 'library'], 'old library')).toBe(0)
})
