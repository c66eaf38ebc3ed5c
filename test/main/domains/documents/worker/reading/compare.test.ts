import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareBlocks } from '../../../../../../src/main/domains/documents/worker/reading/compare.ts'
import type { BlockChange } from '../../../../../../src/shared/contract/documents.ts'
import type { Block, Box } from '../../../../../../src/shared/model/document.ts'

let made = 0
const block = (content: string, box: Box | null, more: Partial<Block> = {}): Block => ({
  id: `b${made++}`,
  page: 1,
  order: 0,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content,
  edited: null,
  box,
  raw: null,
  guessed: false,
  ...more,
})
/** A line of text across the page, by its position from the top. */
const line = (place: number): Box => [0.1, place / 20, 0.9, place / 20 + 0.04]
const summaryOf = (changes: readonly BlockChange[]): string[] =>
  changes.map(
    ({ kind, left, right }) => `${kind} ${left?.content ?? '-'} > ${right?.content ?? '-'}`,
  )

describe('comparison of a page in two versions', () => {
  test('ignores differences in white space and small shifts', () => {
    const left = [
      block('A title', line(1)),
      block('some  words\nhere', line(2)),
      block('', line(5)),
    ]
    const right = [
      block('A title', [0.11, 0.05, 0.9, 0.09]),
      block('some words here ', line(2)),
      block('', line(5)),
    ]
    const changes = compareBlocks(left, right)
    expect(changes.map(({ kind }) => kind)).toEqual(['same', 'same', 'same'])
    expect(changes.every(({ words }) => words?.length === 0)).toBe(true)
  })

  test('shows words that were recognized differently, in both scripts', () => {
    const changes = compareBlocks(
      [block('the quick brown fox', line(1)), block('今天天气很好', line(2))],
      [block('the quick crown fox', line(1)), block('今天天汽很好', line(2))],
    )
    expect(changes.map(({ kind }) => kind)).toEqual(['changed', 'changed'])
    expect(changes[0]?.words).toEqual([
      { text: 'the quick ', side: 'both' },
      { text: 'brown', side: 'left' },
      { text: 'crown', side: 'right' },
      { text: ' fox', side: 'both' },
    ])
    expect(changes[1]?.words).toEqual([
      { text: '今天天', side: 'both' },
      { text: '气', side: 'left' },
      { text: '汽', side: 'right' },
      { text: '很好', side: 'both' },
    ])
  })

  test('matches a block by position when none of its text is left', () => {
    const changes = compareBlocks([block('E = mc', line(1))], [block('什么', line(1))])
    expect(summaryOf(changes)).toEqual(['changed E = mc > 什么'])
  })

  test('reports blocks that exist on one side only, with their position', () => {
    const changes = compareBlocks(
      [block('one', line(1)), block('two', line(2)), block('three', line(3))],
      [block('one', line(1)), block('three', line(3)), block('four', line(6))],
    )
    expect(summaryOf(changes)).toEqual([
      'same one > one',
      'left-only two > -',
      'same three > three',
      'right-only - > four',
    ])
  })

  test('reports blocks that moved, on the page or in the reading order', () => {
    const moved = compareBlocks(
      [block('one long text', line(1)), block('two', line(2))],
      [block('one long text', line(9)), block('two', line(2))],
    )
    expect(summaryOf(moved)).toEqual(['moved one long text > one long text', 'same two > two'])
    const reordered = compareBlocks(
      [block('one', line(1)), block('two', line(2)), block('three', line(3))],
      [block('three', line(3)), block('one', line(1)), block('two', line(2))],
    )
    expect(summaryOf(reordered)).toEqual([
      'moved three > three',
      'same one > one',
      'same two > two',
    ])
  })

  test('prefers the nearer of equal texts, and uses every block once', () => {
    const changes = compareBlocks(
      [block('1', line(1)), block('1', line(5)), block('1', line(9))],
      [block('1', line(1)), block('1', line(9))],
    )
    expect(summaryOf(changes)).toEqual(['same 1 > 1', 'left-only 1 > -', 'same 1 > 1'])
    expect(changes[2]?.left?.box).toEqual(line(9))
  })

  test('compares by text where boxes are missing', () => {
    const changes = compareBlocks(
      [block('one text', null), block('another', null)],
      [block('one text', null), block('something else', null)],
    )
    expect(summaryOf(changes)).toEqual([
      'same one text > one text',
      'right-only - > something else',
      'left-only another > -',
    ])
  })

  test('treats a different block type as a change', () => {
    const changes = compareBlocks(
      [block('Chapter', line(1))],
      [block('Chapter', line(1), { kind: 'title' })],
    )
    expect(changes).toMatchObject([{ kind: 'changed', words: [{ text: 'Chapter', side: 'both' }] }])
  })

  test('compares returned texts, not the user’s edits', () => {
    const changes = compareBlocks(
      [block('read', line(1), { edited: 'mine' })],
      [block('read', line(1))],
    )
    expect(changes).toMatchObject([{ kind: 'same', left: { edited: 'mine' } }])
  })

  test('supports an empty side', () => {
    expect(compareBlocks([], [])).toEqual([])
    expect(summaryOf(compareBlocks([], [block('a', null)]))).toEqual(['right-only - > a'])
    expect(summaryOf(compareBlocks([block('a', null)], []))).toEqual(['left-only a > -'])
  })
})

