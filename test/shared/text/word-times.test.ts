import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offsetTime, wordTimes } from '../../../src/shared/text/word-times.ts'

const span = { startMs: 10_000, endMs: 20_000 }

test('spreads words over the voice by length, with pauses between two words', () => {
  const voiced = [
    { startMs: 10_200, endMs: 11_200 },
    { startMs: 15_000, endMs: 16_000 },
  ]
  expect(wordTimes('ab, cdefgh. ijklmnop', span, voiced)).toEqual([
    { from: 0, to: 3, startMs: 10_200, endMs: 10_450 },
    { from: 4, to: 11, startMs: 10_450, endMs: 11_200 },
    { from: 12, to: 20, startMs: 15_000, endMs: 16_000 },
  ])
})

test('times scripts without spaces by character, and a Latin word with its punctuation', () => {
  const times = wordTimes('我们用 API。', span, [])
  expect(times.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [4, 8],
  ])
  expect(times.map(({ startMs }) => startMs)).toEqual([10_000, 12_500, 15_000, 17_500])
})

test('returns the time of the word at an offset; an end is before the pause', () => {
  const voiced = [
    { startMs: 10_000, endMs: 11_000 },
    { startMs: 14_000, endMs: 15_000 },
  ]
  expect(offsetTime('good morning', 0, span, voiced)).toBe(10_000)
  expect(offsetTime('abcd efgh', 5, span, voiced)).toBe(14_000)
  expect(offsetTime('abcd efgh', 4, span, voiced, 'end')).toBe(11_000)
  expect(offsetTime('abcd efgh', 9, span, voiced)).toBe(15_000)
  expect(offsetTime('...', 2, span, voiced)).toBe(10_000)
})

test('keeps words in order, non-overlapping and within the voice', () => {
  const any = fc.tuple(
    fc.string({ unit: fc.constantFrom('a', 'é', '会', 'か', '글', ' ', '.', '9', '😀') }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 900 }))),
  )
  fc.assert(
    fc.property(any, ([text, lengths]) => {
      let at = 9_500
      const voiced = lengths.map(([pause, voice]) => {
        const startMs = at + pause
        at = startMs + voice
        return { startMs, endMs: at }
      })
      const times = wordTimes(text, span, voiced)
      let before = span.startMs
      let read = 0
      for (const word of times) {
        expect(word.startMs).toBeGreaterThanOrEqual(before)
        expect(word.endMs).toBeGreaterThanOrEqual(word.startMs)
        expect(word.from).toBeGreaterThanOrEqual(read)
        expect(Number.isInteger(word.startMs) && Number.isInteger(word.endMs)).toBe(true)
        expect(Math.abs(offsetTime(text, word.from, span, voiced) - word.startMs)).toBeLessThan(2)
        before = word.endMs
        read = word.to
      }
      expect(before).toBeLessThanOrEqual(span.endMs)
      const spoken = times.map((word) => text.slice(word.from, word.to)).join('')
      const letters = (all: string): string => all.replace(/[\s.😀]/gu, '')
      expect(letters(spoken)).toBe(letters(text))
    }),
    { seed: 20_261_121, numRuns: 300 },
  )
})
