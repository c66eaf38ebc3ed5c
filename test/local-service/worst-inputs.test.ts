import { describe, expect, test, vi } from 'vitest'
import { calculate, findSum, NoSum } from '../../src/local-service/assistants/calculator.ts'
import { countTokens, cutToTokens } from '../../src/local-service/assistants/count-tokens.ts'
import { checkGrammar } from '../../src/local-service/assistants/grammar.ts'
import { flattened, outlineOf } from '../../src/local-service/assistants/outline.ts'
import { wrapped } from '../../src/local-service/assistants/text-image.ts'
import { structuredPrompt } from '../../src/local-service/assistants/prompt-sections.ts'
import { sentencesOf } from '../../src/local-service/assistants/sentences.ts'
import { pastedTable, tableStatistics } from '../../src/local-service/assistants/table.ts'
import { partsOf, rewritten } from '../../src/local-service/knowledge/agent/rewrite.ts'
import { collected } from '../../src/local-service/knowledge/pause.ts'
import { readSheet } from '../../src/shared/knowledge/slicing/read-sheet.ts'
import { readMarkdown, readPlain } from '../../src/shared/knowledge/slicing/read-text.ts'
import { slicesOf } from '../../src/shared/knowledge/slicing/slices.ts'
import { splitAtSentences } from '../../src/shared/knowledge/slicing/sentences.ts'
import type { KnowledgeType, Passage } from '../../src/shared/knowledge/slicing/types.ts'
import { keywords } from '../../src/main/domains/library/service/keywords.ts'
import { growsWithItsInput } from '../fixtures/growth.ts'
import { turnsDuring } from '../fixtures/turns.ts'

const size = 100_000

const of = (unit: string, chars = size): string => unit.repeat(Math.ceil(chars / unit.length))

const passages = (source: Iterable<Passage | null>): readonly Passage[] =>
  Array.from(source).filter((one) => one !== null)

const cut = (text: string, type: KnowledgeType | null, read = readPlain): unknown => {
  try {
    return Array.from(
      slicesOf(passages(read(text)), { type, separators: ['zz', '。', '\n'], sentenceSize: 20 }),
    )
  } catch (error) {
    // No questions, no words: a regular result.
    return error
  }
}

const canvas = { measureText: (text: string) => ({ width: text.length }) }

const works: Readonly<Record<string, (text: string) => unknown>> = {
  'parsing Markdown': (text) => passages(readMarkdown(text)),
  'parsing a spreadsheet': (text) => tableStatistics(passages(readSheet(text, 'a.csv'))),
  'splitting by headings': (text) => cut(text, 1, readMarkdown),
  'splitting by questions': (text) => cut(text, 2),
  'splitting by separators': (text) => cut(text, 5),
  'splitting at sentences': (text) => splitAtSentences(text, 20),
  'parsing an outline': (text) => flattened(outlineOf(text)),
  'finding a calculation': findSum,
  'grammar checks': checkGrammar,
  'splitting sentences': sentencesOf,
  'sections of a prompt': (text) => structuredPrompt(text, 'en'),
  'a pasted table': pastedTable,
  'wrapping lines in an image': (text) => wrapped(canvas as never, text, 30, 7),
  'truncating to tokens': (text) => cutToTokens(text, countTokens(text)),
  'questions of a message': (text) => partsOf(text).map((part) => rewritten(part, [])),
  keywords,
}

const units = [' ', '\t', '\n', 'a', '1', '#', '-', '=', '.', ',', '"', '(', ')', '[', '[a](', '*']
const more = ['**a', '__a', '`', '?', '。', '。”', '.”', '!', 'a ', 'a a ', '1+', '1+(', '-1', '^1']
const lines = ['A. ', 'hello there. ', 'a\n', '# a\n', '- a\n', 'Q: a?\n', 'sqrt(', '1,2\n', '1.1 ']