test('skips the word-by-word comparison of texts that are too long', () => {
  const long = 'word '.repeat(10_000)
  const changes = compareBlocks([block(long, line(1))], [block(`${long}x`, line(1))])
  expect(changes).toMatchObject([{ kind: 'changed', words: null }])
  const other = Array.from({ length: 900 }, (_, at) => `a${at}`).join(' ')
  const another = Array.from({ length: 900 }, (_, at) => `b${at}`).join(' ')
  const different = compareBlocks([block(other, line(1))], [block(another, line(1))])
  expect(different).toMatchObject([{ kind: 'changed', words: null }])
})

test('pairs thousands of blocks', () => {
  const many = Array.from({ length: 1500 }, (_, at) => block(`text ${at % 700}`, null))
  const changes = compareBlocks(many, many)
  expect(changes.filter(({ kind }) => kind === 'same').length).toBe(1500)
})

test('reports every block once, and the joined words equal the texts', () => {
  const blocksOfSide = fc.array(
    fc.record({
      content: fc.array(fc.constantFrom('a', 'b ', '中', '\n', 'word', '. '), { maxLength: 6 }),
      place: fc.option(fc.integer({ min: 0, max: 9 })),
    }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(blocksOfSide, blocksOfSide, (one, other) => {
      const blocks = (given: typeof one): Block[] =>
        given.map(({ content, place }) =>
          block(content.join(''), place === null ? null : line(place)),
        )
      const left = blocks(one)
      const right = blocks(other)
      const changes = compareBlocks(left, right)
      const ids = (list: (Block | null)[]): string[] => list.flatMap((each) => each?.id ?? [])
      expect(ids(changes.map((change) => change.right))).toEqual(ids(right))
      expect(ids(changes.map((change) => change.left)).toSorted()).toEqual(ids(left).toSorted())
      for (const { kind, words, left: before, right: after } of changes) {
        if (kind !== 'changed') continue
        const of = (...sides: string[]): string =>
          (words ?? []).flatMap(({ text, side }) => (sides.includes(side) ? text : [])).join('')
        expect(of('both', 'left')).toBe(before?.content)
        expect(of('both', 'right')).toBe(after?.content)
      }
      expect(compareBlocks(left, right)).toEqual(changes)
      expect(compareBlocks(left, left).every(({ kind }) => kind === 'same')).toBe(true)
    }),
  )
})
