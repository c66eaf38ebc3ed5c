import { expect, test } from 'vitest'
import { charactersOf, isLonger } from '../../../src/shared/text/characters.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['汉字', 2],
  ['\u{1F600}\u{20000}', 2],
  ['a\uD83D', 2],
  ['\uDE00\uD83D', 2],
  ['\uD83D\uD83D\uDE00', 2],
])('counts %j as %i characters by code points', (text, count) => {
  expect(charactersOf(text)).toBe(count)
  expect(charactersOf(text)).toBe(Array.from(text).length)
  expect(isLonger(text, count)).toBe(false)
  expect(isLonger(text, count - 1)).toBe(true)
})