describe.each(Object.entries(works))('%s', (_name, work) => {
  test('takes time proportional to the length of a text, whatever its content', () => {
    for (const unit of [...units, ...more, ...lines])
      for (const [before, after] of [
        ['', ''],
        ['# a', 'b'],
        ['1+', 'x!'],
        ['q', 'x'],
      ]) {
        const text = (times: number): string => `${before}${of(unit, (size / 8) * times)}${after}`
        expect(
          growsWithItsInput((times) => work(text(times))),
          JSON.stringify(text(1).slice(0, 24)),
        ).toBe(true)
      }
  })
})

test('preserves the words of a heading without surrounding symbols and spaces', () => {
  const text = '## One # two ##  \n\n#\tThree\n\n#four\n\n### ###\n\n####### seven'
  expect(passages(readMarkdown(text)).map(({ level, text: words }) => [level, words])).toEqual([
    [2, 'One # two'],
    [1, 'Three'],
    [null, '#four'],
    [null, '####### seven'],
  ])
})

test('removes the markup of links and bold words, and no other', () => {
  const text =
    'See [the ![big] map](a) and ![plan](b(c)), **bold words**, __too__ and a_b_c ** d **.'
  expect(passages(readMarkdown(text)).map(({ text: words }) => words)).toEqual([
    'See [the ![big] map](a) and plan), bold words, too and a_b_c ** d **.',
  ])
})

test('counts lines as in the file, also for segments of one paragraph', () => {
  const text = `one.\ntwo.\n${'three three. '.repeat(6)}\n\nfour.`
  const rules = { type: 5, separators: ['.'], sentenceSize: 20 } as const
  const found = Array.from(slicesOf(passages(readPlain(text)), rules))
  expect(found.map(({ text: words, line }) => [words, line])).toEqual([
    ['one', 1],
    ['two', 2],
    ...Array.from({ length: 6 }, () => ['three three', 3]),
    ['four', 5],
  ])
})

test('ignores a calculation that is nested too deeply or continues', () => {
  for (const text of [`1${of('^1')}`, `${of('-')}1`, of('sqrt('), of('(')])
    expect(() => calculate(text)).toThrow(NoSum)
  expect(findSum(`1${'+1'.repeat(100)}`)?.value).toBe(101)
  expect(findSum(`1${'+1'.repeat(1000)}`)).toBeUndefined()
  expect(findSum(`2 * 3 ${'and so on '.repeat(100)}`)?.value).toBe(6)
})

test('treats long headings as text and limits stacked headings', () => {
  const heading = '# ' + of('long ', 1000)
  const [slice] = cut(`${heading}\n\nwords`, 1, readMarkdown) as readonly { headings: unknown }[]
  expect(slice?.headings).toEqual([])
  const slices = cut(`${of('# a\n\n')}words`, 1, readMarkdown) as readonly { text: string }[]
  for (const { text } of slices) expect(text.length).toBeLessThan(600)
})

test('rejects a sheet with an unclosed quote with a message', () => {
  expect(() => passages(readSheet(`a,b\n"${of('x', 1_100_000)}`, 'a.csv'))).toThrow(/line 2/)
})

test('yields to others during long work', async () => {
  // A clock that advances by a millisecond on each read: others run after twenty reads.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1))
  try {
    const text = of('Words of a paragraph. More of them.\n\n', 2_000_000)
    let passagesRead = 0
    const turns = await turnsDuring(async () => {
      passagesRead = (await collected(readMarkdown(text), new AbortController().signal)).length
    })
    expect(passagesRead).toBeGreaterThan(50_000)
    expect(turns).toBeGreaterThan(passagesRead / 25)
  } finally {
    clock.mockRestore()
  }
  // Also when there is no result for a long time.
  for (const read of [readMarkdown, readPlain])
    expect(Array.from(read('\n'.repeat(2_000_000))).length).toBeGreaterThan(400)
})
