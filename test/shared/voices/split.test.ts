import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../fixtures/growth.ts'
import { breakRank, textBreaks } from '../../../src/shared/voices/sentences.ts'
import {
  estimateSeconds,
  isSynthesized,
  spokenText,
  splitText,
} from '../../../src/shared/voices/split.ts'
import { randomFrom } from '../../fixtures/random.ts'

const sentences = (text: string): readonly string[] => {
  const ends = textBreaks(text)
    .filter(({ rank }) => rank >= breakRank.sentence)
    .map(({ at }) => at)
  return [0, ...ends].map((from, index) => text.slice(from, ends[index] ?? text.length).trim())
}

describe('sentence ends', () => {
  it.each([
    ['Dr. Smith met Mrs. Jones. They left.', ['Dr. Smith met Mrs. Jones.', 'They left.']],
    ['J. K. Rowling wrote it. So did I. Then?', ['J. K. Rowling wrote it.', 'So did I.', 'Then?']],
    ['Pi is 3.14 and No. 5 is alive. Yes.', ['Pi is 3.14 and No. 5 is alive.', 'Yes.']],
    ['He said "Go." Then (at 5 p.m.) he left.', ['He said "Go."', 'Then (at 5 p.m.) he left.']],
    ['"Why?" he asked. “Because!” she said.', ['"Why?" he asked.', '“Because!” she said.']],
    [
      'See https://a.example/b.c?d=1.2, e.g. here. End.',
      ['See https://a.example/b.c?d=1.2, e.g. here.', 'End.'],
    ],
    ['Wait... what?! No way.', ['Wait... what?!', 'No way.']],
    ['Pens, paper, etc. were sold. The end.', ['Pens, paper, etc. were sold.', 'The end.']],
    ['他说：“走吧。”然后离开了。真的？是！', ['他说：“走吧。”', '然后离开了。', '真的？', '是！']],
    ['我……我不知道。第1.5章（上）。', ['我……我不知道。', '第1.5章（上）。']],
    ['Version 2.0 is out. 新版本发布了。Good.', ['Version 2.0 is out.', '新版本发布了。', 'Good.']],
    ['1. First\n2. Second', ['1. First', '2. Second']],
    ['これは本です。それは？', ['これは本です。', 'それは？']],
  ])('%s', (text, expected) => {
    expect(sentences(text)).toEqual(expected)
  })

  it('ignores line breaks of text wrapped at a page width', () => {
    const text =
      'This line was broken by the width of a page and\ngoes on here. A new sentence.\n\nNext one.'
    expect(splitText(text, 200).map((segment) => [segment.text.trim(), segment.paragraph])).toEqual(
      [
        ['This line was broken by the width of a page and\ngoes on here. A new sentence.', true],
        ['Next one.', true],
      ],
    )
  })
})

describe('segments', () => {
  const alphabet = [
    'Hello',
    'world',
    ' ',
    ' ',
    ' ',
    '. ',
    ', ',
    '。',
    '，',
    '你好',
    '世界',
    '\n',
    '\n\n',
    '👨‍👩‍👧‍👦',
    '🇨🇳',
    'é',
    '3.14',
    'Dr. ',
    '“',
    '”',
    'https://x.example/a.b',
    '…',
    '! ',
    '？',
    '\u3000',
    '—',
    'ก็',
    '한국어',
    '\r\n',
    '*',
    '\ud83d\ude00',
  ]
  const random = randomFrom(20261122)
  const madeText = (length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')

  it('form the text when joined, fit the limit, and never split a character', () => {
    for (let round = 0; round < 400; round++) {
      const whole = madeText(Math.floor(random() * 120))
      const maxLength = 40 + Math.floor(random() * 200)
      const segments = splitText(whole, maxLength)
      expect(segments.map((segment) => segment.text).join('')).toBe(whole)
      const graphemes = new Set(
        Array.from(
          new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(whole),
          ({ index }) => index,
        ),
      )
      let at = 0
      for (const segment of segments) {
        expect(spokenText(segment.text).length).toBeLessThanOrEqual(maxLength)
        expect(segment.text.length).toBeGreaterThan(0)
        expect(at === 0 || graphemes.has(at), JSON.stringify([whole, segment.text])).toBe(true)
        at += segment.text.length
      }
    }
  })

  it('split a character that is longer than a segment between its code points', () => {
    const whole = `a${'\u0301'.repeat(500)}${'\ud83d\ude00\u200d'.repeat(60)}`
    const segments = splitText(whole, 40)
    expect(segments.map((segment) => segment.text).join('')).toBe(whole)
    for (const segment of segments) {
      expect(segment.text.length).toBeLessThanOrEqual(40)
      expect(segment.text.isWellFormed()).toBe(true)
    }
  })

  it('contain as many whole sentences as fit, and end with each paragraph', () => {
    const text = 'One two three. Four five six. Seven eight nine.\n\nTen.'
    expect(splitText(text, 40)).toEqual([
      { text: 'One two three. Four five six. ', paragraph: false },
      { text: 'Seven eight nine.\n\n', paragraph: true },
      { text: 'Ten.', paragraph: true },
    ])
  })

  it('split a long sentence at its clauses, then between words', () => {
    const long =
      'When the sun had gone down behind the hills, the people of the village came out of their houses'
    expect(splitText(long, 60).map((segment) => segment.text)).toEqual([
      'When the sun had gone down behind the hills, ',
      'the people of the village came out of their houses',
    ])
    expect(splitText('word '.repeat(30), 42).every(({ text }) => text.trim().length <= 42)).toBe(
      true,
    )
    expect(
      splitText('今天天气很好，'.repeat(20), 50).every(({ text }) => text.endsWith('，')),
    ).toBe(true)
  })

  it('include unspeakable text in the previous segment', () => {
    expect(splitText('The end.\n* * *\n\nNext.', 80).map(({ text }) => text)).toEqual([
      'The end.\n* * *\n\n',
      'Next.',
    ])
    expect(isSynthesized('* * * —')).toBe(false)
    expect(isSynthesized('50 %')).toBe(true)
  })

  it('are computed quickly for hundreds of thousands of characters', () => {
    const text = 'Hello there, Mr. Brown. 今天天气很好。'.repeat(9000)
    expect(cpuSeconds(() => splitText(text, 280))).toBeLessThan(3)
  })
})

it('estimates the duration of a text', () => {
  expect(estimateSeconds('今天天气很好我们去公园')).toBeCloseTo(11 / 4.4, 1)
  expect(estimateSeconds('The quick brown fox jumps over the lazy dog')).toBeCloseTo(35 / 12.5, 1)
})
