import { expect, test } from 'vitest'
import { writeRanking } from '../../../../../src/main/domains/knowledge/exports/rerank-export.ts'
import type { Ranking } from '../../../../../src/shared/model/rerank.ts'

const ranking: Ranking = {
  id: 'r',
  title: 'Bees | and "more"',
  query: 'How?',
  state: 'done',
  accountId: 'a',
  accountName: 'A',
  count: 3,
  topN: 2,
  rawScores: false,
  rounds: { all: 1, answered: 1 },
  createdAt: 0,
  updatedAt: 0,
  endedAt: 0,
  removedAt: null,
  error: null,
  candidates: [
    { text: '=SUM(A1)', source: null },
    {
      text: 'two, "quoted"\nlines',
      source: { itemId: 'i', kind: 'document', title: 'Paper', partId: null, page: 2 },
    },
    { text: 'cut', source: null },
  ],
  ranked: [
    { index: 1, score: 0.75 },
    { index: 0, score: 0.5 },
  ],
  spread: null,
  requestIds: [],
  engine: null,
  notice: null,
  usage: null,
}

test('CSV opens in a spreadsheet with numbers, without formulas; quotes and breaks stay in cells', () => {
  expect(writeRanking(ranking, 'csv', 'en')).toBe(
    '\uFEFFRank,Before,Change,Score,Text,Source\r\n' +
      '1,2,1,0.75,"two, ""quoted""\nlines",Paper\r\n' +
      `2,1,-1,0.5,"'=SUM(A1)",\r\n` +
      ',3,,,cut,\r\n',
  )
})

test('JSON contains everything; Markdown tables stay intact', () => {
  const { results, query } = JSON.parse(writeRanking(ranking, 'json', 'en')) as {
    query: string
    results: readonly { rank: number | null; before: number }[]
  }
  expect([query, results.map(({ rank, before }) => [rank, before])]).toEqual([
    'How?',
    [
      [1, 2],
      [2, 1],
      [null, 3],
    ],
  ])
  const markdown = writeRanking(ranking, 'md', 'zh')
  expect(markdown).toContain('# Bees \\| and "more"')
  expect(markdown).toContain('| 1 | 2 | +1 | 0.75 | two, "quoted" lines | Paper |')
  expect(markdown).toContain('| 未入选 | 3 |')
})
