import { expect, test } from 'vitest'
import {
  citedNumbers,
  referenceMarks,
  shownNumbers,
  withoutMarks,
  withShownMarks,
} from '../../../src/shared/chats/references.ts'
import { randomFrom } from '../../fixtures/random.ts'

test.each([
  ['<reference data-ref="3"></reference>', [3]],
  ["<reference data-ref='3'></reference>", [3]],
  ['<reference data-ref=3></reference>', [3]],
  ['<reference data-ref="3"/>', [3]],
  ['<reference data-ref="3" />', [3]],
  ['<Reference data-ref = "1, 2,2"></Reference>', [1, 2]],
  ['<reference data-ref="0">x</reference>', [0]],
])('is a citation mark: %s', (text, numbers) => {
  expect(referenceMarks(`a${text}b`)).toEqual([{ start: 1, end: 1 + text.length, numbers }])
  expect(withoutMarks(`a${text}b`)).toBe('ab')
})

test.each([
  '<reference data-ref=""></reference>',
  '<reference data-ref="x"></reference>',
  '<reference data-ref="3">',
  '<reference data-ref="3',
  '<reference></reference>',
  'data-ref="3"',
])('is not a citation mark: %s', (text) => {
  expect(referenceMarks(text)).toEqual([])
})

test('returns each number once, in text order', () => {
  const mark = (n: number): string => `<reference data-ref="${n}"></reference>`
  expect(citedNumbers(`${mark(2)}a${mark(1)}${mark(2)}`)).toEqual([2, 1])
})

test('displays marks as 1, 2, 3 by first occurrence', () => {
  const mark = (ref: string): string => `<reference data-ref="${ref}"></reference>`
  const text = `a${mark('4')}b${mark('2, 4')}c${mark('0')}d${mark('2')}`
  expect([...shownNumbers(text)]).toEqual([
    [4, 1],
    [2, 2],
    [0, 3],
  ])
  expect(withShownMarks(text)).toBe(`a${mark('1')}b${mark('2,1')}c${mark('3')}d${mark('2')}`)
  expect(withShownMarks('No mark')).toBe('No mark')
})

test('parses a text full of incomplete marks and keeps the text around marks', () => {
  const text = '<reference data-ref="'.repeat(20_000)
  expect(referenceMarks(text)).toEqual([])
  for (let seed = 1; seed <= 100; seed++) {
    const random = randomFrom(seed)
    const parts = Array.from({ length: 30 }, () => {
      const n = Math.floor(random() * 20)
      return random() < 0.5 ? `<reference data-ref="${n}"></reference>` : `wörter <b> ${n} 甲`
    })
    const words = parts.filter((part) => !part.startsWith('<reference'))
    expect(withoutMarks(parts.join(''))).toBe(words.join(''))
    expect(referenceMarks(parts.join(''))).toHaveLength(parts.length - words.length)
  }
})
