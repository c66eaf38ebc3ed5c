import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../fixtures/growth.ts'
import { compareTranscript } from '../../../../../src/main/domains/voices/worker/compare.ts'

describe('equal texts, however they are written', () => {
  it.each([
    ['Hello, World!', 'hello world'],
    ['It costs $5.', 'It costs five dollars'],
    ['In 1984 there were 23 of them.', 'in nineteen eighty four there were twenty-three of them'],
    ['1,234 people', 'one thousand two hundred and thirty four people'],
    ['The 3rd of May', 'the third of may'],
    ['A hundred miles', '100 miles'],
    ['50% of it', 'fifty percent of it'],
    ["I don't think we're late.", 'I do not think we are late'],
    ['Dr. Smith & Mr. Brown', 'doctor smith and mister brown'],
    ['the web site', 'the website'],
    ['ＡＢＣ　ｄｅｆ', 'abc def'],
    ['Café naïve', 'cafe naive'],
    ['今天是二〇二六年五月二十三日。', '今天是2026年5月23日'],
    ['一共一百零五人', '一共105人'],
    ['三万二千', '32000'],
    ['百分之五十的人', '50%的人'],
    ['這個軟體聽說很好', '这个软体听说很好'],
    ['他說：「走吧！」', '他说走吧'],
    ['我买了两本书', '我买了2本书'],
    ['全角，标点。', '全角标点'],
    ['价格是¥25', '价格是25元'],
  ])('%s | %s', (text, transcribed) => {
    const found = compareTranscript(text, transcribed)
    expect(found.marks).toEqual([])
    expect(found.score).toBe(1)
  })
})

describe('differences', () => {
  it('reports missing words with their position in the text', () => {
    const text = 'The quick brown fox jumps over the lazy dog.'
    const found = compareTranscript(text, 'the quick fox jumps over the dog')
    expect(found.marks.map(({ kind, from, to }) => [kind, text.slice(from, to)])).toEqual([
      ['missing', 'brown'],
      ['missing', 'lazy'],
    ])
    expect(found).toMatchObject({ words: 9, missing: 2, longestMissing: 1 })
    expect(found.score).toBeCloseTo(7 / 9)
  })

  it('reports added words, and changed ones with their transcription', () => {
    const text = 'Meet me at noon.'
    const found = compareTranscript(text, 'Please meet me at the moon')
    expect(found.marks).toEqual([
      { kind: 'added', from: 0, to: 0, heard: 'Please' },
      { kind: 'changed', from: 11, to: 15, heard: 'the moon' },
    ])
  })

  it('compares by characters in Chinese', () => {
    const text = '今天天气很好，我们去公园。'
    const found = compareTranscript(text, '今天天气很坏我们公园')
    expect(
      found.marks.map(({ kind, from, to, heard: transcribed }) => [
        kind,
        text.slice(from, to),
        transcribed,
      ]),
    ).toEqual([
      ['changed', '好', '坏'],
      ['missing', '去', ''],
    ])
  })

  it('reports everything as missing for silence', () => {
    expect(compareTranscript('One two three four.', '')).toMatchObject({
      score: 0,
      missing: 4,
      longestMissing: 4,
    })
    expect(compareTranscript('…', '')).toMatchObject({ score: 1, marks: [] })
  })

  it('does not read the word second as a number', () => {
    expect(compareTranscript('Wait a second.', 'wait a second').marks).toEqual([])
    expect(compareTranscript('Wait a second.', 'wait 2').marks).toHaveLength(1)
  })
})

it('limits how much of an overlong transcription of a sentence is compared', () => {
  const book = (length: number): string => '坏'.repeat(length)
  const short = compareTranscript('好的', book(20_000))
  const long = book(15_000_000)
  const compare = () => expect(compareTranscript('好的', long)).toEqual(short)
  // Comparing all of it took seconds.
  expect(cpuSeconds(compare)).toBeLessThan(1)
})
