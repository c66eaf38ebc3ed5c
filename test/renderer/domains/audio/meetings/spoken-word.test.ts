import { expect, test } from 'vitest'
import { lineSegments } from '../../../../../src/renderer/src/domains/audio/meetings/line-segments.ts'
import {
  momentOfOffset,
  voicedOfLine,
  wordAt,
} from '../../../../../src/renderer/src/domains/audio/meetings/current-word.ts'
import { lineOf, segmentOf } from './side-data.ts'

const segment = segmentOf('a', 0, {
  voiced: [
    { startMs: 1000, endMs: 3000 },
    { startMs: 7000, endMs: 9000 },
  ],
})
const line = lineOf('1', segment, 'aaaa bbbb cccc dddd')
const voiced = voicedOfLine([segment], line)
const textAt = (ms: number): string | null => {
  const word = wordAt(line, ms, voiced)
  return word && line.text.slice(...word)
}

test('highlights words where there is voice; pauses belong to the previous word', () => {
  expect([1000, 2500, 5000, 7500, 8900].map(textAt)).toEqual([
    'aaaa',
    'bbbb',
    'bbbb',
    'cccc',
    'dddd',
  ])
})

test('highlights nothing outside the line or before its first word', () => {
  expect([-1, 500, 10_000].map(textAt)).toEqual([null, null, null])
})

test('seeks to the start of a clicked word, the second of two, or the last one', () => {
  expect([0, 3, 7, 10, 12].map((offset) => momentOfOffset(line, offset, voiced))).toEqual([
    1000, 1000, 2000, 7000, 7000,
  ])
  // A click after the text stays in its line.
  expect(wordAt(line, momentOfOffset(line, line.text.length, voiced), voiced)).toEqual([15, 19])
})

test('highlights the word that was clicked', () => {
  for (const offset of [1, 6, 11, 16])
    expect(wordAt(line, momentOfOffset(line, offset, voiced), voiced)?.[0]).toBe(
      Math.floor(offset / 5) * 5,
    )
})

test('merges the voice ranges of all segments of a merged line, on its own channel', () => {
  const span = (startMs: number, endMs: number) => ({ startMs, endMs })
  const segments = [
    segmentOf('long', 0, { endMs: 29_000, voiced: [span(0, 29_000)] }),
    segmentOf('other', 5000, { channel: 1, voiced: [span(5000, 9000)] }),
    segmentOf('next', 28_500, { voiced: [span(28_500, 30_000), span(32_000, 33_000)] }),
    segmentOf('after', 60_000, { voiced: [span(60_000, 61_000)] }),
  ]
  expect(voicedOfLine(segments, { startMs: 20_000, endMs: 34_000, channel: 0 })).toEqual([
    span(0, 29_000),
    span(29_000, 30_000),
    span(32_000, 33_000),
  ])
  expect(voicedOfLine(segments, { startMs: 50_000, endMs: 55_000, channel: 0 })).toEqual([])
})

test('splits a text at the start and end of its marks without losing any', () => {
  const cut = lineSegments('one two three', {
    hits: [
      [0, 3],
      [8, 13],
    ],
    current: [8, 13],
    spoken: [4, 7],
  })
  expect(cut.map(({ text }) => text)).toEqual(['one', ' ', 'two', ' ', 'three'])
  expect(cut.map(({ hit, current, spoken }) => [hit, current, spoken])).toEqual([
    [true, false, false],
    [false, false, false],
    [false, false, true],
    [false, false, false],
    [true, true, false],
  ])
})

test('ignores a mark beyond the text or below another one', () => {
  const cut = lineSegments('short', { hits: [[2, 99]], current: null, spoken: [0, 4] })
  expect(cut.map(({ text }) => text).join('')).toBe('short')
  expect(cut.map(({ hit, spoken }) => [hit, spoken])).toEqual([
    [false, true],
    [true, true],
    [true, false],
  ])
  expect(lineSegments('', { hits: [], current: null, spoken: null })).toEqual([])
})
